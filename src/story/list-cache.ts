import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { perDatabase } from '#db/per-database'
import { cacheLargeCounts, staleWhileRevalidate } from '#src/process/cache'
import { exactCountMax } from '#src/shape/list-page'
import type { Item, ItemList } from './schema'

/** Counts the items that a condition matches, up to `exactCountMax` plus one. */
async function countUpTo(db: Executor, where: SQL | undefined): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (select 1 from stories where ${where} limit ${exactCountMax + 1}) as listed`,
  )
  return row?.count ?? 0
}

/** Counts like `countUpTo`, cached under a key until the library changes. */
export function countCached(db: Executor, key: unknown, where: SQL | undefined): Promise<number> {
  return cachesOf(db).counts(JSON.stringify(key), () =>
    fromReplica(db, 'lists', (from) => countUpTo(from, where)),
  )
}

/** Counts like `countUpTo`, for lists shown to people who change them. Only counts above `exactCountMax` are cached. */
export function countCurrent(db: Executor, key: unknown, where: SQL | undefined): Promise<number> {
  return cachesOf(db).largeCounts(JSON.stringify(key), () => countUpTo(db, where))
}

/**
 * Changes clear these caches at once (library-changed.ts). The time limits are for changes without a notification: a
 * lost connection, an edit by hand. A count costs more than a list.
 */
const listFreshMs = 10_000
const countFreshMs = 60_000

export type ItemTotals = { stories: number; flows: number; files: number; bytes: number }

/** The caches of one database's library. */
export const cachesOf = perDatabase(() => ({
  lists: staleWhileRevalidate<ItemList>({
    ...{ freshMs: listFreshMs, entriesMax: 200 },
    isSame: Bun.deepEquals,
  }),
  counts: staleWhileRevalidate<number>({ freshMs: countFreshMs, entriesMax: 2_000 }),
  largeCounts: cacheLargeCounts({ countMax: exactCountMax, freshMs: listFreshMs, entriesMax: 200 }),
  totals: staleWhileRevalidate<ItemTotals>({ freshMs: listFreshMs, entriesMax: 1 }),
  sitemapStarts: staleWhileRevalidate<{ starts: { publishedAt: string; id: string }[] }>({
    freshMs: countFreshMs,
    entriesMax: 2,
  }),
  // A full file has about 7 MB.
  sitemaps: staleWhileRevalidate<Blob>({ freshMs: countFreshMs, entriesMax: 4 }),
  categories: staleWhileRevalidate<string[]>({ freshMs: countFreshMs, entriesMax: 200 }),
}))

/** Clears the caches, after a change to the library. */
export const clearListCaches = cachesOf.forget

const listedItemsMax = 5_000
const listedItemsOf = perDatabase(() => new LRUCache<string, Item>({ max: listedItemsMax }))

/**
 * Replaces unchanged items by the objects that earlier lists had for them, so that a card is rendered once for all
 * lists, and again only when its item changes (src/ui/fragments.tsx).
 */
export function asListedBefore(db: Executor, items: readonly Item[]): Item[] {
  const listed = listedItemsOf(db)
  return items.map((item) => {
    const before = listed.get(item.id)
    if (before && Bun.deepEquals(before, item)) return before
    listed.set(item.id, item)
    return item
  })
}
