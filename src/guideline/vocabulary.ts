import { outlineOf } from './outline'
import { repeatedLettersMin, withoutDigits, withoutRepeats } from './spellings'

/**
 * The words that the rules are made of, each with a number, to be found by any of its spellings. A text has
 * many words and the rules few: most words end at the first look.
 */
export type Vocabulary = {
  /** By spelling: as it is, with digits as letters, without repeats, and both. */
  plain: Index
  digits: Index
  repeats: Index
  digitsAndRepeats: Index
  /** Whole phrases written together, digits as letters: what a phrase with a space after each letter joins to. */
  joined: Index
  /** First letter, last letter and length of each word, and of each phrase written together. */
  outlines: Set<string>
}
export type Index = { whole: Map<string, number[]>; stems: StemNode | null }
/** Stems of rules that end in `*`, letter by letter. */
export type StemNode = { next: Map<number, StemNode>; words: number[] }

export type VocabularyBuilder = {
  vocabulary: Vocabulary
  add(word: string): number
  addJoined(form: string): number
}

/** An empty vocabulary, and how words get into it. A word that ends in `*` stands for all that begin so. */
export function buildVocabulary(): VocabularyBuilder {
  const vocabulary: Vocabulary = {
    plain: emptyIndex(),
    digits: emptyIndex(),
    repeats: emptyIndex(),
    digitsAndRepeats: emptyIndex(),
    joined: emptyIndex(),
    outlines: new Set(),
  }
  const numbers = new Map<string, number>()
  return {
    vocabulary,
    add(word) {
      const known = numbers.get(word)
      if (known !== undefined) return known
      const number = numbers.size
      numbers.set(word, number)
      const isStem = word.endsWith('*')
      const form = isStem ? word.slice(0, -1) : word
      const put = isStem ? putStem : putWhole
      put(vocabulary.plain, form, number)
      if (!isStem) vocabulary.outlines.add(outlineOf(form, form, form.length))
      // A number is a number.
      if (/^\d+$/.test(form)) return number
      put(vocabulary.digits, withoutDigits(form), number)
      if ([...form].length >= repeatedLettersMin) {
        put(vocabulary.repeats, withoutRepeats(form), number)
        put(vocabulary.digitsAndRepeats, withoutRepeats(withoutDigits(form)), number)
      }
      return number
    },
    addJoined(form) {
      const name = ` ${form}`
      const number = numbers.get(name) ?? numbers.size
      numbers.set(name, number)
      putWhole(vocabulary.joined, withoutDigits(form), number)
      vocabulary.outlines.add(outlineOf(form, form, form.length))
      return number
    },
  }
}

/** Calls `found` with the number of each word of the rules that a form is. */
export function lookUp({ whole, stems }: Index, form: string, found: (word: number) => void): void {
  for (const word of whole.get(form) ?? none) found(word)
  for (let node = stems, at = 0; node; at += 1) {
    for (const word of node.words) found(word)
    node = at < form.length ? (node.next.get(form.charCodeAt(at)) ?? null) : null
  }
}

const none: readonly number[] = []

function emptyIndex(): Index {
  return { whole: new Map(), stems: null }
}

function putWhole(index: Index, form: string, word: number): void {
  const words = index.whole.get(form)
  if (!words) index.whole.set(form, [word])
  else if (!words.includes(word)) words.push(word)
}

function putStem(index: Index, stem: string, word: number): void {
  index.stems ??= { next: new Map(), words: [] }
  let node = index.stems
  for (let at = 0; at < stem.length; at += 1) {
    const code = stem.charCodeAt(at)
    const next = node.next.get(code) ?? { next: new Map(), words: [] }
    node.next.set(code, next)
    node = next
  }
  if (!node.words.includes(word)) node.words.push(word)
}
