import { rm } from 'node:fs/promises'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import type { Spoken } from '#src/narration/synthesis/request'
import { runSynthesisWorker } from '#src/narration/synthesis/run-worker'
import { type SpeechPlan, spokenCharacters } from '../plan-speech'
import type { Narrator, VoiceProviderName } from '../rules'
import { chunkFolder } from './chunk-folder'
import { elevenLabs } from './elevenlabs'
import { type ProviderLimits, providerLimits } from './limits'
import { openAiSpeech } from './openai-speech'
import { keyVariables, type Price, ProviderFailure, type SpeechControl, type VoiceProvider } from './provider'

export type SpeakRequest = {
  plan: SpeechPlan
  narrator: Narrator
  title: string
  /** The path of the MP3. */
  path: string
  /** The folder of paid chunks. The caller removes it once the narration is stored. */
  chunks: string
  /** `wait` if the work can be queued again: a provider that is temporarily busy is then not skipped. */
  patience: 'wait' | 'now'
}
/** The narration, its provider, its cost, and why the preferred providers did not make it. */
export type SpokenBy = Spoken &
  Price & { provider: VoiceProviderName; narrator: Narrator; fallbacks: string[] }

/**
 * Synthesizes a plan as a narrator: by the first provider in the configured order that has the voice or, if it fails,
 * by the next. One narration has one voice from its first word to its last. If all fail, throws an AppError with the
 * message of each, and there is no file.
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
      return { ...(await speakBy({ provider, voice }, request, control)), fallbacks }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      if (error.kind === 'busy' && request.patience === 'wait') throw failureOf(error, [error.message])
      fallbacks.push(error.message)
      last = error
    }
  }
  throw last ? failureOf(last, fallbacks) : noVoice(env, request.narrator)
}

type Speaker = { provider: VoiceProvider; voice: { id: string; narrator: Narrator } }

/** The providers to try for a narrator, in the configured order. */
export function providersFor(
  env: Env,
  narrator: Narrator,
  limits: ProviderLimits = providerLimits,
): Speaker[] {
  return env.voiceOrder.flatMap((name) => {
    const provider = providerOf(name, env, limits)
    const voice = provider?.voiceOf(narrator)
    return provider && voice ? [{ provider, voice }] : []
  })
}

/** Null if the environment does not configure the provider. */
function providerOf(name: VoiceProviderName, env: Env, limits: ProviderLimits): VoiceProvider | null {
  if (name === 'elevenlabs') return elevenLabs(env, limits)
  return name === 'openai' ? openAiSpeech(env, limits) : builtIn
}

/**
 * The error that no configured provider has the narrator. It names the fix: a key with which a provider has it, or the
 * built-in voice.
 */
export function noVoice(env: Env, narrator: Narrator): AppError {
  const apiKey = 'any'
  const withKeys = { ...env, elevenlabs: { ...env.elevenlabs, apiKey }, openai: { ...env.openai, apiKey } }
  const keys = providersFor(withKeys, narrator).flatMap(({ provider: { name } }) =>
    name === 'built-in' ? [] : keyVariables[name],
  )
  const fix = keys.length > 0 ? `Set ${keys.join(' or ')}, or add` : 'Add'
  const message = `No configured voice speaks as ${narrator}. ${fix} built-in to VOICE_ORDER.`
  return new AppError('not_configured', message)
}

/** The voice that is part of the synthesis worker. It needs no configuration and costs nothing. */
const builtIn: VoiceProvider = {
  name: 'built-in',
  voiceOf: (narrator) => ({ id: narrator, narrator }),
  price: (plan) => ({ characters: spokenCharacters(plan), costUsd: 0 }),
  speak: async (_plan, narrator) => ({ kind: 'built-in', narrator }),
}

/** Share of a provider's requests in the time. Without them the worker takes all of it. */
const recordingShare = 0.8

async function speakBy(
  { provider, voice }: Speaker,
  { plan, title, path, chunks }: SpeakRequest,
  { signal, progress, waitForTurn }: SpeechControl,
): Promise<Omit<SpokenBy, 'fallbacks'>> {
  const share = provider.name === 'built-in' ? 0 : recordingShare
  const spokenVoice = await provider.speak(plan, voice.id, {
    signal,
    progress: (done) => progress(done * share),
    chunks: chunkFolder(chunks),
  })
  try {
    const spoken = await runSynthesisWorker(
      { plan, voice: spokenVoice, title, path, isBackground: waitForTurn !== undefined },
      { signal, waitForTurn, progress: (done) => progress(share + done * (1 - share)) },
    )
    return { ...spoken, ...provider.price(plan), provider: provider.name, narrator: voice.narrator }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Converts a provider's failure. The queue retries a temporary one; others wait for an operator, who may retry. */
function failureOf(
  { kind, retryAfterSeconds, cause }: ProviderFailure,
  messages: readonly string[],
): AppError {
  const message = [...new Set(messages)].join(' ') || 'No voice spoke.'
  if (kind === 'busy') return new AppError('throttled', message, { cause, retryAfterSeconds })
  if (kind === 'away' || kind === 'answer')
    return new AppError('unavailable', message, { cause, retryAfterSeconds })
  return new AppError(kind === 'content' ? 'conflict' : 'not_configured', message, { cause })
}
