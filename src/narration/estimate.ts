import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { enhanceText } from '#src/script/enhance'
import { findStoredScript } from '#src/script/make-script'
import { requireOpenText } from '#src/script/open-text'
import type { Services } from '#src/services'
import type { Voice } from '#src/story/rules'
import { narratorFor } from './narrate'
import { planSpeech, type SpeechPlan, spokenSeconds } from './plan-speech'
import type { Narrator, VoiceProviderName } from './rules'
import { noVoice, providersFor } from './voice/speak-plan'

/** Estimate of a narration, before any money is spent: the provider, the cost, the length. */
export type Estimate = {
  provider: VoiceProviderName
  /** The name of the provider's voice. It may stand in for the requested one. */
  narrator: Narrator
  characters: number
  costUsd: number
  durationSeconds: number
}

/** Estimates by the first provider in the configured order. Throws `not_configured` if none has the narrator. */
export function estimatePlan(env: Env, plan: SpeechPlan, narrator: Narrator): Estimate {
  const first = requireSpeaker(env, narrator)
  return {
    provider: first.provider.name,
    narrator: first.voice.narrator,
    ...first.provider.price(plan),
    durationSeconds: Math.round(spokenSeconds(plan) * 10) / 10,
  }
}

/** Finds the first provider in the configured order that has the narrator. Throws `not_configured` if none has. */
export function requireSpeaker(env: Env, narrator: Narrator) {
  const [first] = providersFor(env, narrator)
  if (!first) throw noVoice(env, narrator)
  return first
}

/**
 * Estimates the narration of an item, with its stored script. Throws `not_found`, and `invalid` for a text without
 * words.
 */
export async function estimateNarration(
  { db, env }: Pick<Services, 'db' | 'env'>,
  storyId: string,
  voice: Voice,
  named: string | null,
): Promise<Estimate> {
  const story = await requireOpenText(db, storyId)
  const script = await findStoredScript(db, story)
  const spoken = script?.script ?? (await enhanceText(story.content, story.type))
  const plan = await planSpeech(spoken, story.type)
  if (plan.sentences.length === 0)
    throw new AppError('invalid', 'There are no words to narrate in this text.')
  return estimatePlan(env, plan, narratorFor(env, voice, named))
}
