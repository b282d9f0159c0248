import { asc, desc, type SQL, sql } from 'drizzle-orm'
import { stories } from '#db/schema'
import { readCursor } from '#src/shape/list-page'
import type { Sort } from './rules'

/** The order of a list of items. Ties are broken by id. */
export function orderOf(sort: Sort): SQL[] {
  if (sort === 'newest') return [desc(stories.publishedAt), desc(stories.id)]
  if (sort === 'oldest') return [asc(stories.publishedAt), asc(stories.id)]
  return [asc(stories.minutes), asc(stories.id)]
}

/** Condition of the items after a cursor in that order. Throws `invalid` for a cursor that is not one of ours. */
export function isAfter(cursor: string | undefined, sort: Sort): SQL | undefined {
  if (!cursor) return undefined
  const from = readCursor(cursor, sort === 'duration' ? 'minutes' : 'timestamp')
  if (sort === 'duration')
    return sql`(${stories.minutes}, ${stories.id}) > (${Number(from.value)}, ${from.id}::uuid)`
  const place = sql`(${from.value}::timestamptz, ${from.id}::uuid)`
  const key = sql`(${stories.publishedAt}, ${stories.id})`
  return sort === 'newest' ? sql`${key} < ${place}` : sql`${key} > ${place}`
}

/** The sort value of an item for a cursor in that order. */
export function cursorValue(row: { publishedAt: Date; duration: number }, sort: Sort): string {
  return sort === 'duration' ? String(row.duration) : row.publishedAt.toISOString()
}
