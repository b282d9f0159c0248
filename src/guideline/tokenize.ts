import { foldCharacter } from './fold-character'

/**
 * A text, folded, and its words: runs of letters and digits. `starts` and `ends` (behind the last letter) are places
 * in the folded text, `offsets` lead from there to the text as it was given.
 */
export type Words = { text: string; folded: string; offsets: number[]; starts: number[]; ends: number[] }

/** Characters that are read in one go: a few milliseconds. */
const partCharacters = 16 * 1024

export async function readWords(text: string, pause: () => Promise<void>): Promise<Words> {
  const words: Words = { text, folded: '', offsets: [], starts: [], ends: [] }
  for (let from = 0; from < text.length; from = readPart(words, from, from + partCharacters)) await pause()
  return words
}

/** The words of a rule's phrase. */
export function readPhrase(text: string): string[] {
  const words: Words = { text, folded: '', offsets: [], starts: [], ends: [] }
  readPart(words, 0, text.length)
  return words.starts.map((start, at) => words.folded.slice(start, words.ends[at]))
}

/** Reads on from an offset up to another; answers where it ended, which is never within a character. */
function readPart(words: Words, from: number, to: number): number {
  const { text, offsets, starts, ends } = words
  let folded = ''
  let wordEnd = ends.at(-1) ?? -1
  let at = from
  while (at < to && at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const letters = foldCharacter(code)
    for (let each = 0; each < letters.length; each += 1) {
      const place = offsets.push(at) - 1
      if (!isLetter(letters.charCodeAt(each))) continue
      if (place !== wordEnd) ends[starts.push(place) - 1] = place
      wordEnd = place + 1
      ends[ends.length - 1] = wordEnd
    }
    folded += letters
    at += code > 0xffff ? 2 : 1
  }
  words.folded += folded
  return at
}

/** Whether a folded character is a letter or a digit. Other alphabets are all letters once they are folded. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code >= 128
}
