import { readPhrase } from './tokenize'
import { createVocabulary, type Vocabulary } from './vocabulary'

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

/** A phrase of a pattern's group. */
export type Phrase = { pattern: number; group: number; phrase: string }
/** A place in the trie of the words of phrases: those that end here, and the patterns that allow what ends here. */
export type PhraseNode = { next: Map<number, PhraseNode>; ends: Phrase[]; allows: number[] }
export type Matcher = { patterns: readonly Pattern[]; vocabulary: Vocabulary; root: PhraseNode }

/** Makes one matcher of many patterns: the time it takes does not grow with their number. */
export function compile(patterns: readonly Pattern[]): Matcher {
  const vocabulary = createVocabulary()
  const root = newNode()
  for (const [pattern, { groups, allowed }] of patterns.entries()) {
    for (const [group, phrases] of groups.entries())
      for (const phrase of phrases)
        for (const node of nodesOf(root, vocabulary, phrase)) node.ends.push({ pattern, group, phrase })
    for (const phrase of allowed)
      for (const node of nodesOf(root, vocabulary, phrase)) node.allows.push(pattern)
  }
  return { patterns, vocabulary, root }
}

/** The words of a phrase as they are compared; the last ends in `*` where all that begin so are meant. */
export function phraseWords(phrase: string): string[] {
  const words = readPhrase(phrase)
  if (phrase.trimEnd().endsWith('*') && words.length > 0) words.push(`${words.pop()}*`)
  return words
}

/** Where a phrase ends: by its words, and as one word. */
function nodesOf(root: PhraseNode, vocabulary: Vocabulary, phrase: string): PhraseNode[] {
  const words = phraseWords(phrase)
  if (words.length === 0) return []
  const node = words.reduce((before, word) => {
    const id = word.endsWith('*') ? vocabulary.add(word.slice(0, -1), 'stem') : vocabulary.add(word, 'whole')
    return nextOf(before, id)
  }, root)
  const isOne = words.length === 1 || words.at(-1)?.endsWith('*')
  return isOne ? [node] : [node, nextOf(root, vocabulary.add(words.join(''), 'joined'))]
}

function nextOf(node: PhraseNode, word: number): PhraseNode {
  const next = node.next.get(word) ?? newNode()
  node.next.set(word, next)
  return next
}

function newNode(): PhraseNode {
  return { next: new Map(), ends: [], allows: [] }
}
