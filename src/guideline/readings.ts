import { type FoldedText, letters } from './fold-text'
import { findWords, type Vocabulary, type Word } from './vocabulary'
import { plain, signed, spaced, type Way, ways } from './ways'

/** A way to read words of a text, up to but without `to`, as one word of the rules, with places in the folded text. */
export type Reading = { word: Word; to: number; start: number; end: number }

/**
 * Answers every reading that begins with a word of a text, by the word's number: as it stands, and in every way that
 * takes more than it, where a word of the rules begins like it.
 *
 * Left out, since ordinary words would be found in ordinary sentences: a word cut into pieces of two letters and
 * more (`lan tern`, as `the rapist` is), an l for an i (`vallum`), an I for an l in a word all of capitals
 * (`BAIL` is not `ball`), what hides two letters or one at an edge (`*ape*` is only stressed), and a hyphen or a
 * dot in the place of a letter (`co-op`, `e.g.`). An apostrophe does not join: `dog's` is not `dogs`.
 */
export function createReader(vocabulary: Vocabulary, text: FoldedText): (from: number) => readonly Reading[] {
  const { folded, starts } = text
  // A text has few different words, and a phrase that goes on asks for the readings of words that follow.
  const wordsOf = new Map<string, readonly Word[] | null>()
  const readingsOf: (readonly Reading[])[] = []
  const find = (written: string) => {
    const words = wordsOf.get(written)
    if (words !== undefined) return words
    const found = findWords(vocabulary, written)
    wordsOf.set(written, found)
    return found
  }
  const readFrom = (from: number) => {
    const start = starts[from] ?? folded.length
    const mayBegin = matchesAt(letterRun, folded, start) && find(folded.slice(start, letterRun.lastIndex))
    if (!mayBegin && !isSign(folded, start - 1)) return none
    const found: Reading[] = []
    const read = (way: Way, at: number) => addReadings(find, text, way, { from, at, found })
    if (mayBegin) read(plain, start)
    if (mayBegin && !matchesAt(ordinary, folded, start)) for (const way of ways) read(way, start)
    for (let at = start - 1; at > start - signsMax && isSign(folded, at); at -= 1) read(signed, at)
    return found
  }
  return (from) => {
    const readings = readingsOf[from] ?? readFrom(from)
    readingsOf[from] = readings
    return readings
  }
}

const none: readonly never[] = []
const letterRun = new RegExp(`[${letters}]+`, 'y')

/** More signs before a word than anybody would write for letters. */
const signsMax = 40

function isSign(folded: string, at: number): boolean {
  const code = folded.charCodeAt(at)
  return code >= 65 && code <= 90
}

/** A word that is no piece of a longer one: more than a joining sign parts it from the next, which has more letters. */
const ordinary = new RegExp(`[${letters}]+(?: |[^${letters}A-Z][^${letters}]+)[${letters}]{2}`, 'y')

type Find = (written: string) => readonly Word[] | null
type Place = { from: number; at: number; found: Reading[] }

/** Adds what is written in a way at a place, each word once with the same end, and a stem once. */
function addReadings(find: Find, text: FoldedText, way: Way, { from, at, found }: Place): void {
  const { folded, starts } = text
  for (const end of endsOf(way, folded, at)) {
    let to = from + 1
    while ((starts[to] ?? end) < end) to += 1
    const written = folded.slice(at, end)
    const forms = way.read(written)
    if (way === plain && written.includes('i')) forms.push(withCapitalIAsL(text, at, end))
    let mayGoOn = false
    for (const form of forms) {
      const words = find(form)
      if (words) mayGoOn = true
      for (const word of words ?? none) {
        const isKnown = found.some((each) => each.word === word && (word.kind === 'stem' || each.to === to))
        if (!isKnown && mayBe(word, way, written)) found.push({ word, to, start: at, end })
      }
    }
    // No word of the rules begins so, and none with what is longer.
    if (!mayGoOn) return
  }
}

/** A whole phrase is one word only letter by letter. A number beside a word would begin a stem: `$5 a lesson`. */
function mayBe({ kind }: Word, way: Way, written: string): boolean {
  if (kind === 'joined') return way === spaced
  return kind !== 'stem' || way !== spaced || !/\d/.test(written) || !/[a-z\d\x80-\uffff]{2}/.test(written)
}

/**
 * The letters of a word with an l for each capital I (`vaIium`). In a word all of capitals an I is one, and in what is
 * shorter it is too often; Iambs are the only words of English that are others with an l.
 */
function withCapitalIAsL({ original, offsets }: FoldedText, start: number, end: number): string {
  const written = original.slice(offsets[start], (offsets[end - 1] ?? 0) + 1)
  const isL = /^(?!Iambs?$)(?=.*I)(?=.*[a-z])[a-zA-Z0-9]{4,}$/.test(written)
  return isL ? written.replaceAll('I', 'l').toLowerCase() : ''
}

/** Where the patterns of a way end that begin at a place, the nearest first. */
function endsOf({ begins, patterns }: Way, folded: string, at: number): number[] {
  const ends: number[] = []
  if (begins && !matchesAt(begins, folded, at)) return ends
  for (const pattern of patterns)
    if (matchesAt(pattern, folded, at) && !ends.includes(pattern.lastIndex)) ends.push(pattern.lastIndex)
  return ends.sort((a, b) => a - b)
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
