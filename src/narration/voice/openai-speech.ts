import type { SpeechCreateParams } from 'openai/resources/audio/speech'
import type { Env } from '#src/env'
import type { Style } from '#src/script/format/script'
import type { ItemType } from '#src/story/rules'
import { type Phrase, spokenCharacters } from '../plan-speech'
import { providerNames, voiceOfNarrator } from '../rules'
import { spokenText } from '../spoken-text'
import { callProvider, type ProviderCall } from './call-provider'
import type { ProviderLimits } from './limits'
import {
  type AudioChunk,
  keyVariables,
  type ProviderControl,
  ProviderFailure,
  type VoiceProvider,
} from './provider'

const name = providerNames.openai
const officialUrl = 'https://api.openai.com/v1'
/** No speech is this fast: audio shorter than this implies was truncated. */
const charactersPerSecondMax = 45
/** Concurrent requests of one narration. */
const requestsAtOnce = 3

/**
 * OpenAI's speech API, or a server with the same API. It reports no times, so each phrase (400 characters at most, of
 * the API's 4,096) is synthesized separately: sentences are then exact, words interpolated. Null if neither a key nor
 * an address is configured.
 */
export function openAiSpeech(env: Env, limits: ProviderLimits): VoiceProvider | null {
  const { apiKey, baseUrl, speechModel, voices, usdPer1000Characters } = env.openai
  if (!apiKey && !baseUrl) return null

  async function speakPhrase(
    phrase: Phrase,
    type: ItemType,
    voice: string,
    { signal, chunks }: Omit<ProviderControl, 'progress'>,
  ): Promise<AudioChunk> {
    const input = phrase.parts.map(({ text, at }) => spokenText(text, at).text).join(' ')
    const style = phrase.parts[0]?.style
    const body: SpeechCreateParams = {
      model: speechModel,
      voice,
      input,
      response_format: 'mp3',
      ...(style?.slower && { speed: 0.88 }),
      // The first models (tts-1) accept no instructions.
      ...(!/^tts-1/.test(speechModel) && { instructions: instructionsFor(type, style) }),
    }
    const url = `${baseUrl ?? officialUrl}/audio/speech`
    const request = `${url}\n${JSON.stringify(body)}`
    const call: ProviderCall = {
      name,
      keyVariable: keyVariables.openai,
      urlVariable: 'OPENAI_BASE_URL',
      url,
      headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body,
      declines: (status, text) => status === 400 && /content_policy|safety|moderation|flagged/i.test(text),
      isProxied: env.isProxied,
    }
    return chunks.obtain(request, name, async () => {
      const { bytes, type } = await callProvider(call, limits, signal)
      if (/html|json|text/.test(type)) throw notSound(type)
      return { mp3: bytes, note: null, secondsMin: input.length / charactersPerSecondMax }
    })
  }

  return {
    name: 'openai',
    voiceOf(narrator) {
      const configured = voices[narrator]
      if (configured) return { id: configured, narrator }
      // OpenAI has voices for two narrators. They stand in for the others.
      const own = narrator === 'alloy' || narrator === 'nova' ? narrator : standIn[voiceOfNarrator(narrator)]
      return { id: voices[own] ?? own, narrator: own }
    },
    price(plan) {
      const characters = spokenCharacters(plan)
      return { characters, costUsd: (characters / 1_000) * usdPer1000Characters }
    },
    async speak(plan, voice, { signal, progress, chunks }) {
      const phrases = plan.pieces.flatMap((piece) => ('parts' in piece ? [piece] : []))
      const found = await inTurns(phrases, requestsAtOnce, { signal, progress }, (phrase, own) =>
        speakPhrase(phrase, plan.type, voice, { signal: own, chunks }),
      )
      return {
        kind: 'recorded',
        chunks: found.map(({ path }) => path),
        phrases: found.map((_, chunk) => ({ chunk, fromSeconds: null, toSeconds: null, words: [] })),
      }
    },
  }
}

const standIn = { female: 'nova', male: 'alloy' } as const

/** The API accepts no markup, so the script's styles become instructions in words. */
function instructionsFor(type: ItemType, style: Style | undefined): string {
  return [
    type === 'flow'
      ? 'Guide the listener calmly and slowly, like a meditation.'
      : 'Read an evening story aloud, intimate and unhurried.',
    style?.whisper ? 'Whisper.' : style?.softer ? 'Speak softly.' : '',
    style?.slower ? 'Slow down.' : '',
    style?.emphasis ? 'Stress these words a little.' : '',
    style?.emotion ? `The feeling is ${style.emotion}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Processes a list with limited concurrency. Results are in the list's order. The first failure aborts the others. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  { signal, progress }: { signal: AbortSignal; progress: (share: number) => void },
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const failed = new AbortController()
  const own = AbortSignal.any([signal, failed.signal])
  let next = 0
  let done = 0
  const run = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item === undefined) return
      results[at] = await work(item, own)
      done += 1
      progress(done / items.length)
    }
  }
  const runs = Array.from({ length: atOnce }, () =>
    run().catch((error) => {
      failed.abort(error)
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(runs)
  const [first] = outcomes.filter((outcome) => outcome.status === 'rejected')
  signal.throwIfAborted()
  if (first) throw failed.signal.reason
  return results
}

function notSound(type: string): ProviderFailure {
  return new ProviderFailure(
    'answer',
    `${name} answered with ${/html/.test(type) ? 'a web page' : 'text'} instead of audio. Check OPENAI_BASE_URL.`,
    { cause: new Error(type) },
  )
}
