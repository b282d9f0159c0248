import { gapAfter, isOneWord, isSpacedOut, lookOf, lookOfGap, mayGoOn, type Pieces } from './pieces'
import { isSpelling } from './spellings'
import type { Words } from './tokenize'
import type { Path, Vocabulary } from './vocabulary'

/** A way to read words of a text, up to but without `to`, as one word of the rules, with places in the folded text. */
export type Reading = { word: number; to: number; start: number; end: number }

/** Pieces whose letters lead through the vocabulary, with a star for one that is hidden. */
type Followed = Pieces & { path: Path; form: string; signsAre?: (typeof signsReadAs)[number] }

/** What signs that pass for letters are between pieces, in all gaps alike. */
const signsReadAs = ['letters', 'nothing'] as const

/** Longer than any word of a rule that somebody would write in pieces. */
const piecesMax = 40

/**
 * Every reading that begins with a word of a text: the letters of this and of the following words are followed
 * through the vocabulary, and count where a word of the rules ends whose pieces look like one word.
 *
 * Left out, since ordinary words would be found in ordinary sentences: a word cut into pieces of two letters and
 * more (`lan tern`, as `the rapist` is), an l for an i (`vallum`), an I for an l in a word all of capitals
 * (`BAIL` is not `ball`), what hides two letters or one at an edge (`*ape*` is only stressed), and a hyphen or a
 * dot in the place of a letter (`co-op`, `e.g.`). An apostrophe does not join: `dog's` is not `dogs`.
 */
export function wordReader(vocabulary: Vocabulary, words: Words): (from: number) => readonly Reading[] {
  const { folded, starts, ends } = words
  const read = (from: number, start: number, found: Reading[]) => {
    const path: Path = { node: 0, letter: 0, stems: [] }
    const end = ends[from] ?? start
    if (!vocabulary.follow(path, folded, start, end)) return
    const shape = start === starts[from] ? lookOf(words, from) : `+${lookOf(words, from)}`
    const form = folded.slice(start, end)
    const ways: Followed[] = [{ from, to: from + 1, start, end, shape, gapMax: 0, path, form }]
    for (const pieces of ways) {
      accept(vocabulary, words, pieces, found)
      acceptWithSigns(vocabulary, words, pieces, found)
      acceptHidden(vocabulary, words, pieces, found)
      addPiece(vocabulary, words, pieces, ways)
    }
  }
  // A phrase that goes on asks for the next word's readings, which are asked for again when it is that word's turn.
  const known: Reading[][] = []
  return (from) => {
    const before = known[from]
    if (before) return before
    const found: Reading[] = []
    known[from] = found
    const wordStart = starts[from] ?? 0
    for (let start = wordStart; start > wordStart - piecesMax; start -= 1) {
      read(from, start, found)
      if (!isSign(folded.charCodeAt(start - 1))) break
    }
    return found
  }
}

/** Whether a folded character is a sign that passes for a letter. */
function isSign(code: number): boolean {
  return code >= 65 && code <= 90
}

/** Goes on with the next word, where the two may be pieces of one. */
function addPiece(vocabulary: Vocabulary, words: Words, pieces: Followed, ways: Followed[]): void {
  const { from, to, start, signsAre } = pieces
  const look = lookOfGap(words, to - 1)
  if (!look || to - from === piecesMax) return
  const gap = gapAfter(words, to - 1)
  const signs = gap.replace(/[^A-Z]+/g, '')
  const end = words.ends[to] ?? 0
  const gapMax = Math.max(pieces.gapMax, gap.length)
  for (const each of signsAre || !/[IT]/.test(signs) ? [signsAre] : signsReadAs) {
    const shape = pieces.shape + (look === '+' && each === 'nothing' ? '~' : look) + lookOf(words, to)
    const more = { from, to: to + 1, start, end, shape, gapMax }
    if (!mayGoOn(words, more)) continue
    const path = { ...pieces.path }
    const letters =
      (each === 'nothing' ? signs.replace(/[IT]/g, '') : signs) + words.folded.slice(words.starts[to], end)
    if (vocabulary.follow(path, letters))
      ways.push({ ...more, path, form: pieces.form + letters, signsAre: each })
  }
}

/** Keeps the words of the rules that end here. A stem ends with the first pieces that look like one word. */
function accept(vocabulary: Vocabulary, words: Words, pieces: Followed, found: Reading[]): void {
  const { path, form, shape, to, start, end } = pieces
  for (const word of vocabulary.endingAt(path)) {
    if (!(word.kind === 'joined' ? isSpacedOut : isOneWord)(words, pieces)) continue
    const hidden = form.indexOf('*')
    const whole = hidden < 0 ? form : form.replace('*', word.letters.charAt(hidden))
    const isCapitalI = () => form.includes('i') && isSpelling(withCapitalIAsL(words, pieces), word)
    if (!isSpelling(whole, word) && !isCapitalI()) continue
    // A number beside any word would begin a stem: `$5 a lesson`.
    if (word.kind === 'stem' && /w | w/.test(shape) && /\d/.test(form)) continue
    found.push({ word: word.id, to, start, end })
    if (word.kind === 'stem') path.stems = path.stems.filter((stem) => stem !== word)
  }
}

/**
 * The letters of a word with an l for each capital I (`vaIium`). In a word all of capitals an I is one, and in what is
 * shorter it is too often; Iambs are the only words of English that are others with an l.
 */
function withCapitalIAsL({ text, offsets }: Words, { start, end, form }: Followed): string {
  const written = text.slice(offsets[start], (offsets[end - 1] ?? 0) + 1)
  const isL = /^(?!Iambs?$)(?=.*I)(?=.*[a-z])[a-zA-Z0-9]{4,}$/.test(written)
  return isL ? written.replaceAll('I', 'l').toLowerCase() : form
}

/** Signs right behind the last piece may be letters of it: `a$$`. */
function acceptWithSigns(vocabulary: Vocabulary, words: Words, pieces: Followed, found: Reading[]): void {
  let { form, end } = pieces
  if (!isSign(words.folded.charCodeAt(end))) return
  const path = { ...pieces.path }
  while (isSign(words.folded.charCodeAt(end)) && vocabulary.follow(path, words.folded, end, end + 1)) {
    form += words.folded.charAt(end)
    end += 1
    accept(vocabulary, words, { ...pieces, end, shape: `${pieces.shape}+`, path, form }, found)
  }
}

/** Signs that people write in the place of a letter. A hyphen and a dot join more often than they hide. */
const masks = '*_#'

/** A sign between two words may hide one letter: `l*ntern`. */
function acceptHidden(vocabulary: Vocabulary, words: Words, pieces: Followed, found: Reading[]): void {
  const { from, to, shape, path } = pieces
  const gap = gapAfter(words, from)
  if (to > from + 1 || gap.length !== 1 || !masks.includes(gap)) return
  const end = words.ends[to] ?? 0
  const rest = words.folded.slice(words.starts[to], end)
  const form = `${pieces.form}*${rest}`
  const more = { ...pieces, to: to + 1, end, shape: `${shape}*${lookOf(words, to)}`, form }
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    const on = { ...path }
    if (vocabulary.follow(on, letter) && vocabulary.follow(on, rest))
      accept(vocabulary, words, { ...more, path: on }, found)
  }
}
