import { and, desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { favorites, stories } from '#db/schema'
import type { AppError } from '#src/app-error'
import { refusedField } from '#src/shape/invalid-field'
import { isShownTo } from '#src/story/never-shown'
import { missingItem } from '#src/story/require-item'
import { contentKey, parseContentKey } from '#src/story/rules'
import type { NeverShown } from '#src/story/schema'
import { hasPage } from '#src/story/shown-items'

/** Lists a member's favourites as content keys, the newest first. */
export async function listFavorites(
  db: Executor,
  userId: string,
  neverShown: NeverShown | null = null,
): Promise<{ contentKey: string; createdAt: Date }[]> {
  const rows = await db
    .select({ id: stories.id, type: stories.type, source: stories.source, createdAt: favorites.createdAt })
    .from(favorites)
    .innerJoin(stories, eq(stories.id, favorites.storyId))
    .where(
      and(
        eq(favorites.userId, userId),
        eq(stories.status, 'published'),
        hasPage(userId),
        isShownTo(neverShown),
      ),
    )
    .orderBy(desc(favorites.createdAt), desc(favorites.id))
    .limit(favoritesMax)
  return rows.map((row) => ({ contentKey: contentKey(row), createdAt: row.createdAt }))
}

/** Finds which of some items are a member's favourites. */
export async function findFavorites(
  db: Executor,
  userId: string,
  storyIds: readonly string[],
): Promise<Set<string>> {
  if (storyIds.length === 0) return new Set()
  const rows = await favoritesQuery(db).execute({ userId, storyIds: `{${storyIds.join(',')}}` })
  return new Set(rows.map((row) => row.storyId))
}

const favoritesQuery = prepareOnce((db) =>
  db
    .select({ storyId: favorites.storyId })
    .from(favorites)
    .where(
      and(
        eq(favorites.userId, sql.placeholder('userId')),
        sql`${favorites.storyId} = any(${sql.placeholder('storyIds')}::uuid[])`,
      ),
    )
    .prepare('favorites'),
)

/** Adds a favourite; adding it again does nothing. Throws `invalid` or `not_found` for a key. */
export async function addFavorite(db: Executor, userId: string, key: string): Promise<void> {
  const parsed = parseContentKey(key)
  if (!parsed) throw badKey()
  const found = await db.execute(sql`
    insert into favorites (id, story_id, user_id)
    select ${Bun.randomUUIDv7()}, id, ${userId} from stories
    where id = ${parsed.id} and type = ${parsed.type} and source = ${parsed.source} and status = 'published'
      and (source = 'pre_uploaded' or user_id = ${userId} or is_shared)
    on conflict (user_id, story_id) do update set story_id = excluded.story_id returning 1`)
  if (found.length === 0) throw missingItem()
}

/** Removes a favourite; does nothing if there is none. */
export async function removeFavorite(db: Executor, userId: string, key: string): Promise<void> {
  const parsed = parseContentKey(key)
  if (!parsed) throw badKey()
  await db.delete(favorites).where(and(eq(favorites.userId, userId), eq(favorites.storyId, parsed.id)))
}

/** Limit of the list; more than anyone has. */
const favoritesMax = 5_000

function badKey(): AppError {
  return refusedField('contentKey', 'A content key is source:type:id, such as pre_uploaded:story:019c…')
}
