import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import type { Voice } from '#src/story/rules'
import { enqueueNarration } from './enqueue'

/** Behind everything that somebody waits for. */
const backgroundPriority = 500

/**
 * Queues a narration for every published item of the library that has text and no narration in its own
 * voice; answers how many that were.
 */
export async function narrateMissing(db: Database, priority = backgroundPriority): Promise<number> {
  const missing = await db.execute<{ id: string; voice: Voice }>(sql`
    select id, voice from stories
    where status = 'published' and source = 'pre_uploaded' and word_count > 0
      and not exists (select 1 from narrations where story_id = stories.id and narrations.voice = stories.voice and is_current)
    order by published_at desc`)
  let queued = 0
  for (const { id, voice } of missing) {
    if (await enqueueNarration(db, id, voice, { priority })) queued += 1
  }
  return queued
}
