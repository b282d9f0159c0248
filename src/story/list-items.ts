import { and, arrayOverlaps, between, eq, type SQL, sql } from 'drizzle-orm'
import { listRowChanges, type Since } from '#db/changes'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { stories } from '#db/schema'
import type { Removal } from '#src/shape/changes'
import { cutPage, exactCountMax, readCursor, shownCount, writeCursor } from '#src/shape/list-page'
import { listItemsByIds } from './find-items'
import { itemColumns, type TextShown, toItem } from './item-row'
import { asListedBefore, cachesOf, countCached } from './list-cache'
import { cursorValue, isAfter, orderOf } from './list-order'
import { isShownTo } from './never-shown'
import {
  categories as allCategories,
  type ItemType,
  type Length,
  lengthMinutes,
  listLimitMax,
  type Sort,
} from './rules'
import type { Item, ItemList, NeverShown } from './schema'
import { asFilter, asSubquery, searchFor } from './search'
import { isListed } from './shown-items'

export type ListFilter = {
  type?: ItemType
  /** An item has to have at least one of these. */
  categories?: readonly string[]
  /** Beginnings of words in title, description, excerpt or categories. */
  q?: string
  length?: Length
  sort?: Sort
  limit?: number
  cursor?: string
  /** The hidden categories and words of the requesting member. Visitors and operators hide nothing. */
  neverShown?: NeverShown | null
}

/**
 * One page of the published library, newest first unless sorted otherwise. `count` is exact up to 10,000; above that,
 * `isAtLeast` is true. Throws `invalid` for a cursor that is not one of ours.
 */
export function listItems(db: Executor, filter: ListFilter, text: TextShown): Promise<ItemList> {
  const fetch = () => fetchItems(db, filter, text)
  // Lists with whole texts are large and rarely requested. All others are the same for everyone, and cached.
  return text === 'whole' ? fetch() : cachesOf(db).lists(JSON.stringify([filter, text]), fetch)
}

async function fetchItems(db: Executor, filter: ListFilter, text: TextShown): Promise<ItemList> {
  const limit = limitOf(filter)
  const sort = filter.sort ?? 'newest'
  const where = matching(filter)
  const { type, categories, q, length, neverShown } = filter
  const counting = countCached(db, ['listed', type, categories, q, length, neverShown], where)
  const isRare = q !== undefined && (await counting) <= exactCountMax
  const found = isRare
    ? asSubquery(where)
    : and(matching({ ...filter, q: undefined }), q ? asFilter(q) : undefined)
  const select = (from: Executor) =>
    from
      .select(itemColumns(text))
      .from(stories)
      .where(and(found, isAfter(filter.cursor, sort)))
      .orderBy(...orderOf(sort))
      .limit(limit + 1)
  const [rows, total] = await Promise.all([
    // Members and operators read whole texts, and may just have written one through another process, so these come from
    // the primary.
    text === 'whole' ? select(db) : fromReplica(db, q === undefined ? 'lists' : 'search', select),
    counting,
  ])
  const { page, nextCursor } = cutPage(rows, limit, (last) =>
    writeCursor({ value: cursorValue(last, sort), id: last.id }),
  )
  const items = page.map((row) => toItem(row, text))
  return {
    items: text === 'none' ? asListedBefore(db, items) : items,
    ...shownCount(total),
    nextCursor,
  }
}

export type ItemChanges = { items: (Item | Removal)[]; nextCursor: string | null }

/**
 * One page of the items that changed in the published library since then, and of those that left it. Throws `invalid`
 * for a cursor that is not one of ours.
 */
export async function listChangedItems(
  db: Executor,
  filter: ListFilter,
  since: Since,
  text: TextShown,
): Promise<ItemChanges> {
  const limit = limitOf(filter)
  const after = filter.cursor ? readCursor(filter.cursor, 'timestamp') : null
  const list = { table: stories, kind: 'published', where: matching(filter) } as const
  const changes = await listRowChanges(db, list, since, { limit: limit + 1, after })
  const { page, nextCursor } = cutPage(changes, limit, ({ at, id }) => writeCursor({ value: at, id }))
  const ids = page.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id)
  const changed = new Map((await listItemsByIds(db, ids, text)).map((item) => [item.id, item]))
  return {
    items: page.flatMap(({ id, at, isRemoved }): (Item | Removal)[] => {
      const item = changed.get(id)
      return isRemoved ? [{ id, removedAt: at }] : item ? [item] : []
    }),
    nextCursor,
  }
}

/** Lists the categories that published items of a type have, without hidden ones, in the order of the closed list. */
export function listCategories(
  db: Executor,
  type: ItemType | undefined,
  neverShown: NeverShown | null = null,
): Promise<string[]> {
  return cachesOf(db).categories(JSON.stringify([type, neverShown]), async () => {
    const where = matching({ type, neverShown })
    const query = sql`
      with newest as materialized (
        select distinct unnest(categories) as category from (
          select stories.* from stories where ${matching({ type })}
          order by ${stories.publishedAt} desc, ${stories.id} desc limit ${newestLookedAt}) as stories
        where ${isShownTo(neverShown) ?? sql`true`})
      select category from unnest(array[${textsOf(allCategories)}]::text[]) with ordinality as list(category, at)
      where category <> all(array[${textsOf(neverShown?.categories ?? [])}]::text[])
        and case when category in (select category from newest) then true
          else exists (select 1 from stories where ${where} and ${ofType(type)} and categories @> array[category]) end
      order by at`
    const rows = await fromReplica(db, 'lists', (from) => from.execute<{ category: string }>(query))
    return rows.map((row) => row.category)
  })
}

/**
 * The type as a literal instead of a parameter, so that a prepared statement can use the index of categories for that
 * type.
 */
function ofType(type: ItemType | undefined): SQL {
  return sql.raw(type ? `stories.type = '${type}'` : 'true')
}

/**
 * Newest items that are searched first: nearly every category is among them, and only the others are sought in all
 * items.
 */
const newestLookedAt = 1_000

function textsOf(texts: readonly string[]): SQL {
  return sql.join(
    texts.map((each) => sql`${each}`),
    sql`, `,
  )
}

function matching(filter: ListFilter): SQL | undefined {
  return and(
    isListed,
    filter.type && eq(stories.type, filter.type),
    filter.categories?.length ? arrayOverlaps(stories.categories, [...filter.categories]) : undefined,
    filter.q === undefined ? undefined : searchFor(filter.q),
    filter.length && isOfLength(filter.length),
    isShownTo(filter.neverShown),
  )
}

/** Condition of the items whose shown minutes are of that length. */
export function isOfLength(length: Length): SQL {
  const { min, max } = lengthMinutes[length]
  return between(stories.minutes, min, max)
}

function limitOf({ limit = listLimitMax }: ListFilter): number {
  return Math.min(limit, listLimitMax)
}
