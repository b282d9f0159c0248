import { unmask } from './masked'
import { hasDigitLetters, isDrawnOut, withoutDigits, withoutRepeats } from './spellings'
import { type Index, lookUp, type Vocabulary } from './vocabulary'

/** Texts repeat their words: what was looked up once is kept, up to so many of them. */
const formsKeptMax = 50_000

/**
 * Which words of the rules a form may be: as it stands, with signs and digits as letters, without repeated
 * letters. `ofSpaced` reads letters that stood one by one, which may be a whole phrase, `ofMasked` the halves of
 * a word of which one letter is hidden.
 */
export function wordReader(vocabulary: Vocabulary) {
  const kept = new Map<string, readonly number[]>()
  const once = (key: string, findWords: () => readonly number[]) => {
    const known = kept.get(key)
    if (known) return known
    const words = findWords()
    if (kept.size < formsKeptMax) kept.set(key, words)
    return words
  }
  return {
    of: (form: string) => once(form, () => find(vocabulary, form)),
    ofSpaced: (form: string) =>
      once(` ${form}`, () => [
        ...find(vocabulary, form),
        ...collect([[vocabulary.joined, withoutDigits(form)]]),
      ]),
    ofMasked: (before: string, after: string) =>
      once(`${before} ${after}`, () => unmask(vocabulary, before, after)),
  }
}

function find(vocabulary: Vocabulary, form: string): readonly number[] {
  const ways: [Index, string][] = [[vocabulary.plain, form]]
  const isDigits = hasDigitLetters(form)
  if (isDigits) ways.push([vocabulary.digits, withoutDigits(form)])
  if (isDrawnOut(form)) {
    ways.push([vocabulary.repeats, withoutRepeats(form)])
    if (isDigits) ways.push([vocabulary.digitsAndRepeats, withoutRepeats(withoutDigits(form))])
  }
  return collect(ways)
}

const none: readonly number[] = []

function collect(ways: readonly [Index, string][]): readonly number[] {
  const words = new Set<number>()
  for (const [index, form] of ways) lookUp(index, form, (word) => words.add(word))
  return words.size > 0 ? [...words] : none
}
