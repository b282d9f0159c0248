import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { stories } from '#db/schema'

/** Condition on `stories` for items in lists and rankings: those that operators have published. */
export const isListed = sql<boolean>`${stories.status} = 'published' and ${stories.source} = 'pre_uploaded'`

/** Condition of the items that have a page: listed ones, those that members share, and a member's own. */
export function hasPage(memberId: string | null | Placeholder | SQL): SQL {
  const isMine = sql`(${stories.userId} = ${memberId} and ${stories.status} <> 'removed')`
  const isOpen = sql`(${stories.status} = 'published' and (${stories.source} = 'pre_uploaded' or ${stories.isShared}))`
  return sql`(${isOpen} or ${isMine})`
}
