import { paragraphsOf } from '#src/script/format/paragraphs'
import { splitSentences } from '#src/script/format/split-sentences'
import { normalizeText } from '#src/text/normalize'
import type { HeardWord } from './read-heard-words'
import { type TimedWord, timeWords, type Word, wordsOf } from './split-words'
import type { TimedSentence, Timings } from './timing-rules'

/** The aligned words: `matched` of `total` words of the text. */
export type Alignment = { timings: Timings; matched: number; total: number }

/** The window in which the two sequences are searched for the next common words. */
const lookAhead = 60
/** Without a match in the window so many words are skipped: another text is detected quickly. */
const passedOver = 10

/**
 * Aligns heard words to a text: heard words are matched by their letters, misheard or omitted ones share the time
 * between their neighbours. Time and memory grow with the length alone. Sentences are those that hold a heard word.
 */
export function alignWords(text: string, heard: readonly HeardWord[]): Alignment {
  const sentences = [...paragraphsOf(text)].flatMap(({ paragraph, at }) =>
    splitSentences(paragraph).map((sentence) => ({ at: at + sentence.at, length: sentence.text.length })),
  )
  const words = sentences.flatMap(({ at, length }) => wordsOf(text.slice(at, at + length), at))
  const pairs = pair(
    words.map((word) => lettersOf(text.slice(word.at, word.at + word.length))),
    heard.map((word) => lettersOf(word.text)),
  )
  const timed = timeAll(words, pairs, heard)
  return {
    timings: { words: timed, sentences: sentences.flatMap((sentence) => timeSentence(sentence, timed)) },
    matched: pairs.filter((pair) => pair !== null).length,
    total: words.length,
  }
}

/** Without case, marks and punctuation: "You’re" and "youre" are equal. */
function lettersOf(word: string): string {
  return normalizeText(word, 'NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/**
 * For each word of the text the heard one, or null. Where they diverge, the nearest two that agree resynchronise
 * them.
 */
function pair(words: readonly string[], heard: readonly string[]): (number | null)[] {
  const pairs: (number | null)[] = Array(words.length).fill(null)
  let a = 0
  let b = 0
  while (a < words.length && b < heard.length) {
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

function timeAll(
  words: readonly Word[],
  pairs: readonly (number | null)[],
  heard: readonly HeardWord[],
): TimedWord[] {
  const of = (at: number) => heard[pairs[at] ?? -1]
  const starts = words.map((_, at) => of(at)?.startSeconds ?? null)
  const first = starts.find((start) => start !== null) ?? 0
  const last = heard.reduce((end, word) => Math.max(end, word.endSeconds), 0)
  const ends = heard.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds] as const)
  const endAt = new Map(ends)
  const timed = timeWords(
    words,
    starts,
    { startSeconds: first, endSeconds: last },
    (start) => endAt.get(start) ?? last,
  )
  return timed.map((word, at) => ({ ...word, isExact: word.isExact && of(at)?.isExact === true }))
}

function timeSentence(
  { at, length }: { at: number; length: number },
  words: readonly TimedWord[],
): TimedSentence[] {
  // The words are ordered: the first of the sentence is found by binary search.
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
