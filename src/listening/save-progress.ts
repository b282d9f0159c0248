import { and, eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { contentProgress, devicePositions, stories } from '#db/schema'
import { completeDaysOf } from '#src/challenge/enrol'
import { readMoment } from '#src/moment'
import { Refusal } from '#src/refusal'
import { isId } from '#src/story/rules'
import { type Listener, toProgress } from './queries'
import { nextPosition, type Position } from './rules'
import type { Progress, ProgressReport } from './schema'

/**
 * Keeps a listener's position in an item, by the rules of `nextPosition`, one report after the other.
 * Throws `not_found` for an item that does not exist, `invalid` for a time that cannot be read.
 */
export async function saveProgress(
  db: Executor,
  listener: Listener,
  report: ProgressReport,
): Promise<Progress> {
  const reportedAt =
    report.lastUpdatedAt === undefined ? new Date() : readMoment('lastUpdatedAt', report.lastUpdatedAt)
  const { contentId, contentType } = report
  if (!isId(contentId)) throw missing()
  return db.transaction(async (tx) => {
    const [story] = await tx
      .select({ id: stories.id })
      .from(stories)
      .where(and(eq(stories.id, contentId), eq(stories.type, contentType)))
    if (!story) throw missing()
    // Two devices that report at once are taken one after the other.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`${listener.anonId}:${contentId}`}, 11))`,
    )
    const mine = and(
      eq(contentProgress.anonId, listener.anonId),
      eq(contentProgress.contentId, contentId),
      eq(contentProgress.contentType, contentType),
    )
    const [stored] = await tx.select().from(contentProgress).where(mine)
    const next = nextPosition(
      stored ? { ...stored, positionSec: stored.lastPositionSec } : null,
      {
        positionSec: report.lastPositionSec,
        totalSec: report.totalSec ?? null,
        completed: report.completed ?? false,
        deviceId: report.deviceId ?? null,
        sequence: report.sequence ?? null,
        reason: report.reason ?? null,
        reportedAt,
      },
      new Date(),
    )
    const row = { ...columnsOf(next), userId: listener.userId, lastUpdatedAt: sql`now()` }
    const [saved] = stored
      ? await tx.update(contentProgress).set(row).where(mine).returning()
      : await tx
          .insert(contentProgress)
          .values({ ...row, anonId: listener.anonId, contentId, contentType })
          .returning()
    if (!saved) throw new Error('The write answered no row.')
    await keepDevicePosition(tx, listener, contentId, next)
    if (report.completed && listener.userId) await completeDaysOf(tx, listener.userId, contentId)
    return toProgress(saved)
  })
}

function columnsOf({ positionSec, ...position }: Position) {
  return { ...position, lastPositionSec: positionSec }
}

/** What each device reached last, so that two that disagree can both be offered. */
async function keepDevicePosition(
  tx: Executor,
  listener: Listener,
  contentId: string,
  next: Position,
): Promise<void> {
  if (next.deviceId === null || next.sequence === null) return
  await tx
    .insert(devicePositions)
    .values({
      id: newId(),
      anonId: listener.anonId,
      contentId,
      deviceId: next.deviceId,
      sequence: next.sequence,
      positionSec: next.positionSec,
    })
    .onConflictDoUpdate({
      target: [devicePositions.anonId, devicePositions.contentId, devicePositions.deviceId],
      set: { sequence: next.sequence, positionSec: next.positionSec, updatedAt: sql`now()` },
    })
}

function missing(): Refusal {
  return new Refusal('not_found', 'There is no such item. It may have been removed.')
}
