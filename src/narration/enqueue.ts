import { eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrations, stories } from '#db/schema'
import { enqueue, type NewJob } from '#src/job/enqueue'
import { findScript } from '#src/script/queries'
import { sha256 } from '#src/security/keyed-hash'
import { isCurrentNarration } from '#src/story/current-narrations'
import type { Voice } from '#src/story/rules'

export const narrateKind = 'narrate'
/** The input of a narration job; the text is read when it runs. Without a narrator the configured one is used. */
type NarratePayload = { voice: Voice; narrator: string | null }

export type NarrationWish = {
  /** Instead of the item's own for that voice. */
  narrator?: string
  /** Lower runs first. */
  priority?: number
}

/**
 * Queues a narration of an item in a voice, once for the same text, script, voice, narrator and present recording
 * while that waits or runs. Returns the job's id, or null where there is no such item or it has no text.
 */
export async function enqueueNarration(
  db: Executor,
  storyId: string,
  voice: Voice,
  { narrator, priority }: NarrationWish = {},
): Promise<string | null> {
  const work = await readWork(db, storyId, { voice, narrator: narrator ?? null })
  if (!work) return null
  return enqueue(db, { kind: narrateKind, storyId, ...work, ...(priority !== undefined && { priority }) })
}

/**
 * A job whose script was made as it ran is from here on the one of that script: who asks for the narration again while
 * it is spoken gets this job, and does not pay for two.
 */
export async function renewKey(
  db: Executor,
  jobId: string,
  { storyId, voice, narrator }: NarratePayload & { storyId: string },
): Promise<void> {
  const work = await readWork(db, storyId, { voice, narrator })
  if (!work) return
  const { dedupeKey } = work
  await db.execute(sql`
    update jobs set dedupe_key = ${dedupeKey} where id = ${jobId} and not exists (
      select 1 from jobs as same
      where same.kind = ${narrateKind} and same.dedupe_key = ${dedupeKey} and same.state in ('queued', 'running'))`)
}

/** What a narration job does, and the hash that identifies it; null where there is no such item or it has no text. */
async function readWork(
  db: Executor,
  storyId: string,
  { voice, narrator }: NarratePayload,
): Promise<Pick<NewJob, 'dedupeKey' | 'payload'> | null> {
  const [story] = await db
    .select({
      content: stories.content,
      female: stories.narratorFemale,
      male: stories.narratorMale,
      replaces: narrations.id,
    })
    .from(stories)
    .leftJoin(narrations, isCurrentNarration(storyId, voice))
    .where(eq(stories.id, storyId))
  if (!story?.content.trim()) return null
  const payload: NarratePayload = { voice, narrator: narrator ?? story[voice] }
  const { content, replaces } = story
  const script = await findScript(db, storyId, content)
  const dedupeKey = sha256([storyId, voice, payload.narrator, content, script?.script, replaces].join('\n'))
  return { dedupeKey, payload }
}
