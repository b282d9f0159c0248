import { and, desc, gt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { stories } from '#db/schema'
import { isShownTo } from '#src/story/never-shown'
import { isListed, listItemsByIds } from '#src/story/queries'
import { exactCountMax } from '#src/story/rules'
import type { Item, NeverShown } from '#src/story/schema'

export type NewItems = { since: Date | null; items: Item[]; count: number }

const newItemsMax = 6

/** Items published since a date, the newest first, and how many; on a first visit (null) simply the newest. */
export function listNewItems(
  db: Executor,
  since: Date | null,
  neverShown: NeverShown | null = null,
): Promise<NewItems> {
  return fromReplica(db, 'lists', (from) => readNewItems(from, since, neverShown))
}

async function readNewItems(
  db: Executor,
  since: Date | null,
  neverShown: NeverShown | null,
): Promise<NewItems> {
  const isNew: SQL | undefined = and(
    isListed,
    since ? gt(stories.publishedAt, since) : undefined,
    isShownTo(neverShown),
  )
  const rows = await db
    .select({ id: stories.id })
    .from(stories)
    .where(isNew)
    .orderBy(desc(stories.publishedAt), desc(stories.id))
    .limit(newItemsMax)
  // Without a date nobody is told how many.
  const [counted] = since
    ? await db.execute<{ count: number }>(
        sql`select count(*)::int as count from (select from stories where ${isNew} limit ${exactCountMax}) as new`,
      )
    : []
  const items = await listItemsByIds(
    db,
    rows.map(({ id }) => id),
  )
  return { since, items, count: counted?.count ?? 0 }
}
