import { and, desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { contentProgress, devicePositions } from '#db/schema'
import { isId } from '#src/shape/id'
import type { ItemType } from '#src/story/rules'
import { devicesMax, versionOf } from './rules'
import type { Listener, Progress, ProgressWithPlaces } from './schema'

async function findProgress(
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

/** Finds a listener's position, and the last position of each of their devices, which are few. */
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
    .limit(devicesMax)
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

/** The positions of a listener in some items, by item id. */
export async function listProgress(
  db: Executor,
  listener: Listener,
  contentIds: readonly string[],
): Promise<Map<string, Progress>> {
  if (contentIds.length === 0) return new Map()
  const rows = await progressQuery(db).execute({
    anonId: listener.anonId,
    contentIds: `{${contentIds.join(',')}}`,
  })
  return new Map(rows.map((row) => [row.contentId, toProgress(row)]))
}

const progressQuery = prepareOnce((db) =>
  db
    .select()
    .from(contentProgress)
    .where(
      and(
        eq(contentProgress.anonId, sql.placeholder('anonId')),
        sql`${contentProgress.contentId} = any(${sql.placeholder('contentIds')}::uuid[])`,
      ),
    )
    .prepare('progress'),
)

type ProgressRow = Pick<
  typeof contentProgress.$inferSelect,
  keyof Omit<Progress, 'version'> | 'deviceId' | 'sequence' | 'reportedAt'
>

export function toProgress(row: ProgressRow): Progress {
  const { contentId, contentType, lastPositionSec, totalSec, completed, lastUpdatedAt } = row
  return {
    contentId,
    contentType,
    lastPositionSec,
    totalSec,
    completed,
    lastUpdatedAt: lastUpdatedAt.toISOString(),
    version: versionOf(row),
  }
}
