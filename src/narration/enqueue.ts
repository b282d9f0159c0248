import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { isUniqueViolation } from '#db/failures'
import { jobs, narrations, stories } from '#db/schema'
import { enqueue } from '#src/job/enqueue'
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
 * Queues a narration of an item in a voice, once for the same text, script, voice, narrator and choice of the present
 * recording while that waits or runs. Returns the job's id, or null where there is no such item or it has no text.
 */
export async function enqueueNarration(
  db: Executor,
  storyId: string,
  voice: Voice,
  { narrator, priority }: NarrationWish = {},
): Promise<string | null> {
  const [story] = await db
    .select({ content: stories.content, female: stories.narratorFemale, male: stories.narratorMale })
    .from(stories)
    .where(eq(stories.id, storyId))
  if (!story?.content.trim()) return null
  const payload: NarratePayload = { voice, narrator: narrator ?? story[voice] }
  const { content } = story
  const script = await findScript(db, storyId, content)
  return enqueue(db, {
    kind: narrateKind,
    dedupeKey: await keyOf(db, { storyId, ...payload, content, script: script?.script }),
    storyId,
    payload,
    ...(priority !== undefined && { priority }),
  })
}

/** What a narration says, and how. */
type Spoken = NarratePayload & { storyId: string; content: string; script: string | undefined }

/** It identifies the job; the recording that it takes the place of, and when that was chosen, are a part of it. */
async function keyOf(db: Executor, { storyId, voice, narrator, content, script }: Spoken): Promise<string> {
  const [replaced] = await db
    .select({ id: narrations.id, chosenAt: narrations.chosenAt })
    .from(narrations)
    .where(isCurrentNarration(storyId, voice))
  const since = replaced?.chosenAt?.toISOString() ?? ''
  return sha256([storyId, voice, narrator, content, script, `${replaced?.id ?? ''}${since}`].join('\n'))
}

/**
 * A job whose script was made as it ran is from here on the one of that script: who asks for the narration again while
 * it is spoken gets this job, and does not pay for two. Somebody who asked a moment ago has one already.
 */
export async function renewKey(db: Executor, jobId: string, spoken: Spoken): Promise<void> {
  const dedupeKey = await keyOf(db, spoken)
  try {
    await db.update(jobs).set({ dedupeKey }).where(eq(jobs.id, jobId))
  } catch (error) {
    if (!isUniqueViolation(error, 'jobs_once')) throw error
  }
}
