import type { Phrase } from '../plan-speech'
import { type TimedWord, timeWords, wordsOf } from '../words'
import { decodeMp3 } from './decode-mp3'
import type { PhraseSound, PhraseVoice } from './phrase-sound'
import { trimSilence } from './trim-silence'

/**
 * Where a phrase lies in what a provider has spoken: in which take, and from when to when (null: all of it).
 * Times count from the first sample, without what an encoder adds. `words`: when each begins, where told.
 */
export type RecordedPhrase = {
  take: number
  fromSeconds: number | null
  toSeconds: number | null
  words: { at: number; startSeconds: number }[]
}

const sampleRateHz = 44_100

/** Says the phrases of a plan from MP3 files. Holds one take in memory at a time. */
export function openRecordedVoice({
  takes,
  phrases,
}: {
  takes: readonly string[]
  phrases: readonly RecordedPhrase[]
}): PhraseVoice {
  let next = 0
  let open: { take: number; samples: Float32Array } | null = null
  return {
    sampleRateHz,
    async say(phrase) {
      const recorded = phrases[next]
      next += 1
      if (!recorded) throw new Error('There are fewer phrases in the takes than in the plan.')
      if (open?.take !== recorded.take) {
        open = { take: recorded.take, samples: await decodeMp3(takes[recorded.take] ?? '', sampleRateHz) }
      }
      return cut(open.samples, phrase, recorded)
    },
  }
}

function cut(take: Float32Array, phrase: Phrase, recorded: RecordedPhrase): PhraseSound {
  const from = Math.round((recorded.fromSeconds ?? 0) * sampleRateHz)
  const to = recorded.toSeconds === null ? take.length : Math.round(recorded.toSeconds * sampleRateHz)
  const trimmed = trimSilence(take.subarray(from, to), sampleRateHz)
  const shiftSeconds = (from + trimmed.from) / sampleRateHz
  const told = new Map(recorded.words.map(({ at, startSeconds }) => [at, startSeconds - shiftSeconds]))
  const words = phrase.parts.flatMap(({ text, at }) => wordsOf(text, at))
  const starts = words.map(({ at }) => told.get(at) ?? null)
  const sound = { startSeconds: 0, endSeconds: trimmed.samples.length / sampleRateHz }
  const timed: TimedWord[] = timeWords(words, starts, sound)
  return { samples: trimmed.samples, words: timed }
}
