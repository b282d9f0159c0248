import { and, eq, type SQL, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { contentProgress, devicePositions, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { completeDaysOf } from '#src/challenge/enrol'
import { isId } from '#src/story/rules'
import { readDate } from '#src/text/read-date'
import { toProgress } from './queries'
import { type DeviceKind, nextPosition, type Position, type PositionReport } from './rules'
import type { Listener, Progress, ProgressReport } from './schema'

/** Each repetition means that another report was saved: more of them is a bug. */
const triesMax = 100

/**
 * Saves a listener's position in an item, by the rules of `nextPosition`, one report after the other: a read and a
 * write, both repeated where another report was saved between them. Throws `not_found` for an item that does not
 * exist, `invalid` for an unreadable time.
 */
export async function saveProgress(
  db: Executor,
  listener: Listener,
  report: ProgressReport,
  device: DeviceKind | null = null,
): Promise<Progress> {
  const { contentId, contentType } = report
  const { userId } = listener
  const target: Target = { listener, contentId, contentType, device, reported: readReport(report) }
  if (!isId(contentId)) throw missing()
  if (!report.completed || userId === null) return save(db, target)
  return db.transaction(async (tx) => {
    const progress = await save(tx, target)
    await completeDaysOf(tx, userId, contentId)
    return progress
  })
}

type Target = Pick<ProgressReport, 'contentId' | 'contentType'> & {
  listener: Listener
  device: DeviceKind | null
  reported: PositionReport
}

function readReport(report: ProgressReport): PositionReport {
  const { lastUpdatedAt } = report
  return {
    positionSec: report.lastPositionSec,
    totalSec: report.totalSec ?? null,
    completed: report.completed ?? false,
    deviceId: report.deviceId ?? null,
    sequence: report.sequence ?? null,
    reason: report.reason ?? null,
    basedOn: report.basedOn ?? null,
    reportedAt: lastUpdatedAt === undefined ? new Date() : readDate('lastUpdatedAt', lastUpdatedAt),
  }
}

async function save(db: Executor, target: Target): Promise<Progress> {
  const { contentId, contentType, reported } = target
  for (let tries = 0; tries < triesMax; tries += 1) {
    const stored = await readStored(db, target)
    const before = stored.progress && { ...stored.progress, positionSec: stored.progress.lastPositionSec }
    const next = nextPosition(before, reported, new Date())
    const lastUpdatedAt = await write(db, target, { ...stored, next })
    if (lastUpdatedAt !== null)
      return toProgress({ ...next, contentId, contentType, lastPositionSec: next.positionSec, lastUpdatedAt })
  }
  throw new Error('Other reports were saved each time before this one.')
}

type Stored = {
  progress: typeof contentProgress.$inferSelect | null
  /** Changes with each write of the row: its `xmin`. */
  rowVersion: string | null
  place: typeof devicePositions.$inferSelect | null
}

async function readStored(
  db: Executor,
  { listener: { anonId }, contentId, contentType, reported }: Target,
): Promise<Stored> {
  const [stored] = await storedQuery(db).execute({
    anonId,
    contentId,
    contentType,
    deviceId: reported.deviceId ?? '',
  })
  if (!stored) throw missing()
  return stored
}

const storedQuery = prepareOnce((db) =>
  db
    .select({
      progress: contentProgress,
      rowVersion: sql<string | null>`${contentProgress}.xmin::text`,
      place: devicePositions,
    })
    .from(stories)
    .leftJoin(
      contentProgress,
      and(
        eq(contentProgress.anonId, sql.placeholder('anonId')),
        eq(contentProgress.contentId, stories.id),
        eq(contentProgress.contentType, stories.type),
      ),
    )
    .leftJoin(
      devicePositions,
      and(
        eq(devicePositions.anonId, sql.placeholder('anonId')),
        eq(devicePositions.contentId, stories.id),
        eq(devicePositions.deviceId, sql.placeholder('deviceId')),
      ),
    )
    .where(
      and(eq(stories.id, sql.placeholder('contentId')), eq(stories.type, sql.placeholder('contentType'))),
    )
    .prepare('stored_progress'),
)

/**
 * Writes the shared position and the device's in one statement, unless the row was written since it was read; returns
 * when, or null.
 */
async function write(
  db: Executor,
  target: Target,
  { rowVersion, place, next }: Stored & { next: Position },
): Promise<Date | null> {
  const { contentId, contentType } = target
  const { anonId, userId } = target.listener
  const { positionSec, totalSec, completed, deviceId, sequence, reportedAt } = next
  const [saved] = await db.execute<{ milliseconds: number }>(sql`
    with saved as (
      insert into content_progress as stored (id, anon_id, user_id, content_id, content_type, last_position_sec,
        total_sec, completed, device_id, sequence, reported_at)
      values (${newId()}, ${anonId}, ${userId}::uuid, ${contentId}::uuid, ${contentType}, ${positionSec}::float8,
        ${totalSec}::float8, ${completed}, ${deviceId}, ${sequence}::bigint, ${reportedAt.toISOString()}::timestamptz)
      on conflict (anon_id, content_id, content_type) do update set
        user_id = excluded.user_id, last_position_sec = excluded.last_position_sec, total_sec = excluded.total_sec,
        completed = excluded.completed, device_id = excluded.device_id, sequence = excluded.sequence,
        reported_at = excluded.reported_at, last_updated_at = now()
      where stored.xmin::text = ${rowVersion}::text
      returning last_updated_at
    )${placeWrite(target, place)}
    select (extract(epoch from last_updated_at) * 1000)::float8 as milliseconds from saved`)
  return saved ? new Date(saved.milliseconds) : null
}

/**
 * The write of the device's last position, by the same rules, so that two devices that disagree can both be offered: a
 * report too late for the shared position may be the latest of its device. Nothing where it stays as it is.
 */
function placeWrite({ listener, contentId, device, reported }: Target, stored: Stored['place']): SQL {
  const { deviceId } = reported
  if (deviceId === null || reported.sequence === null) return sql``
  const before = stored && { ...stored, completed: false, reportedAt: new Date(0) }
  const { positionSec, totalSec, ...next } = nextPosition(before, reported, new Date())
  const sequence = next.sequence ?? 0
  if (stored && stored.sequence === sequence && stored.positionSec === positionSec) return sql``
  return sql`, place as (
      insert into device_positions as stored (id, anon_id, content_id, device_id, device, total_sec, sequence, position_sec)
      select ${newId()}::uuid, ${listener.anonId}::text, ${contentId}::uuid, ${deviceId}::text, ${device}::text,
        ${totalSec}::float8, ${sequence}::bigint, ${positionSec}::float8
      from saved
      on conflict (anon_id, content_id, device_id) do update set
        device = coalesce(excluded.device, stored.device), total_sec = excluded.total_sec,
        sequence = excluded.sequence, position_sec = excluded.position_sec, updated_at = now()
    )`
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such item. It may have been removed.')
}
