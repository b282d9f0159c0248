import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

/** An item is "being made" while a job of its waits or runs. Called wherever a job changes its state. */
export async function markGenerating(db: Executor, storyId: string): Promise<void> {
  await db.execute(sql`
    update stories set is_generating = wanted.is_generating
    from (select exists (select 1 from jobs where story_id = ${storyId} and state in ('queued', 'running')) as is_generating) as wanted
    where id = ${storyId} and stories.is_generating <> wanted.is_generating`)
}
