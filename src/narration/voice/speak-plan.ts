import { rm } from 'node:fs/promises'
import type { Env } from '#src/env'
import { Refusal } from '#src/refusal'
import type { SpeechPlan } from '../plan-speech'
import { type Narrator, providerNames, type VoiceProviderName } from '../rules'
import type { Spoken } from '../studio/request'
import { runStudio } from '../studio/run-studio'
import { elevenLabs } from './elevenlabs'
import { type ProviderLimits, providerLimits } from './limits'
import { openAiSpeech } from './openai-speech'
import { type Price, ProviderFailure, type SpeechControl, type VoiceProvider } from './provider'
import { takeFolder } from './take-folder'

export type SpeakRequest = {
  plan: SpeechPlan
  narrator: Narrator
  title: string
  /** Where the MP3 goes. */
  path: string
  /** Whether somebody comes back later: then a provider that asks for patience is not passed over. */
  patience: 'wait' | 'now'
}
/** What was spoken, by whom, for how much, and why not by those who come before them. */
export type SpokenBy = Spoken &
  Price & { provider: VoiceProviderName; narrator: Narrator; fallbacks: string[] }

/**
 * Has a plan spoken as a narrator: by the first provider of the configured order that has the voice, or, where
 * it fails, by the next. One narration is one voice from its first word to its last. Throws a Refusal with
 * what each of them said where none spoke; then there is no file.
 */
export async function speakPlan(
  env: Env,
  request: SpeakRequest,
  control: SpeechControl,
  limits: ProviderLimits = providerLimits,
): Promise<SpokenBy> {
  const fallbacks: string[] = []
  let last: ProviderFailure | null = null
  for (const { provider, voice } of providersFor(env, request.narrator, limits)) {
    try {
      return { ...(await speakBy(env, provider, voice, request, control)), fallbacks }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      if (error.kind === 'busy' && request.patience === 'wait') throw refusalOf(error, [error.message])
      fallbacks.push(error.message)
      last = error
    }
  }
  const failure = last ?? noVoice(env, request.narrator)
  throw refusalOf(failure, fallbacks.length > 0 ? fallbacks : [failure.message])
}

/** The providers that would be asked for a narrator, in their order. */
export function providersFor(
  env: Env,
  narrator: Narrator,
  limits: ProviderLimits = providerLimits,
): { provider: VoiceProvider; voice: { id: string; narrator: Narrator } }[] {
  const takes = takeFolder(env.dataDir)
  const configured: Record<VoiceProviderName, () => VoiceProvider | null> = {
    elevenlabs: () => elevenLabs(env, limits, takes),
    openai: () => openAiSpeech(env, limits, takes),
    'built-in': () => builtIn,
  }
  return env.voiceOrder.flatMap((name) => {
    const provider = configured[name]()
    const voice = provider?.voiceOf(narrator)
    return provider && voice ? [{ provider, voice }] : []
  })
}

/** It speaks in the studio itself, needs nothing and costs nothing. */
const builtIn: VoiceProvider = {
  name: 'built-in',
  voiceOf: (narrator) => ({ id: narrator, narrator }),
  price: () => ({ characters: 0, costUsd: 0 }),
  speak: async (_plan, narrator) => ({ kind: 'built-in', narrator }),
}

/** Providers take most of the time where they are asked; the studio where they are not. */
const recordingShare = 0.8

async function speakBy(
  env: Env,
  provider: VoiceProvider,
  voice: { id: string; narrator: Narrator },
  { plan, title, path }: SpeakRequest,
  { signal, progress }: SpeechControl,
): Promise<Omit<SpokenBy, 'fallbacks'>> {
  const share = provider.name === 'built-in' ? 0 : recordingShare
  const spokenVoice = await provider.speak(plan, voice.id, {
    signal,
    progress: (done) => progress(done * share),
  })
  try {
    const spoken = await runStudio(
      { plan, voice: spokenVoice, title, path },
      { signal, progress: (done) => progress(share + done * (1 - share)) },
    )
    if (spokenVoice.kind === 'recorded') await takeFolder(env.dataDir).remove(spokenVoice.takes)
    return { ...spoken, ...provider.price(plan), provider: provider.name, narrator: voice.narrator }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

function noVoice(env: Env, narrator: Narrator): ProviderFailure {
  const names = env.voiceOrder.map((name) => providerNames[name]).join(', ')
  return new ProviderFailure('key', `No configured voice speaks as ${narrator} (VOICE_ORDER: ${names}).`)
}

/** What passes by itself is tried again by the queue; the rest waits for an operator, who may retry it. */
function refusalOf({ kind, retryAfterSeconds, cause }: ProviderFailure, said: readonly string[]): Refusal {
  const message = [...new Set(said)].join(' ') || 'No voice spoke.'
  if (kind === 'busy') return new Refusal('throttled', message, { cause, retryAfterSeconds })
  if (kind === 'away' || kind === 'answer')
    return new Refusal('unavailable', message, { cause, retryAfterSeconds })
  return new Refusal(kind === 'content' ? 'conflict' : 'not_configured', message, { cause })
}
