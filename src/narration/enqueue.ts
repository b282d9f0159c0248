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
/** The input of a narration job. The text is read when the job runs. Without a narrator, the configured one is used. */
type NarratePayload = { voice: Voice; narrator: string | null }

export type NarrationWish = {
  /** Replaces the item's own narrator for that voice. */
  narrator?: string
  /** Lower runs first. */
  priority?: number
}

/**
 * Queues a narration of an item in a voice. An equal job that waits or runs is not queued again; equal means the same
 * text, script, voice and narrator, and the same choice of the current recording. Returns the job's id, or null if
 * there is no such item or it has no text.
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

/** The input that determines how a narration sounds. */
type Spoken = NarratePayload & { storyId: string; content: string; script: string | undefined }

/**
 * Key that identifies a job. The recording that it would replace, and the time when that was chosen, are part of it.
 */
async function keyOf(db: Executor, { storyId, voice, narrator, content, script }: Spoken): Promise<string> {
  const [replaced] = await db
    .select({ id: narrations.id, chosenAt: narrations.chosenAt })
    .from(narrations)
    .where(isCurrentNarration(storyId, voice))
  const since = replaced?.chosenAt?.toISOString() ?? ''
  return sha256([storyId, voice, narrator, content, script, `${replaced?.id ?? ''}${since}`].join('\n'))
}

/**
 * Gives a running job the key of the script that it has just made. A request for the same narration then returns this
 * job instead of paying for a second one. If another job already has that key, this one retains its own.
 */
export async function renewKey(db: Executor, jobId: string, spoken: Spoken): Promise<void> {
  const dedupeKey = await keyOf(db, spoken)
  try {
    await db.update(jobs).set({ dedupeKey }).where(eq(jobs.id, jobId))
  } catch (error) {
    if (!isUniqueViolation(error, 'jobs_once')) throw error
  }
}
