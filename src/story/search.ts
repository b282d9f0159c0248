import { type SQL, sql } from 'drizzle-orm'
import { stories } from '#db/schema'

/** Every word has to be the beginning of a word of the item. A text without words finds everything. */
export function searchFor(q: string): SQL | undefined {
  const words = q
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  if (!words) return undefined
  const query = words
    .slice(0, 8)
    .map((word) => `${word}:*`)
    .join(' & ')
  return sql`${stories.search} @@ to_tsquery('simple', ${query})`
}
