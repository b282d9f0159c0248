import { and, desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { favorites, stories } from '#db/schema'
import { Refusal } from '#src/refusal'
import { isShownTo, type NeverShown } from '#src/story/never-shown'
import { contentKey, parseContentKey } from '#src/story/rules'

/** A member's favourites, the newest first, as content keys. */
export async function listFavorites(
  db: Executor,
  userId: string,
  neverShown: NeverShown | null = null,
): Promise<{ contentKey: string; createdAt: Date }[]> {
  const rows = await db
    .select({ id: stories.id, type: stories.type, source: stories.source, createdAt: favorites.createdAt })
    .from(favorites)
    .innerJoin(stories, eq(stories.id, favorites.storyId))
    .where(and(eq(favorites.userId, userId), eq(stories.status, 'published'), isShownTo(neverShown)))
    .orderBy(desc(favorites.createdAt), desc(favorites.id))
    .limit(favoritesMax)
  return rows.map((row) => ({ contentKey: contentKey(row), createdAt: row.createdAt }))
}

/** Which of some items a member loves. */
export async function findFavorites(
  db: Executor,
  userId: string,
  storyIds: readonly string[],
): Promise<Set<string>> {
  if (storyIds.length === 0) return new Set()
  const rows = await db
    .select({ storyId: favorites.storyId })
    .from(favorites)
    .where(
      and(
        eq(favorites.userId, userId),
        sql`${favorites.storyId} = any(${`{${storyIds.join(',')}}`}::uuid[])`,
      ),
    )
  return new Set(rows.map((row) => row.storyId))
}

/** Adds a favourite; adding it again changes nothing. Throws `invalid` or `not_found` for a key. */
export async function addFavorite(db: Executor, userId: string, key: string): Promise<void> {
  const parsed = parseContentKey(key)
  if (!parsed) throw badKey()
  const found = await db.execute(sql`
    insert into favorites (id, story_id, user_id)
    select ${Bun.randomUUIDv7()}, id, ${userId} from stories
    where id = ${parsed.id} and type = ${parsed.type} and source = ${parsed.source} and status = 'published'
      and (source = 'pre_uploaded' or user_id = ${userId} or is_shared)
    on conflict (user_id, story_id) do update set story_id = excluded.story_id returning 1`)
  if (found.length === 0) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
}

/** Removes a favourite; where there is none, nothing changes. */
export async function removeFavorite(db: Executor, userId: string, key: string): Promise<void> {
  const parsed = parseContentKey(key)
  if (!parsed) throw badKey()
  await db.delete(favorites).where(and(eq(favorites.userId, userId), eq(favorites.storyId, parsed.id)))
}

/** More than anyone keeps; a list has to end somewhere. */
const favoritesMax = 5_000

function badKey(): Refusal {
  const message = 'A content key is source:type:id, such as pre_uploaded:story:019c…'
  return new Refusal('invalid', message, { fields: [{ path: 'contentKey', message }] })
}
