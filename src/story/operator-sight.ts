import { type SQL, sql } from 'drizzle-orm'

/** Title shown in lists and in the audit for an item that a member keeps private. */
export const membersTitle = 'A member’s story'

/**
 * Condition of the items that an operator may open: the library, items that members share or offer, and other items
 * only while they are reported or held.
 */
export function isOpenToOperators(): SQL {
  const { row, isPrivate } = of('stories')
  return sql`(not ${isPrivate} or ${row}.status = 'held' or exists (
    select 1 from content_flags where content_flags.story_id = ${row}.id and content_flags.resolved_at is null))`
}

/** An item's title as operators see it in lists. `table` is the name of stories in the query. */
export function operatorTitle(table = 'stories'): SQL<string> {
  const { row, isPrivate } = of(table)
  return sql<string>`case when ${isPrivate} then ${sql.raw(`'${membersTitle}'`)} else ${row}.title end`
}

/** An item's title for the audit, which retains it even after the item is no longer shared. */
export function auditTitle({ source, title }: { source: string; title: string }): string {
  return source === 'user_generated' ? membersTitle : title
}

function of(table: string) {
  const row = sql.identifier(table)
  return { row, isPrivate: sql`(${row}.source = 'user_generated' and not ${row}.is_shared)` }
}
