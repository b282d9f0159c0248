import { type SQL, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { meterWrite, viewWrite } from '#src/analytics/count-playback'
import { completeDaysOf } from '#src/challenge/enrol'
import { isId } from '#src/shape/id'
import { readInstant } from '#src/shape/read-instant'
import { missingItem } from '#src/story/require-item'
import { hasPage } from '#src/story/shown-items'
import { nextPosition } from './next-position'
import { toProgress } from './queries'
import type { DeviceKind } from './rules'
import type { Listener, Progress, ProgressReport } from './schema'

/** Each retry means that another report was saved; more than this is a bug. */
const triesMax = 100

/** The source of a report, and whether it counts as a view, which those of operators do not. */
type Sender = { device: DeviceKind | null; addressHash: string | null; isCounted: boolean }
const nobody: Sender = { device: null, addressHash: null, isCounted: false }

/**
 * Saves a listener's position in an item by the rules of `nextPosition`, and counts the playback, in one statement. It
 * is retried if another report was saved between its read and its write. Returns the stored position. Throws
 * `not_found` for an item that the listener may not open and has not begun, `invalid` for an unreadable time.
 */
export async function saveProgress(
  db: Executor,
  listener: Listener,
  report: ProgressReport,
  sender: Sender = nobody,
): Promise<Progress> {
  const { contentId, completed } = report
  const { userId } = listener
  if (!isId(contentId)) throw missingItem()
  const record = recordOf(listener, report, sender)
  if (!completed || userId === null) return save(db, record)
  return db.transaction(async (tx) => {
    const saved = await save(tx, record)
    await completeDaysOf(tx, userId, contentId)
    return saved
  })
}

/** Converts a report to the statement's parameters. */
function recordOf({ anonId, userId }: Listener, report: ProgressReport, sender: Sender) {
  const { contentId, contentType, lastPositionSec, lastUpdatedAt } = report
  const now = new Date()
  const reportedAt = lastUpdatedAt === undefined ? now : readInstant(lastUpdatedAt, 'lastUpdatedAt')
  return {
    id: newId(),
    place_id: newId(),
    anon_id: anonId,
    user_id: userId,
    content_id: contentId,
    content_type: contentType,
    position_sec: lastPositionSec,
    total_sec: report.totalSec ?? null,
    completed: report.completed ?? false,
    device_id: report.deviceId ?? null,
    sequence: report.sequence ?? null,
    reason: report.reason ?? null,
    based_on: report.basedOn ?? null,
    // Times in the future are replaced by the present one.
    reported_at: (reportedAt < now ? reportedAt : now).toISOString(),
    device: sender.device,
    address_hash: sender.addressHash,
    is_counted: sender.isCounted,
  }
}

async function save(db: Executor, record: ReturnType<typeof recordOf>): Promise<Progress> {
  const { content_id: contentId, content_type: contentType } = record
  for (let tries = 0; tries < triesMax; tries += 1) {
    const [row] = await beat(db).execute({ report: JSON.stringify(record) })
    if (!row) throw missingItem()
    const { position } = row
    if (position)
      return toProgress({
        ...position,
        contentId,
        contentType,
        reportedAt: new Date(position.reportedAt),
        lastUpdatedAt: new Date(position.lastUpdatedAt),
      })
  }
  throw new Error('Other reports were saved each time before this one.')
}

type KeptPosition = {
  lastPositionSec: number
  totalSec: number | null
  completed: boolean
  deviceId: string | null
  sequence: number | null
  /** In milliseconds. */
  reportedAt: number
  lastUpdatedAt: number
}

const report = sql`
  select * from jsonb_to_record(${sql.placeholder('report')}::text::jsonb) as report(
    id uuid, place_id uuid, anon_id text, user_id uuid, content_id uuid, content_type text, position_sec float8,
    total_sec float8, completed boolean, device_id text, sequence bigint, reason text, based_on text,
    reported_at timestamptz, device text, address_hash text, is_counted boolean)`

/**
 * Selects an item with the listener's present position in it. There is a row only if they may open the item, or began
 * it before it was removed, perhaps only for an hour. Operators, who are not counted, may open every item.
 */
const before = sql`
  select stored.last_position_sec as position_sec, stored.total_sec, stored.completed, stored.device_id, stored.sequence,
    stored.reported_at, stored.xmin as row_version
  from report join stories on stories.id = report.content_id and stories.type = report.content_type
    left join content_progress as stored on stored.anon_id = report.anon_id
      and stored.content_id = report.content_id and stored.content_type = report.content_type
  where ${hasPage(sql`report.user_id`)} or stored.anon_id is not null or not report.is_counted`

/** Writes nothing if the row has changed since it was read: its version, `xmin`, is different then. */
const saved = sql`
  insert into content_progress as stored (id, anon_id, user_id, content_id, content_type, last_position_sec, total_sec,
    completed, device_id, sequence, reported_at)
  select report.id, report.anon_id, report.user_id, report.content_id, report.content_type, next.*
  from report, before, ${nextPosition(sql`before`, sql`report`)}
  on conflict (anon_id, content_id, content_type) do update set
    user_id = excluded.user_id, last_position_sec = excluded.last_position_sec, total_sec = excluded.total_sec,
    completed = excluded.completed, device_id = excluded.device_id, sequence = excluded.sequence,
    reported_at = excluded.reported_at, last_updated_at = now()
  where stored.xmin = (select row_version from before)
  returning *`

/**
 * Writes the device's last position, by the same rules, so that both positions can be offered if two devices disagree.
 * A report too late for the shared position may be the latest of its device.
 */
const place = sql`
  insert into device_positions as stored (id, anon_id, content_id, device_id, device, total_sec, sequence, position_sec)
  select report.place_id, report.anon_id, report.content_id, report.device_id, report.device, next.total_sec,
    coalesce(next.sequence, 0), next.position_sec
  from saved, report
    left join lateral (
      select position_sec, total_sec, false as completed, device_id, sequence, 'epoch'::timestamptz as reported_at
      from device_positions as place where place.anon_id = report.anon_id
        and place.content_id = report.content_id and place.device_id = report.device_id) as last on true,
    ${nextPosition(sql`last`, sql`report`)}
  where report.device_id is not null and report.sequence is not null
    and (last.sequence, last.position_sec) is distinct from (coalesce(next.sequence, 0), next.position_sec)
  on conflict (anon_id, content_id, device_id) do update set
    device = coalesce(excluded.device, stored.device), total_sec = excluded.total_sec,
    sequence = excluded.sequence, position_sec = excluded.position_sec, updated_at = now()`

/**
 * The statement that saves a report. Returns no row if there is no such item, and a null position if another report was
 * saved concurrently.
 */
const beat = prepareOnce((db) => {
  const named = (name: string, query: SQL) => db.$with(name, {}).as(query)
  return db
    .with(
      named('report', report),
      named('before', before),
      named('saved', saved),
      named('place', place),
      named('meter', meterWrite),
      named('view', viewWrite),
    )
    .select({
      position: sql<KeptPosition | null>`case when saved.id is not null then json_build_object(
        'lastPositionSec', saved.last_position_sec, 'totalSec', saved.total_sec, 'completed', saved.completed,
        'deviceId', saved.device_id, 'sequence', saved.sequence,
        'reportedAt', floor(extract(epoch from saved.reported_at) * 1000),
        'lastUpdatedAt', floor(extract(epoch from saved.last_updated_at) * 1000)) end`,
    })
    .from(sql`before left join saved on true`)
    .prepare('beat')
})
