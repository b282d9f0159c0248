import * as t from 'typebox'
import { Value } from 'typebox/value'
import type { Env } from '#src/env'
import type { RecordedPhrase } from '#src/narration/synthesis/recorded-voice'
import { wordsOf } from '#src/narration/timing/split-words'
import { spokenCharacters } from '../plan-speech'
import { type Narrator, providerNames } from '../rules'
import { callProvider, type ProviderCall } from './call-provider'
import { type Line, linesOf } from './elevenlabs-lines'
import type { ProviderLimits } from './limits'
import {
  type AudioChunk,
  keyVariables,
  type ProviderControl,
  ProviderFailure,
  type VoiceProvider,
} from './provider'

const name = providerNames.elevenlabs
const officialUrl = 'https://api.elevenlabs.io'
const voiceIds: Partial<Record<Narrator, string>> = {
  rachel: '21m00Tcm4TlvDq8ikWAM',
  bella: 'EXAVITQu4vr4xnSDxMaL',
  elli: 'MF3mGyEYCl7XYWbV9V6O',
  serena: 'pMsXgVXv3BLzUgSXRplE',
  antoni: 'ErXwobaYiN019PkySvjV',
  josh: 'TxGEqnHWrfWFTfGW9XjX',
  adam: 'pNInz6obpgDQGcFmaJgB',
  domi: 'AZnzlk1XvdvUeBnXmlld',
}

const Answer = t.Object({
  audio_base64: t.String({ minLength: 1 }),
  alignment: t.Object({
    characters: t.Array(t.String()),
    character_start_times_seconds: t.Array(t.Number()),
    character_end_times_seconds: t.Array(t.Number()),
  }),
})
type Alignment = t.Static<typeof Answer>['alignment']

/**
 * ElevenLabs, or a server with the same API: chunks of up to 850 characters, with the time of each character. Null if
 * neither a key nor an address is configured.
 */
export function elevenLabs(env: Env, limits: ProviderLimits): VoiceProvider | null {
  const { apiKey, baseUrl, model, voices, usdPer1000Characters } = env.elevenlabs
  if (!apiKey && !baseUrl) return null
  const isV3 = /v3/.test(model)

  async function speakLine(
    lines: readonly Line[],
    at: number,
    voiceId: string,
    { signal, chunks }: ProviderControl,
  ): Promise<AudioChunk> {
    const body = {
      text: lines[at]?.text ?? '',
      model_id: model,
      voice_settings: { stability: isV3 ? 0.5 : 0.45, similarity_boost: 0.75 },
      // Version 3 accepts no context before and after. The cut can leave half of an emoji, which other parsers of JSON reject.
      ...(!isV3 && {
        previous_text: lines[at - 1]?.text.slice(-300).toWellFormed(),
        next_text: lines[at + 1]?.text.slice(0, 300).toWellFormed(),
      }),
      // With a fixed seed the same request gives the same audio.
      seed: 20_240_917,
    }
    const url = `${baseUrl ?? officialUrl}/v1/text-to-speech/${encodeURIComponent(voiceId)}/with-timestamps?output_format=mp3_44100_128`
    const request = `${url}\n${JSON.stringify(body)}`
    const call: ProviderCall = {
      name,
      keyVariable: keyVariables.elevenlabs,
      urlVariable: 'ELEVENLABS_BASE_URL',
      url,
      headers: { ...(apiKey && { 'xi-api-key': apiKey }) },
      body,
      declines: (_status, text) => /content_against_policy|policy_violation|moderation/.test(text),
      isProxied: env.isProxied,
    }
    return chunks.obtain(request, name, async () => {
      const { bytes } = await callProvider(call, limits, signal)
      const { audio_base64, alignment } = readAnswer(bytes)
      const alignedSeconds = alignment.character_end_times_seconds.at(-1) ?? 0
      return { mp3: Buffer.from(audio_base64, 'base64'), note: alignment, secondsMin: alignedSeconds - 0.3 }
    })
  }

  return {
    name: 'elevenlabs',
    voiceOf(narrator) {
      const id = voices[narrator] ?? voiceIds[narrator]
      return id ? { id, narrator } : null
    },
    price(plan) {
      const characters = spokenCharacters(plan)
      return { characters, costUsd: (characters / 1_000) * usdPer1000Characters }
    },
    async speak(plan, voiceId, control) {
      const lines = linesOf(plan, { hasTags: isV3 })
      const paths: string[] = []
      const phrases: RecordedPhrase[] = []
      for (const [at, line] of lines.entries()) {
        const chunk = await speakLine(lines, at, voiceId, control)
        paths.push(chunk.path)
        phrases.push(...placePhrases(line, at, chunk))
        control.progress((at + 1) / lines.length)
      }
      return { kind: 'recorded', chunks: paths, phrases }
    },
  }
}

function readAnswer(bytes: Uint8Array): t.Static<typeof Answer> {
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (Value.Check(Answer, answer)) return answer
  } catch (cause) {
    throw notSpeech(cause)
  }
  throw notSpeech(new Error('The answer has other fields than the protocol names.'))
}

function notSpeech(cause: unknown): ProviderFailure {
  return new ProviderFailure(
    'answer',
    `${name} did not answer with speech and timings. Check ELEVENLABS_BASE_URL.`,
    { cause },
  )
}

/** Finds where each phrase of a chunk begins and ends. The silence between phrases is cut. */
function placePhrases(line: Line, chunk: number, { note, durationSeconds }: AudioChunk): RecordedPhrase[] {
  if (!Value.Check(Answer.properties.alignment, note))
    throw notSpeech(new Error('The timings cannot be read.'))
  const times = timesByCodePoint(note)
  if (times.length !== line.places.length) throw notSpeech(new Error('The timings are from another text.'))
  return line.phrases.map(({ phrase, from, to }) => {
    const before = times[from - 1]?.[1] ?? 0
    const after = times[to]?.[0] ?? durationSeconds
    const start = times[from]?.[0] ?? before
    const end = times[to - 1]?.[1] ?? after
    return {
      chunk,
      // Includes a breath before the phrase and the decay after it, as far as the neighbours leave room.
      fromSeconds: Math.max(0, Math.min(start, Math.max(before, start - 0.06))),
      toSeconds: Math.min(durationSeconds, Math.max(end, Math.min(after, end + 0.12))),
      words: wordStarts({ phrase, from, to }, line.places, times),
    }
  })
}

function wordStarts(
  { phrase, from, to }: Line['phrases'][number],
  places: readonly number[],
  times: readonly (readonly [number, number])[],
): RecordedPhrase['words'] {
  const starts: RecordedPhrase['words'] = []
  let index = from
  for (const { at, length } of phrase.parts.flatMap((part) => wordsOf(part.text, part.at))) {
    while (index < to && (places[index] ?? -1) < at) index += 1
    const startSeconds = index < to && (places[index] ?? 0) < at + length ? times[index]?.[0] : undefined
    if (startSeconds !== undefined) starts.push({ at, startSeconds })
  }
  return starts
}

/** Times by code point. One "character" of the answer may have several code points. */
function timesByCodePoint(alignment: Alignment): (readonly [number, number])[] {
  return alignment.characters.flatMap((character, at) =>
    [...character].map(
      () =>
        [
          alignment.character_start_times_seconds[at] ?? 0,
          alignment.character_end_times_seconds[at] ?? 0,
        ] as const,
    ),
  )
}
