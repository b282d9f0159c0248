import { sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { priorities } from '#src/job/rules'
import type { Voice } from '#src/story/rules'
import { enqueueNarration } from './enqueue'

/** Roughly the number of items that a list shows before scrolling. */
const firstScreenItems = 12

/**
 * Lists published library items that have a text and no narration in a voice: their own, or the given one. Free samples
 * come first, then the stories of the first screen, then its flows, then the next screen, and so on.
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

/** Queues a narration for each of these items, behind all other jobs. Returns their number. */
export async function narrateMissing(db: Database): Promise<number> {
  let queued = 0
  for (const { id, voice } of await listMissing(db)) {
    if (await enqueueNarration(db, id, voice, { priority: priorities.background })) queued += 1
  }
  return queued
}
