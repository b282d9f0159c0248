import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { contentProgress, devicePositions } from '#db/schema'
import type { ItemType } from '#src/story/rules'
import { isId } from '#src/story/rules'
import type { Progress, ProgressWithPlaces } from './schema'

/** Whose positions these are: a member's by the member's id, a visitor's by the functional id. */
export type Listener = { anonId: string; userId: string | null }

export async function findProgress(
  db: Executor,
  listener: Listener,
  contentId: string,
  contentType: ItemType,
): Promise<Progress | null> {
  if (!isId(contentId)) return null
  const [row] = await db
    .select()
    .from(contentProgress)
    .where(
      and(
        eq(contentProgress.anonId, listener.anonId),
        eq(contentProgress.contentId, contentId),
        eq(contentProgress.contentType, contentType),
      ),
    )
  return row ? toProgress(row) : null
}

/** The same with the last place of each device: at most as many as a person has at hand. */
export async function findProgressWithPlaces(
  db: Executor,
  listener: Listener,
  contentId: string,
  contentType: ItemType,
): Promise<ProgressWithPlaces | null> {
  const progress = await findProgress(db, listener, contentId, contentType)
  if (!progress) return null
  const rows = await db
    .select()
    .from(devicePositions)
    .where(and(eq(devicePositions.anonId, listener.anonId), eq(devicePositions.contentId, contentId)))
    .orderBy(desc(devicePositions.updatedAt))
    .limit(placesMax)
  return {
    ...progress,
    places: rows.map(({ deviceId, device, positionSec, totalSec, updatedAt }) => ({
      deviceId,
      device,
      positionSec,
      totalSec,
      updatedAt: updatedAt.toISOString(),
    })),
  }
}

const placesMax = 10

/** The positions of a listener in some items, by item id. */
export async function listProgress(
  db: Executor,
  listener: Listener,
  contentIds: readonly string[],
): Promise<Map<string, Progress>> {
  if (contentIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(contentProgress)
    .where(
      and(eq(contentProgress.anonId, listener.anonId), inArray(contentProgress.contentId, [...contentIds])),
    )
  return new Map(rows.map((row) => [row.contentId, toProgress(row)]))
}

export function toProgress(row: typeof contentProgress.$inferSelect): Progress {
  const { contentId, contentType, lastPositionSec, totalSec, completed, lastUpdatedAt } = row
  return {
    contentId,
    contentType,
    lastPositionSec,
    totalSec,
    completed,
    lastUpdatedAt: lastUpdatedAt.toISOString(),
  }
}
