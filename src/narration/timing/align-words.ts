import { createTimeSlicer } from '#src/process/time-slice'
import { paragraphsOf } from '#src/script/format/paragraphs'
import { splitSentences } from '#src/script/format/split-sentences'
import { normalizeText } from '#src/text/normalize'
import type { HeardWord } from './read-heard-words'
import { type TimedWord, timeWords, type Word, wordsOf } from './split-words'
import type { TimedSentence, Timings } from './timing-rules'

/** The aligned words. `matched` of `total` words of the text were heard. */
export type Alignment = { timings: Timings; matched: number; total: number }

/** Words ahead within which the two sequences are searched for the next common words. */
const lookAhead = 60
/** Words skipped if the window has no match, so that a different text is detected quickly. */
const passedOver = 10

/**
 * Aligns heard words to a text. Words are matched by their letters; misheard or omitted words share the time between
 * their neighbours. Time and memory grow linearly with the length, and the function yields to other requests. Only
 * sentences with at least one word that has a time are returned.
 */
export async function alignWords(text: string, heard: readonly HeardWord[]): Promise<Alignment> {
  const pause = createTimeSlicer()
  const sentences: Stretch[] = []
  const words: Word[] = []
  for (const { paragraph, at: start } of paragraphsOf(text)) {
    for (const { text: sentence, at } of splitSentences(paragraph)) {
      sentences.push({ at: start + at, length: sentence.length })
      words.push(...wordsOf(sentence, start + at))
    }
    await pause()
  }
  const letters = {
    ofText: await mapInSlices(words, ({ at, length }) => lettersOf(text.slice(at, at + length)), pause),
    heard: await mapInSlices(heard, (word) => lettersOf(word.text), pause),
  }
  const pairs = await pair(letters.ofText, letters.heard, pause)
  const timed = await timeAll(words, pairs, heard, pause)
  const timedSentences = await mapInSlices(sentences, (sentence) => timeSentence(sentence, timed), pause)
  return {
    timings: { words: timed, sentences: timedSentences.flat() },
    matched: pairs.filter((pair) => pair !== null).length,
    total: words.length,
  }
}

type Stretch = { at: number; length: number }
type Pause = () => Promise<void>

async function mapInSlices<From, To>(
  all: readonly From[],
  convert: (each: From) => To,
  pause: Pause,
): Promise<To[]> {
  const converted: To[] = []
  for (const each of all) {
    converted.push(convert(each))
    await pause()
  }
  return converted
}

/** The letters of a word without case, diacritics and punctuation: "You’re" and "youre" are equal. */
function lettersOf(word: string): string {
  return normalizeText(word, 'NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/**
 * Pairs each word of the text with a heard word, or null. Where the sequences diverge, the nearest two consecutive
 * words that agree resynchronise them.
 */
async function pair(
  words: readonly string[],
  heard: readonly string[],
  pause: Pause,
): Promise<(number | null)[]> {
  const pairs: (number | null)[] = Array(words.length).fill(null)
  let a = 0
  let b = 0
  while (a < words.length && b < heard.length) {
    await pause()
    if (words[a] === heard[b]) {
      pairs[a] = b
      a += 1
      b += 1
      continue
    }
    const [skipWords, skipHeard] = meetAgain(words, heard, a, b)
    a += skipWords
    b += skipHeard
  }
  return pairs
}

function meetAgain(
  words: readonly string[],
  heard: readonly string[],
  a: number,
  b: number,
): [number, number] {
  for (let apart = 1; apart <= lookAhead; apart += 1) {
    for (let skip = 0; skip <= apart; skip += 1) {
      const [x, y] = [a + skip, b + apart - skip]
      if (x >= words.length || y >= heard.length || words[x] !== heard[y]) continue
      const isLast = x + 1 === words.length || y + 1 === heard.length
      if (isLast || words[x + 1] === heard[y + 1]) return [skip, apart - skip]
    }
  }
  return [passedOver, passedOver]
}

async function timeAll(
  words: readonly Word[],
  pairs: readonly (number | null)[],
  heard: readonly HeardWord[],
  pause: Pause,
): Promise<TimedWord[]> {
  const last = heard.reduce((end, word) => Math.max(end, word.endSeconds), 0)
  const matchOf = (at: number) => heard[pairs[at] ?? -1]
  let startSeconds = heard[pairs.find((pair) => pair !== null) ?? -1]?.startSeconds ?? 0
  const timed: TimedWord[] = []
  while (timed.length < words.length) {
    const from = timed.length
    const to = partEnd(pairs, from)
    const matches = words.slice(from, to).map((_, at) => matchOf(from + at))
    const ends = matches.flatMap((match) => (match ? [[match.startSeconds, match.endSeconds] as const] : []))
    const endAt = new Map(ends)
    const endSeconds = matchOf(to)?.startSeconds ?? last
    const part = timeWords(
      words.slice(from, to),
      matches.map((match) => match?.startSeconds ?? null),
      { startSeconds, endSeconds },
      (start) => endAt.get(start) ?? endSeconds,
    )
    for (const [at, word] of part.entries())
      timed.push({ ...word, isExact: word.isExact && matches[at]?.isExact === true })
    startSeconds = endSeconds
    await pause()
  }
  return timed
}

/**
 * Words timed in one step, some milliseconds of work. A part ends before a matched word, so its times do not depend on
 * later words.
 */
const partWordsMin = 1_000

function partEnd(pairs: readonly (number | null)[], from: number): number {
  let end = Math.min(from + partWordsMin, pairs.length)
  while (end < pairs.length && pairs[end] === null) end += 1
  return end
}

function timeSentence({ at, length }: Stretch, words: readonly TimedWord[]): TimedSentence[] {
  // The words are ordered: a binary search finds the first one of the sentence.
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  const first = words[low]
  let last = first
  for (let index = low; (words[index]?.at ?? Number.POSITIVE_INFINITY) < at + length; index += 1)
    last = words[index]
  if (!first || !last || first.at >= at + length) return []
  return [{ at, length, startSeconds: first.startSeconds, endSeconds: last.endSeconds }]
}
