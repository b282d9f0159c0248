import type { Executor } from '#db/db'
import type { Env } from '#src/env'
import { priorities } from '#src/job/rules'
import { enqueueNarration } from '#src/narration/enqueue'
import { holdForbidden } from '#src/review/hold-forbidden'
import { moderateWithSecondOpinion } from '#src/review/second-opinion'
import { consumeRateLimit } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { lockMemberRow } from '#src/session/session'
import { publish } from '#src/story/publish'
import { countWords, type Voice } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import { recordDraftOutcome } from './drafts'
import { creationLimit, narrationLimit, requireLength } from './limits'
import { spokenMinutes } from './rules'
import type { UserStoryDraft } from './schema'
import { senderOf } from './sender'

type UserStoryServices = Pick<Services, 'db' | 'env' | 'log'>
export type Created = { id: string; isHeld: boolean; warnings: string[]; jobId: string | null }

/**
 * Creates a member's own item, private until it is shared, and queues its narration if requested. An item that
 * guidelines hold is stored but not narrated. Throws what `moderateText` does, `invalid` for a text that is too long,
 * and `throttled` if today's narrations are used up; then nothing is created.
 */
export async function createUserStory(
  services: UserStoryServices,
  memberId: string,
  { voice: named, narrate: isNarrated, draftId, ...draft }: UserStoryDraft,
): Promise<Created> {
  const { db, env } = services
  requireLength(env, draft.content)
  const voice = readNarratedVoice(named ?? 'female')
  const sender = senderOf(memberId, 'create')
  const text = await moderateWithSecondOpinion(services, draft, sender)
  return db.transaction(async (tx) => {
    await lockMemberRow(tx, memberId, 'key share')
    await consumeRateLimit(tx, [creationLimit(memberId)])
    const duration = spokenMinutes(countWords(text.content))
    const { id, warnings } = await publish(tx, { ...draft, ...voice, duration, userId: memberId }, text)
    if (draftId) await recordDraftOutcome(tx, memberId, draftId, 'kept')
    const held = await holdForbidden(tx, [id], sender.actor, text.judgedBy)
    const isHeld = text.isHeld || held.length > 0
    const isQueued = isNarrated && !isHeld
    const jobId = isQueued ? await queueNarration(tx, env, memberId, { id, voice: voice.voice }) : null
    return { id, isHeld, warnings, jobId }
  })
}

/** Queues a narration of an own item, and counts it for the day. Throws `throttled`. */
export async function queueNarration(
  tx: Executor,
  env: Env,
  memberId: string,
  { id, voice }: { id: string; voice: Voice },
): Promise<string | null> {
  await consumeRateLimit(tx, [narrationLimit(env, memberId)])
  return enqueueNarration(tx, id, voice, { priority: priorities.person })
}
