import { and, inArray, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { isId } from '#src/story/rules'

/**
 * Those of the ids that a member may hear and read: what is published, what others share, and what the member
 * made. The same as `audioFor` in src/narration/may-hear.ts, for many.
 */
export async function listAllowed(db: Executor, memberId: string, ids: readonly string[]): Promise<string[]> {
  const asked = ids.filter(isId)
  if (asked.length === 0) return []
  const rows = await db
    .select({ id: stories.id })
    .from(stories)
    .where(
      and(
        inArray(stories.id, asked),
        sql`case when source = 'pre_uploaded' then status = 'published'
          else status <> 'removed' and (user_id = ${memberId} or (is_shared and status = 'published')) end`,
      ),
    )
  return rows.map(({ id }) => id)
}
