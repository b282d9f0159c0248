import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { stories } from '#db/schema'
import { isId } from '#src/shape/id'
import { recordOf } from '#src/shape/pick'
import { itemColumns, type TextShown, textsShown, toItem } from './item-row'
import type { Item } from './schema'
import { hasPage, isListed } from './shown-items'

/** Finds an item that `memberId` (null for a visitor) may open, by its id or its slug. Null if there is none. */
export async function findItem(
  db: Executor,
  by: { id: string } | { type: string; slug: string },
  text: TextShown,
  memberId: string | null = null,
): Promise<Item | null> {
  if ('id' in by && !isId(by.id)) return null
  const query = 'id' in by ? itemQueries.id[text] : itemQueries.slug[text]
  const [row] = await query(db).execute({ ...by, memberId })
  return row ? toItem(row, text) : null
}

const itemQueries = {
  id: recordOf(textsShown, (text) => itemQuery(text, eq(stories.id, sql.placeholder('id')))),
  slug: recordOf(textsShown, (text) =>
    itemQuery(
      text,
      and(eq(stories.slug, sql.placeholder('slug')), sql`${stories.type} = ${sql.placeholder('type')}`),
    ),
  ),
}

function itemQuery(text: TextShown, is: SQL | undefined) {
  return prepareOnce((db) =>
    db
      .select(itemColumns(text))
      .from(stories)
      .where(and(is, hasPage(sql.placeholder('memberId'))))
      .limit(1)
      .prepare('item'),
  )
}

/** Lists published items by their ids, in the order of the ids. */
export function listItemsByIds(db: Executor, ids: readonly string[], text: TextShown): Promise<Item[]> {
  return itemsWhere(db, ids, isListed, text)
}

/** Like `listItemsByIds`, for all items that `memberId` (null for a visitor) may open: own and shared ones too. */
export function listOpenItems(
  db: Executor,
  ids: readonly string[],
  memberId: string | null,
): Promise<Item[]> {
  return itemsWhere(db, ids, hasPage(memberId), 'none')
}

async function itemsWhere(
  db: Executor,
  ids: readonly string[],
  where: SQL,
  text: TextShown,
): Promise<Item[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select(itemColumns(text))
    .from(stories)
    .where(and(where, sql`${stories.id} = any(${`{${ids.join(',')}}`}::uuid[])`))
    .prepare('items')
    .execute()
  const items = new Map(rows.map((row) => [row.id, toItem(row, text)]))
  return ids.flatMap((id) => items.get(id) ?? [])
}
