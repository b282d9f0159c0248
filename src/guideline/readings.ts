import { type FoldedText, letters } from './fold-text'
import { findWords, type Vocabulary, type Word } from './vocabulary'
import { plain, signed, spaced, type Way, ways } from './ways'

/** A range in a text: offsets into the original (UTF-16, `end` exclusive), and its words, counted from 1. */
export type Place = { start: number; end: number; firstWord: number; lastWord: number }

/** A word of the rules, and the range in which it is read. */
export type Reading = Place & { word: Word }

/**
 * Returns a function that lists every reading that begins with a word of a text, given the word's number from 0: the
 * word as it is and, if a word of the rules begins like it, every way to read it together with what follows.
 *
 * Some spellings are left out, since ordinary words would be found in ordinary sentences: a word cut into pieces of two
 * letters and more (`lan tern`, as `the rapist` is), an l for an i (`vallum`), an I for an l in a word all of capitals
 * (`BAIL` is not `ball`), a sign that hides two letters or one at an edge (`*ape*` is only stressed), and a hyphen or a
 * dot in place of a letter (`co-op`, `e.g.`). An apostrophe does not join: `dog's` is not `dogs`.
 */
export function createReader(vocabulary: Vocabulary, text: FoldedText): (from: number) => readonly Reading[] {
  // Both are cached: a text has few different words, and a longer phrase needs the readings of the words that follow.
  const wordsOf = new Map<string, readonly Word[] | null>()
  const readingsOf: (readonly Reading[])[] = []
  const find = (written: string) => {
    const known = wordsOf.get(written)
    if (known !== undefined) return known
    const words = findWords(vocabulary, written)
    wordsOf.set(written, words)
    return words
  }
  return (from) => {
    const readings = readingsOf[from] ?? readFrom({ text, find, from })
    readingsOf[from] = readings
    return readings
  }
}

/** The word of a text with which readings begin, by its number from 0. */
type Beginning = { text: FoldedText; find(written: string): readonly Word[] | null; from: number }

/** More signs before a word than anybody would write for letters. */
const signsMax = 40
const letterRun = new RegExp(`[${letters}]+`, 'y')
/**
 * A word that cannot be a piece of a longer one: it is separated from the next word by more than a joining sign, and
 * that word has more than one letter.
 */
const ordinary = new RegExp(`[${letters}]+(?: |[^${letters}A-Z][^${letters}]+)[${letters}]{2}`, 'y')

/** Finds the readings that begin with a word, or with signs directly before it. */
function readFrom(beginning: Beginning): readonly Reading[] {
  const { folded, starts } = beginning.text
  const start = starts[beginning.from] ?? folded.length
  const found: Reading[] = []
  if (matchesAt(letterRun, folded, start) && beginning.find(folded.slice(start, letterRun.lastIndex)))
    for (const way of matchesAt(ordinary, folded, start) ? [plain] : ways)
      addReadings(found, beginning, way, start)
  for (let at = start - 1; at > start - signsMax && isSign(folded, at); at -= 1)
    addReadings(found, beginning, signed, at)
  return found
}

/** Adds the readings in one way at a position. A word is added once for each end, and a stem only once. */
function addReadings(found: Reading[], { text, find, from }: Beginning, way: Way, at: number): void {
  for (const end of endsOf(way, text.folded, at)) {
    const written = text.folded.slice(at, end)
    const forms = way.read(written)
    if (way === plain && written.includes('i')) forms.push(withCapitalIAsL(text, at, end))
    const words = forms.map(find)
    // No word of the rules begins like this, so a longer piece cannot match either.
    if (words.every((some) => !some)) return
    const place = placeOf(text, from, at, end)
    for (const word of words.flatMap((some) => some ?? [])) {
      const isKnown = (each: Reading) =>
        each.word === word && (word.kind === 'stem' || each.lastWord === place.lastWord)
      if (!found.some(isKnown) && mayBe(word, way, written)) found.push({ word, ...place })
    }
  }
}

/** The ends of a way's patterns that begin at a position, nearest first. */
function endsOf({ begins, patterns }: Way, folded: string, at: number): number[] {
  const ends: number[] = []
  if (begins && !matchesAt(begins, folded, at)) return ends
  for (const pattern of patterns)
    if (matchesAt(pattern, folded, at) && !ends.includes(pattern.lastIndex)) ends.push(pattern.lastIndex)
  return ends.sort((a, b) => a - b)
}

/**
 * A word with an l for each capital I (`vaIium`). In a word all of capitals an I is an I, and in a shorter word it
 * often is. "Iamb" and "Iambs" are the only English words that would become other words.
 */
function withCapitalIAsL({ original, offsets }: FoldedText, start: number, end: number): string {
  const written = original.slice(offsets[start], (offsets[end - 1] ?? 0) + 1)
  const isL = /^(?!Iambs?$)(?=.*I)(?=.*[a-z])[a-zA-Z0-9]{4,}$/.test(written)
  return isL ? written.replaceAll('I', 'l').toLowerCase() : ''
}

function placeOf({ original, offsets, starts }: FoldedText, from: number, at: number, end: number): Place {
  let lastWord = from + 1
  while ((starts[lastWord] ?? end) < end) lastWord += 1
  const last = offsets[end - 1] ?? 0
  const lastLength = (original.codePointAt(last) ?? 0) > 0xffff ? 2 : 1
  return { start: offsets[at] ?? 0, end: last + lastLength, firstWord: from + 1, lastWord }
}

function isSign(folded: string, at: number): boolean {
  const code = folded.charCodeAt(at)
  return code >= 65 && code <= 90
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/**
 * Whether a word may be read in this way. A whole phrase is read as one word only if its letters are separate. A digit
 * beside a word would otherwise count as the beginning of a stem: `$5 a lesson`.
 */
function mayBe({ kind }: Word, way: Way, written: string): boolean {
  if (kind === 'joined') return way === spaced
  return kind !== 'stem' || way !== spaced || !/\d/.test(written) || !/[a-z\d\x80-\uffff]{2}/.test(written)
}
