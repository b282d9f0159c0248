import { and, eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { contentProgress, devicePositions, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { completeDaysOf } from '#src/challenge/enrol'
import { isId } from '#src/story/rules'
import { readDate } from '#src/text/read-date'
import { toProgress } from './queries'
import { type DeviceKind, nextPosition, type Position, type PositionReport } from './rules'
import type { Listener, Progress, ProgressReport } from './schema'

/**
 * Saves a listener's position in an item, by the rules of `nextPosition`, one report after the other. Throws
 * `not_found` for an item that does not exist, `invalid` for an unreadable time.
 */
export async function saveProgress(
  db: Executor,
  listener: Listener,
  report: ProgressReport,
  device: DeviceKind | null = null,
): Promise<Progress> {
  const reportedAt =
    report.lastUpdatedAt === undefined ? new Date() : readDate('lastUpdatedAt', report.lastUpdatedAt)
  const { contentId, contentType } = report
  if (!isId(contentId)) throw missing()
  return db.transaction(async (tx) => {
    const [story] = await tx
      .select({ id: stories.id })
      .from(stories)
      .where(and(eq(stories.id, contentId), eq(stories.type, contentType)))
    if (!story) throw missing()
    // Reports of two devices at once are processed one after the other.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`${listener.anonId}:${contentId}`}, 11))`,
    )
    const mine = and(
      eq(contentProgress.anonId, listener.anonId),
      eq(contentProgress.contentId, contentId),
      eq(contentProgress.contentType, contentType),
    )
    const [stored] = await tx.select().from(contentProgress).where(mine)
    const reported: PositionReport = {
      positionSec: report.lastPositionSec,
      totalSec: report.totalSec ?? null,
      completed: report.completed ?? false,
      deviceId: report.deviceId ?? null,
      sequence: report.sequence ?? null,
      reason: report.reason ?? null,
      basedOn: report.basedOn ?? null,
      reportedAt,
    }
    const before = stored ? { ...stored, positionSec: stored.lastPositionSec } : null
    const next = nextPosition(before, reported, new Date())
    const row = { ...columnsOf(next), userId: listener.userId, lastUpdatedAt: sql`now()` }
    const [saved] = stored
      ? await tx.update(contentProgress).set(row).where(mine).returning()
      : await tx
          .insert(contentProgress)
          .values({ ...row, anonId: listener.anonId, contentId, contentType })
          .returning()
    if (!saved) throw new Error('The write answered no row.')
    await saveDevicePosition(tx, listener, contentId, { device, report: reported })
    if (report.completed && listener.userId) await completeDaysOf(tx, listener.userId, contentId)
    return toProgress(saved)
  })
}

function columnsOf({ positionSec, ...position }: Position) {
  return { ...position, lastPositionSec: positionSec }
}

/**
 * The last position of each device, by the same rules, so that two that disagree can both be offered: a report too
 * late for the shared position may be the latest of its device.
 */
async function saveDevicePosition(
  tx: Executor,
  { anonId }: Listener,
  contentId: string,
  { device, report }: { device: DeviceKind | null; report: PositionReport },
): Promise<void> {
  const { deviceId } = report
  if (deviceId === null || report.sequence === null) return
  const mine = and(
    eq(devicePositions.anonId, anonId),
    eq(devicePositions.contentId, contentId),
    eq(devicePositions.deviceId, deviceId),
  )
  const [stored] = await tx.select().from(devicePositions).where(mine)
  const before = stored ? { ...stored, completed: false, reportedAt: new Date(0) } : null
  const next = nextPosition(before, report, new Date())
  const { positionSec, totalSec } = next
  const place = { positionSec, totalSec, sequence: next.sequence ?? 0, ...(device && { device }) }
  if (!stored) {
    await tx.insert(devicePositions).values({ id: newId(), anonId, contentId, deviceId, ...place })
  } else if (stored.sequence !== place.sequence || stored.positionSec !== positionSec) {
    await tx
      .update(devicePositions)
      .set({ ...place, updatedAt: sql`now()` })
      .where(mine)
  }
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such item. It may have been removed.')
}
