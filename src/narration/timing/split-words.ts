/** A word of the author's text, without the punctuation around it. `at` is its position in UTF-16 units. */
export type Word = { at: number; length: number }
/** A word with its time. If `isExact`, the voice reported it; otherwise it is interpolated by length. */
export type TimedWord = Word & { startSeconds: number; endSeconds: number; isExact: boolean }

/** Finds the words in a stretch of text that begins at `at`. A token with neither letter nor digit is no word. */
export function wordsOf(text: string, at: number): Word[] {
  const words: Word[] = []
  for (const { 0: run, index } of text.matchAll(/\S+/g)) {
    const core = /[\p{L}\p{N}](?:.*[\p{L}\p{N}\p{M}])?/u.exec(run)
    if (core) words.push({ at: at + index + core.index, length: core[0].length })
  }
  return words
}

/**
 * Gives every word a time, from the starts that the voice reported (`null` if it did not). Words without a start share,
 * by length, the time until the next reported start. `endOf` returns the end of a word that is followed by silence. A
 * word never ends after the next one begins.
 */
export function timeWords(
  words: readonly Word[],
  starts: readonly (number | null)[],
  sound: { startSeconds: number; endSeconds: number },
  endOf: (startSeconds: number) => number = () => sound.endSeconds,
): TimedWord[] {
  const begun = fillStarts(words, starts, sound)
  return words.map((word, at) => {
    const startSeconds = begun[at] ?? sound.endSeconds
    const next = begun[at + 1] ?? sound.endSeconds
    const endSeconds = Math.max(startSeconds, Math.min(next, endOf(startSeconds)))
    return { ...word, startSeconds, endSeconds, isExact: starts[at] !== null && starts[at] !== undefined }
  })
}

function fillStarts(
  words: readonly Word[],
  starts: readonly (number | null)[],
  { startSeconds, endSeconds }: { startSeconds: number; endSeconds: number },
): number[] {
  const filled: number[] = []
  for (let at = 0; at < words.length; ) {
    const start = starts[at] ?? null
    const from = Math.max(filled.at(-1) ?? startSeconds, startSeconds)
    if (start !== null) {
      filled.push(Math.min(endSeconds, Math.max(from, start)))
      at += 1
      continue
    }
    // Words without a reported start, together with the word before them, share the time until the next reported start.
    const first = at > 0 ? at - 1 : at
    let end = at
    while (end < words.length && (starts[end] ?? null) === null) end += 1
    const until = Math.min(endSeconds, (end < words.length ? starts[end] : null) ?? endSeconds)
    const total = words.slice(first, end).reduce((sum, word) => sum + weightOf(word), 0)
    let done = first < at ? weightOf(words[first]) : 0
    for (; at < end; at += 1) {
      filled.push(from + Math.max(0, until - from) * (done / total))
      done += weightOf(words[at])
    }
  }
  return filled
}

/** Share of a word in the time: longer words take longer, and the shortest still takes some. */
function weightOf(word: Word | undefined): number {
  return (word?.length ?? 0) + 1.5
}
