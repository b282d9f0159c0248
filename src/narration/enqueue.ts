import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrations, stories } from '#db/schema'
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
 * Queues a narration of an item in a voice, once for the same text, script, voice, narrator and present recording
 * while that waits or runs. Returns the job's id, or null where there is no such item or it has no text.
 */
export async function enqueueNarration(
  db: Executor,
  storyId: string,
  voice: Voice,
  { narrator, priority }: NarrationWish = {},
): Promise<string | null> {
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
  const script = await findScript(db, storyId, story.content)
  const { content, replaces } = story
  const dedupeKey = sha256([storyId, voice, payload.narrator, content, script?.script, replaces].join('\n'))
  return enqueue(db, {
    kind: narrateKind,
    dedupeKey,
    storyId,
    payload,
    ...(priority !== undefined && { priority }),
  })
}
