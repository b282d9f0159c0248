import { type SQL, sql } from 'drizzle-orm'
import { stories } from '#db/schema'

/** Every word has to be the beginning of a word of the item. A text without words finds everything. */
export function searchFor(q: string): SQL | undefined {
  const query = prefixQuery(q)
  return query ? sql`${stories.search} @@ to_tsquery('simple', ${query})` : undefined
}

/** Words as PostgreSQL asks for their beginnings, eight at most; null for a text without words. */
export function prefixQuery(q: string): string | null {
  const words = q
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return (
    words
      ?.slice(0, 8)
      .map((word) => `${word}:*`)
      .join(' & ') ?? null
  )
}
