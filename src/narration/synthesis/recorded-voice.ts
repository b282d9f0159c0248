import type { Phrase } from '#src/narration/plan-speech'
import { type TimedWord, timeWords, wordsOf } from '#src/narration/timing/split-words'
import { decodeMp3 } from './decode-mp3'
import type { PhraseSound, PhraseVoice } from './phrase-sound'
import { trimSilence } from './trim-silence'

/**
 * The position of a phrase in a provider's audio: the chunk, and the times from and to (null: the whole chunk). Times
 * count from the first sample, without the encoder's padding. `words` gives the start of each word, if known.
 */
export type RecordedPhrase = {
  chunk: number
  fromSeconds: number | null
  toSeconds: number | null
  words: { at: number; startSeconds: number }[]
}

const sampleRateHz = 44_100

/** Cuts the phrases of a plan out of MP3 chunks. Holds one chunk in memory at a time. */
export function openRecordedVoice({
  chunks,
  phrases,
}: {
  chunks: readonly string[]
  phrases: readonly RecordedPhrase[]
}): PhraseVoice {
  let next = 0
  let open: { index: number; samples: Float32Array } | null = null
  return {
    sampleRateHz,
    async speak(phrase) {
      const recorded = phrases[next]
      next += 1
      if (!recorded) throw new Error('There are fewer phrases in the takes than in the plan.')
      if (open?.index !== recorded.chunk) {
        open = { index: recorded.chunk, samples: await decodeMp3(chunks[recorded.chunk] ?? '', sampleRateHz) }
      }
      return cut(open.samples, phrase, recorded)
    },
  }
}

function cut(chunk: Float32Array, phrase: Phrase, recorded: RecordedPhrase): PhraseSound {
  const from = Math.round((recorded.fromSeconds ?? 0) * sampleRateHz)
  const to = recorded.toSeconds === null ? chunk.length : Math.round(recorded.toSeconds * sampleRateHz)
  const trimmed = trimSilence(chunk.subarray(from, to), sampleRateHz)
  const shiftSeconds = (from + trimmed.from) / sampleRateHz
  const startOf = new Map(recorded.words.map(({ at, startSeconds }) => [at, startSeconds - shiftSeconds]))
  const words = phrase.parts.flatMap(({ text, at }) => wordsOf(text, at))
  const starts = words.map(({ at }) => startOf.get(at) ?? null)
  const sound = { startSeconds: 0, endSeconds: trimmed.samples.length / sampleRateHz }
  const timed: TimedWord[] = timeWords(words, starts, sound)
  return { samples: trimmed.samples, words: timed }
}
