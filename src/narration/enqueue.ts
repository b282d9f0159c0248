import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { enqueue } from '#src/job/enqueue'
import { sha256 } from '#src/keyed-hash'
import type { Voice } from '#src/story/rules'
import { narratorOfVoice } from './rules'

export const narrateKind = 'narrate'
/** What a job of this kind holds; the text is read when it runs. */
export type NarratePayload = { voice: Voice; narrator: string }

/**
 * Has an item narrated in a voice, once for the same text, voice and narrator while that waits or runs.
 * Answers the job's id, or null where there is no such item or it has no text. `priority`: lower goes first.
 */
export async function enqueueNarration(
  db: Executor,
  storyId: string,
  voice: Voice,
  priority?: number,
): Promise<string | null> {
  const [story] = await db
    .select({
      content: stories.content,
      female: stories.narratorFemale,
      male: stories.narratorMale,
    })
    .from(stories)
    .where(eq(stories.id, storyId))
  if (!story?.content.trim()) return null
  const payload: NarratePayload = { voice, narrator: story[voice] ?? narratorOfVoice[voice] }
  const dedupeKey = sha256([storyId, voice, payload.narrator, story.content].join('\n'))
  return enqueue(db, {
    kind: narrateKind,
    dedupeKey,
    storyId,
    payload,
    ...(priority !== undefined && { priority }),
  })
}
