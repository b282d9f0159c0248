import { readWords } from './tokenize'
import { buildVocabulary, type VocabularyBuilder } from './vocabulary'
import { wordReader } from './word-reader'

/** A rule as the matcher takes it. */
export type Pattern = {
  /**
   * Groups of words and phrases. With one group each of them is a hit; with two, one of each has to stand
   * close by.
   */
  groups: readonly (readonly string[])[]
  /** How many words apart the groups may stand, at most. */
  withinWords?: number
  /** The second group comes after the first. */
  isOrdered?: boolean
  /** Phrases in which a word of the groups does not count. */
  allowed: readonly string[]
}

/** What a phrase of the trie ends: a group of a pattern, or what is allowed in it. */
type Ending = { pattern: number; group: number; phrase: string }
export type PhraseNode = { id: number; next: Map<number, PhraseNode>; endings: Ending[] }
export type Matcher = {
  patterns: readonly Pattern[]
  wordsOf: ReturnType<typeof wordReader>
  root: PhraseNode
}

/** The group number under which allowed phrases stand. */
export const allowedGroup = -1

/** Makes one matcher of many patterns: the time it takes does not grow with their number. */
export function compile(patterns: readonly Pattern[]): Matcher {
  const builder = buildVocabulary()
  const root = newNode()
  for (const [pattern, { groups, allowed }] of patterns.entries()) {
    for (const [group, phrases] of groups.entries())
      for (const phrase of phrases) addPhrase(root, builder, { pattern, group, phrase })
    for (const phrase of allowed) addPhrase(root, builder, { pattern, group: allowedGroup, phrase })
  }
  return { patterns, wordsOf: wordReader(builder.vocabulary), root }
}

/** The words of a phrase as they are compared; the last ends in `*` where all that begin so are meant. */
export function phraseWords(phrase: string): string[] {
  const isStem = phrase.trimEnd().endsWith('*')
  const words = readWords(phrase).forms
  return isStem ? words.map((word, at) => (at === words.length - 1 ? `${word}*` : word)) : words
}

function addPhrase(root: PhraseNode, { add, addJoined }: VocabularyBuilder, ending: Ending): void {
  const words = phraseWords(ending.phrase)
  if (words.length === 0) return
  end(root, words.map(add), ending)
  const isStem = words.at(-1)?.endsWith('*')
  if (words.length > 1 && !isStem) end(root, [addJoined(words.join(''))], ending)
}

function end(root: PhraseNode, words: readonly number[], ending: Ending): void {
  let node = root
  for (const word of words) {
    const next = node.next.get(word) ?? newNode()
    node.next.set(word, next)
    node = next
  }
  node.endings.push(ending)
}

let nodes = 0
function newNode(): PhraseNode {
  nodes += 1
  return { id: nodes, next: new Map(), endings: [] }
}
