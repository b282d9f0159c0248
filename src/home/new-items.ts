import { and, gt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { stories } from '#db/schema'
import { exactCountMax } from '#src/shape/list-page'
import { listItems } from '#src/story/list-items'
import { isShownTo } from '#src/story/never-shown'
import type { Item, NeverShown } from '#src/story/schema'
import { isListed } from '#src/story/shown-items'

export type NewItems = { since: Date | null; items: Item[]; count: number }

const newItemsMax = 6

/**
 * Lists the items published since a date, the newest first, and counts them; on a first visit (null), lists the newest
 * items.
 */
export async function listNewItems(
  db: Executor,
  since: Date | null,
  neverShown: NeverShown | null = null,
): Promise<NewItems> {
  const newest = await listItems(db, { limit: newItemsMax, neverShown }, 'none')
  // Without a date there is no count to show.
  if (since === null) return { since, items: newest.items, count: 0 }
  const items = newest.items.filter(({ publishedAt }) => new Date(publishedAt) > since)
  const count = items.length < newItemsMax ? items.length : await countSince(db, since, neverShown)
  return { since, items, count }
}

async function countSince(db: Executor, since: Date, neverShown: NeverShown | null): Promise<number> {
  const isNew = and(isListed, gt(stories.publishedAt, since), isShownTo(neverShown))
  const [counted] = await fromReplica(db, 'lists', (from) =>
    from.execute<{ count: number }>(
      sql`select count(*)::int as count from (select from stories where ${isNew} limit ${exactCountMax}) as new`,
    ),
  )
  return counted?.count ?? 0
}
