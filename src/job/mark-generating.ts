import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

/** Sets whether an item is being made: while one of its jobs waits or runs. Called wherever a job changes its state. */
export async function markGenerating(db: Executor, storyId: string): Promise<void> {
  await db.execute(sql`
    update stories set is_generating = wanted.is_generating
    from (select exists (select 1 from jobs where story_id = ${storyId} and state in ('queued', 'running')) as is_generating) as wanted
    where id = ${storyId} and stories.is_generating <> wanted.is_generating`)
}

/** The same of a job that the statement queues in its `made`: no other statement sees the one without the other. */
export const markQueued = sql`
  update stories set is_generating = true from made where stories.id = made.story_id and not is_generating`

/**
 * Within a transaction, before it changes a job: locks the job's item. Nobody sees a job that is over while its item
 * is still being made, and of two jobs that end at the same time the second one sees that the first is over.
 */
export async function lockItemOf(tx: Executor, storyId: string | null): Promise<void> {
  if (storyId) await tx.execute(sql`select 1 from stories where id = ${storyId} for no key update`)
}
