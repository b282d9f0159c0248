import { unmask } from './masked'
import { outlineOf } from './outline'
import { hasDigitLetters, isDrawnOut, withoutDigits, withoutRepeats } from './spellings'
import { type Index, lookUp, type Vocabulary } from './vocabulary'

/** Forms whose words are cached at most: texts repeat their words. */
const formsCachedMax = 50_000

/**
 * Which words of the rules a form may be: as it stands, with signs and digits as letters, without repeated
 * letters. `ofSpaced` reads letters that stood one by one, which may be a whole phrase, `ofChunked` letters
 * and pieces of a word, `ofMasked` the halves of a word of which one letter is hidden.
 */
export function wordReader(vocabulary: Vocabulary) {
  const cached = new Map<string, readonly number[]>()
  const once = (key: string, findWords: () => readonly number[]) => {
    const known = cached.get(key)
    if (known) return known
    const words = findWords()
    if (cached.size < formsCachedMax) cached.set(key, words)
    return words
  }
  return {
    of: (form: string) => once(form, () => find(vocabulary, form)),
    ofSpaced: (form: string) =>
      once(` ${form}`, () => [
        ...find(vocabulary, form),
        ...collect([[vocabulary.joined, withoutDigits(form)]]),
      ]),
    ofChunked: (form: string) => findChunks(vocabulary, form),
    ofMasked: (before: string, after: string) => unmask(vocabulary, before, after),
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

/** The first look is cheap and its results are not cached: a hostile text has nothing but other pieces. */
function findChunks({ plain, digits, joined, outlines }: Vocabulary, form: string): readonly number[] {
  const ways: [Index, string][] = plain.stems ? [[{ whole: noWords, stems: plain.stems }, form]] : []
  if (outlines.has(outlineOf(form, form, form.length))) {
    const letters = withoutDigits(form)
    ways.push([plain, form], [joined, letters])
    if (hasDigitLetters(form)) ways.push([digits, letters])
  }
  return ways.length > 0 ? collect(ways) : none
}

const noWords: Index['whole'] = new Map()
const none: readonly number[] = []

function collect(ways: readonly [Index, string][]): readonly number[] {
  let words: Set<number> | null = null
  for (const [index, form] of ways)
    lookUp(index, form, (word) => {
      words ??= new Set()
      words.add(word)
    })
  return words ? [...words] : none
}
