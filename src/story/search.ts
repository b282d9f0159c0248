import { type SQL, sql } from 'drizzle-orm'
import { stories } from '#db/schema'

/** Every word has to be the beginning of a word of the item. A text without words finds everything. */
export function searchFor(q: string): SQL | undefined {
  const query = prefixQuery(q)
  return query ? sql`${stories.search} @@ to_tsquery('simple', ${query})` : undefined
}

/**
 * The same items, gathered before they are sorted: for conditions with a search that finds few. The planner takes
 * every beginning of a word for one that 2 % of the items have, and would look for a rare one along the whole list.
 */
export function gathered(where: SQL | undefined): SQL {
  return sql`${stories.id} = any(array(select ${stories.id} from ${stories} where ${where}))`
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
