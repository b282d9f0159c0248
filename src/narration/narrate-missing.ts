import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import type { Voice } from '#src/story/rules'
import { enqueueNarration } from './enqueue'

/** Behind everything that somebody waits for. */
const backgroundPriority = 500

/** Published items of the library that have text and no narration in a voice: their own, or the one that is named. */
export async function listMissing(
  db: Database,
  voice: Voice | null = null,
): Promise<{ id: string; title: string; voice: Voice }[]> {
  const rows = await db.execute<{ id: string; title: string; voice: Voice }>(sql`
    select id, title, coalesce(${voice}::text, voice) as voice from stories
    where status = 'published' and source = 'pre_uploaded' and word_count > 0
      and not exists (select 1 from narrations where story_id = stories.id and narrations.voice = coalesce(${voice}::text, stories.voice) and is_current)
    order by published_at desc`)
  return [...rows]
}

/** Queues a narration for each of them; answers how many that were. */
export async function narrateMissing(db: Database, priority = backgroundPriority): Promise<number> {
  let queued = 0
  for (const { id, voice } of await listMissing(db)) {
    if (await enqueueNarration(db, id, voice, { priority })) queued += 1
  }
  return queued
}
