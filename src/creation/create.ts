import type { Executor } from '#db/db'
import type { Env } from '#src/env'
import type { Sender } from '#src/guideline/decide'
import type { Door } from '#src/guideline/rules'
import { admitWithOpinion } from '#src/guideline/second-opinion'
import { enqueueNarration } from '#src/narration/enqueue'
import type { Parts } from '#src/parts'
import { publish } from '#src/story/publish'
import { countWords, type Voice } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import { countAttempt } from '#src/throttle'
import { settleDraft } from './drafts'
import { creationLimit, narrationLimit, requireLength } from './limits'
import { memberPriority, spokenMinutes } from './rules'
import type { CreationDraft } from './schema'

type CreationParts = Pick<Parts, 'db' | 'env' | 'log'>
export type Created = { id: string; isHeld: boolean; warnings: string[]; jobId: string | null }

/**
 * A member's own item, seen by nobody else until it is shared; narrated at once where that is asked for. What the
 * guidelines hold is kept and not narrated. Throws what `admitText` does, `invalid` for a text that is too long,
 * and `throttled` where today's narrations are used up: then nothing is made.
 */
export async function createOwn(
  parts: CreationParts,
  memberId: string,
  { voice: named, narrate: isNarrated, draftId, ...draft }: CreationDraft,
): Promise<Created> {
  const { db, env } = parts
  requireLength(env, draft.content)
  const voice = readNarratedVoice(named ?? 'female')
  const text = await admitWithOpinion(parts, draft, senderOf(memberId, 'create'))
  return db.transaction(async (tx) => {
    await countAttempt(tx, [creationLimit(memberId)])
    const duration = spokenMinutes(countWords(text.content))
    const { id, warnings } = await publish(tx, { ...draft, ...voice, duration, userId: memberId }, text)
    if (draftId) await settleDraft(tx, memberId, draftId, 'kept')
    const isQueued = isNarrated && !text.isHeld
    const jobId = isQueued ? await queueNarration(tx, env, memberId, { id, voice: voice.voice }) : null
    return { id, isHeld: text.isHeld, warnings, jobId }
  })
}

/** Queues a narration of an own item, and counts it for the day. Throws `throttled`. */
export async function queueNarration(
  tx: Executor,
  env: Env,
  memberId: string,
  { id, voice }: { id: string; voice: Voice },
): Promise<string | null> {
  await countAttempt(tx, [narrationLimit(env, memberId)])
  return enqueueNarration(tx, id, voice, { priority: memberPriority })
}

/** A member at the door of the guidelines. */
export function senderOf(memberId: string, door: Door): Sender {
  return { actor: `member:${memberId}`, role: 'member', door }
}
