import type { TimedWord } from './split-words'

/** A sentence with its time. `at` and `length` are in UTF-16 units of the item's text. */
export type TimedSentence = { at: number; length: number; startSeconds: number; endSeconds: number }
export type Timings = { sentences: TimedSentence[]; words: TimedWord[] }
/** Four integers for each entry: as JSON, 5,000 words take a third of the size of objects. */
export type PackedTimings = { sentences: number[]; words: number[] }

/**
 * Packs times for the database and the wire. Each entry consists of its position, counted from the end of the previous
 * one; its length; its start in milliseconds, counted from the end of the previous one; and twice its duration in
 * milliseconds, plus one if the time is interpolated. Browser-safe.
 */
export function packTimings({ sentences, words }: Timings): PackedTimings {
  return {
    sentences: pack(sentences.map((each) => ({ ...each, isExact: true }))),
    words: pack(words),
  }
}

export function unpackTimings({ sentences, words }: PackedTimings): Timings {
  return {
    sentences: unpack(sentences).map(({ isExact: _, ...each }) => each),
    words: unpack(words),
  }
}

/** Finds the last entry that begins at or before a time, by binary search. Null before the first. */
export function entryAt<Entry extends { startSeconds: number }>(
  entries: readonly Entry[],
  seconds: number,
): Entry | null {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.startSeconds ?? Number.POSITIVE_INFINITY) <= seconds) low = middle + 1
    else high = middle
  }
  return entries[low - 1] ?? null
}

function pack(entries: readonly TimedWord[]): number[] {
  const packed: number[] = []
  let place = 0
  let time = 0
  for (const { at, length, startSeconds, endSeconds, isExact } of entries) {
    const start = Math.round(startSeconds * 1_000)
    const duration = Math.max(0, Math.round(endSeconds * 1_000) - start)
    packed.push(at - place, length, start - time, duration * 2 + (isExact ? 0 : 1))
    place = at + length
    time = start + duration
  }
  return packed
}

function unpack(packed: readonly number[]): TimedWord[] {
  const entries: TimedWord[] = []
  let place = 0
  let time = 0
  for (let index = 0; index + 3 < packed.length; index += 4) {
    const [skipped = 0, length = 0, rest = 0, doubled = 0] = packed.slice(index, index + 4)
    const at = place + skipped
    const start = time + rest
    const end = start + (doubled >> 1)
    entries.push({
      at,
      length,
      startSeconds: start / 1_000,
      endSeconds: end / 1_000,
      isExact: (doubled & 1) === 0,
    })
    place = at + length
    time = end
  }
  return entries
}
