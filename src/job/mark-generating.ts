import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

/**
 * Updates an item's `is_generating`, which is true while one of its jobs is queued or running. Called on each change of
 * a job's state.
 */
export async function markGenerating(db: Executor, storyId: string): Promise<void> {
  await db.execute(sql`
    update stories set is_generating = wanted.is_generating
    from (select exists (select 1 from jobs where story_id = ${storyId} and state in ('queued', 'running')) as is_generating) as wanted
    where id = ${storyId} and stories.is_generating <> wanted.is_generating`)
}

/**
 * Sets `is_generating` in the statement that inserts a job as `made`, so that no other statement sees one without the
 * other.
 */
export const markQueued = sql`
  update stories set is_generating = true from made where stories.id = made.story_id and not is_generating`

/**
 * Locks a job's item; called in a transaction before it changes the job. Nobody sees an ended job whose item is still
 * marked as generating. If two jobs end at the same time, the second one sees that the first has ended.
 */
export async function lockItemOf(tx: Executor, storyId: string | null): Promise<void> {
  if (storyId) await tx.execute(sql`select 1 from stories where id = ${storyId} for no key update`)
}
