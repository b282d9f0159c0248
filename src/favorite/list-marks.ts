import { and, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { contentProgress, favorites } from '#db/schema'
import type { Listener } from '#src/listening/schema'

/** One person's marks on a list: favourites, and the positions in items that were begun. */
export type ListMarks = {
  favorites: ReadonlySet<string>
  positions: ReadonlyMap<string, Position>
}
export const noMarks: ListMarks = { favorites: new Set(), positions: new Map() }
export type Position = { positionSeconds: number; totalSeconds: number | null }

/**
 * Finds the marks of some items for a listener in one statement: each further statement costs the server a seventh of a
 * list's page (measured). Items read to the end have no position.
 */
export async function findListMarks(
  db: Executor,
  { anonId, userId }: Listener,
  storyIds: readonly string[],
): Promise<ListMarks> {
  const marks = { favorites: new Set<string>(), positions: new Map<string, Position>() }
  if (storyIds.length === 0) return marks
  const rows = await marksQuery(db).execute({ anonId, userId, storyIds: `{${storyIds.join(',')}}` })
  for (const { storyId, positionSeconds, totalSeconds } of rows) {
    if (positionSeconds === null) marks.favorites.add(storyId)
    else marks.positions.set(storyId, { positionSeconds, totalSeconds })
  }
  return marks
}

const shown = sql`any(${sql.placeholder('storyIds')}::uuid[])`

const marksQuery = prepareOnce((db) =>
  unionAll(
    db
      .select({
        storyId: favorites.storyId,
        positionSeconds: sql<number | null>`null::float8`,
        totalSeconds: sql<number | null>`null::float8`,
      })
      .from(favorites)
      .where(and(eq(favorites.userId, sql.placeholder('userId')), sql`${favorites.storyId} = ${shown}`)),
    db
      .select({
        storyId: contentProgress.contentId,
        positionSeconds: sql<number | null>`${contentProgress.lastPositionSec}`,
        totalSeconds: contentProgress.totalSec,
      })
      .from(contentProgress)
      .where(
        and(
          eq(contentProgress.anonId, sql.placeholder('anonId')),
          sql`${contentProgress.contentId} = ${shown}`,
          eq(contentProgress.completed, false),
        ),
      ),
  ).prepare('list-marks'),
)
