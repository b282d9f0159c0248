import type { Env } from '#src/env'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { enhanceText } from '#src/script/enhance'
import { keptScript } from '#src/script/make-script'
import { findText } from '#src/script/queries'
import type { Voice } from '#src/story/rules'
import { narratorFor } from './narrate'
import { planSpeech, type SpeechPlan, spokenCharacters } from './plan-speech'
import { type Narrator, spokenCharactersPerSecond, type VoiceProviderName } from './rules'
import { providersFor } from './voice/speak-plan'

/** What a narration would take, before anything is spent: who would speak, what it charges, how long it lasts. */
export type Estimate = {
  provider: VoiceProviderName
  /** Whose voice it is; a provider may have a stand-in for the one who was asked for. */
  narrator: Narrator
  characters: number
  costUsd: number
  durationSeconds: number
}

/** By the first voice of the order. Throws `not_configured` where none has the narrator. */
export function estimatePlan(env: Env, plan: SpeechPlan, narrator: Narrator): Estimate {
  const [first] = providersFor(env, narrator)
  if (!first)
    throw new Refusal('not_configured', `No configured voice speaks as ${narrator}. See VOICE_ORDER.`)
  return {
    provider: first.provider.name,
    narrator: first.voice.narrator,
    ...first.provider.price(plan),
    durationSeconds: Math.round(lengthOf(plan) * 10) / 10,
  }
}

/** The same for an item, with its script as it is kept. Throws `not_found`, and `invalid` without words. */
export async function estimateNarration(
  { db, env }: Pick<Parts, 'db' | 'env'>,
  storyId: string,
  voice: Voice,
  named: string | null,
): Promise<Estimate> {
  const story = await findText(db, storyId)
  if (!story) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  const kept = await keptScript(db, story)
  const plan = planSpeech(kept?.script ?? enhanceText(story.content, story.type), story.type)
  if (plan.sentences.length === 0) throw new Refusal('invalid', 'There are no words to speak in this text.')
  return estimatePlan(env, plan, narratorFor(env, voice, named))
}

function lengthOf(plan: SpeechPlan): number {
  const silence = plan.pieces.reduce(
    (sum, piece) => sum + ('pauseSeconds' in piece ? piece.pauseSeconds : 0),
    0,
  )
  return silence + spokenCharacters(plan) / spokenCharactersPerSecond
}
