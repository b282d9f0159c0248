import { foldCharacter } from './fold-character'

/**
 * A text as words: runs of letters and digits, folded. `starts` and `ends` are offsets into the text as it was
 * given (UTF-16), `ends` behind the last character. `signed` are runs with signs in them that can stand for a
 * letter (`$ex`, `v@lium`), over the words that the signs cut them into, and words with a capital I in the place
 * of an l (`vaIium`).
 */
export type Words = { forms: string[]; starts: number[]; ends: number[]; signed: SignedRun[] }
type SignedRun = { form: string; start: number; end: number; from: number; to: number }

/** No word of a rule is longer, and of a longer word of the text its beginning is enough. */
const wordCharactersMax = 100

/** Characters that are read in one go: a few milliseconds. */
const partCharacters = 64 * 1024
/** Ends a word, and a run of words and signs. */
const parting = /[\s,;:-]/

/** Reads the words of a text, in one pass and in linear time. It is read by parts, which end where words do. */
export async function readAllWords(text: string, pause: () => Promise<void>): Promise<Words> {
  const words: Words = { forms: [], starts: [], ends: [], signed: [] }
  for (let from = 0; from < text.length; ) {
    const space = text.slice(from + partCharacters).search(parting)
    const to = space < 0 ? text.length : from + partCharacters + space
    append(words, readWords(text.slice(from, to)), from)
    from = to
    await pause()
  }
  return words
}

function append(words: Words, part: Words, offset: number): void {
  const before = words.forms.length
  for (const [at, form] of part.forms.entries())
    addWord(words, form, offset + (part.starts[at] ?? 0), offset + (part.ends[at] ?? 0))
  for (const run of part.signed)
    words.signed.push({
      ...run,
      start: run.start + offset,
      end: run.end + offset,
      from: run.from + before,
      to: run.to + before,
    })
}

/** Some words in a row, with offsets into the same text. */
export function wordsBetween({ forms, starts, ends, signed }: Words, from: number, to: number): Words {
  return {
    forms: forms.slice(from, to),
    starts: starts.slice(from, to),
    ends: ends.slice(from, to),
    signed: signed
      .filter((run) => run.from >= from && run.to <= to)
      .map((run) => ({ ...run, from: run.from - from, to: run.to - from })),
  }
}

/** The same in one go, for what is short. */
export function readWords(text: string): Words {
  const words: Words = { forms: [], starts: [], ends: [], signed: [] }
  const run = { start: 0, from: 0, form: '', hasSign: false }
  const extendRun = (form: string) => {
    if (run.form.length < wordCharactersMax) run.form += form
  }
  const endRun = (end: number, nextStart: number) => {
    const to = words.forms.length
    if (run.hasSign && to > run.from && run.form.length < wordCharactersMax)
      words.signed.push({ form: run.form, start: run.start, end, from: run.from, to })
    run.start = nextStart
    run.from = to
    run.form = ''
    run.hasSign = false
  }
  let at = 0
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const size = code > 0xffff ? 2 : 1
    const { kind, letters } = foldCharacter(code)
    if (kind === 'letters') {
      at = readWord(text, at, words)
      extendRun(words.forms.at(-1) ?? '')
      continue
    }
    if (kind === 'sign') {
      run.hasSign = true
      extendRun(letters)
    } else if (kind !== 'nothing') {
      endRun(at, at + size)
      if (kind === 'ideograph') {
        addWord(words, letters, at, at + size)
        run.from = words.forms.length
      }
    }
    at += size
  }
  endRun(at, at)
  return words
}

/** Reads the word that begins at an offset; returns the offset of its end. Most words are plain and cut out whole. */
function readWord(text: string, start: number, words: Words): number {
  let at = start
  let hasCapital = false
  for (let code = text.charCodeAt(at); isPlain(code); code = text.charCodeAt(at)) {
    if (code >= 65 && code <= 90) hasCapital = true
    at += 1
  }
  let form = text.slice(start, Math.min(at, start + wordCharactersMax))
  const asL = hasCapital ? withCapitalIAsL(form) : null
  if (hasCapital) form = form.toLowerCase()
  let end = at
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const { kind, letters } = foldCharacter(code)
    if (kind !== 'letters' && kind !== 'nothing') break
    at += code > 0xffff ? 2 : 1
    // Invisible characters at the end of a word are not part of it.
    if (kind === 'letters') end = at
    if (form.length < wordCharactersMax) form += letters
  }
  const word = words.forms.length
  if (asL !== null && end <= start + asL.length)
    words.signed.push({ form: asL, start, end, from: word, to: word + 1 })
  addWord(words, form, start, end)
  return at
}

/**
 * The word with each capital I read as an l, in lower case. Null for words all of capitals, where an I is an I, and
 * for words of fewer than four letters, where the reading is too often wrong.
 */
function withCapitalIAsL(word: string): string | null {
  if (word.length < 4 || !word.includes('I') || !/[a-z]/.test(word) || ordinary.test(word)) return null
  return word.replaceAll('I', 'l').toLowerCase()
}

/** The only English words with an initial I that become other words with an l. */
const ordinary = /^Iambs?$/

/** a–z, A–Z and 0–9. */
export function isPlain(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

function addWord(words: Words, form: string, start: number, end: number): void {
  words.forms.push(form)
  words.starts.push(start)
  words.ends.push(end)
}
