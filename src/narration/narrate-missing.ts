import { sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { priorities } from '#src/job/rules'
import type { Voice } from '#src/story/rules'
import { enqueueNarration } from './enqueue'

/** About what the lists show before anybody scrolls. */
const firstScreenItems = 12

/**
 * Published items of the library with a text and without a narration in a voice: their own, or the given one. Free
 * samples come first, then the first screen of the stories as the lists show them, that of the flows, and so on.
 */
export async function listMissing(
  db: Executor,
  voice: Voice | null = null,
): Promise<{ id: string; title: string; voice: Voice }[]> {
  const rows = await db.execute<{ id: string; title: string; voice: Voice }>(sql`
    select id, title, coalesce(${voice}::text, voice) as voice from stories
    where status = 'published' and source = 'pre_uploaded' and word_count > 0
      and not exists (select 1 from narrations where story_id = stories.id and narrations.voice = coalesce(${voice}::text, stories.voice) and is_current)
    order by is_free desc,
      (row_number() over (partition by type order by published_at desc, id desc) - 1) / ${firstScreenItems}::int,
      type desc, published_at desc, id desc`)
  return [...rows]
}

/** Queues a narration for each of them, behind everything else; returns their number. */
export async function narrateMissing(db: Database): Promise<number> {
  let queued = 0
  for (const { id, voice } of await listMissing(db)) {
    if (await enqueueNarration(db, id, voice, { priority: priorities.background })) queued += 1
  }
  return queued
}
