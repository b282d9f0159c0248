import { foldWords } from './fold-text'
import { addWord, type Vocabulary, type Word } from './vocabulary'

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
export type PhraseNode = { next: Map<Word, PhraseNode>; ends: Phrase[]; allows: number[] }
export type Matcher = { patterns: readonly Pattern[]; vocabulary: Vocabulary; root: PhraseNode }

/** Makes one matcher of many patterns: the time it takes does not grow with their number. */
export function compile(patterns: readonly Pattern[]): Matcher {
  const matcher: Matcher = { patterns, vocabulary: new Map(), root: newNode() }
  for (const [pattern, { groups, allowed }] of patterns.entries()) {
    for (const [group, phrases] of groups.entries())
      for (const phrase of phrases)
        for (const node of nodesOf(matcher, phrase)) node.ends.push({ pattern, group, phrase })
    for (const phrase of allowed) for (const node of nodesOf(matcher, phrase)) node.allows.push(pattern)
  }
  return matcher
}

/** The words of a phrase as they are compared; the last is a stem where a `*` ends the phrase. */
export function phraseWords(phrase: string): Word[] {
  const words = foldWords(phrase)
  const stem = phrase.trimEnd().endsWith('*') ? words.pop() : undefined
  const whole = words.map((letters): Word => ({ letters, kind: 'whole' }))
  return stem === undefined ? whole : [...whole, { letters: stem, kind: 'stem' }]
}

/** Where a phrase ends: by its words, and as one word. */
function nodesOf({ vocabulary, root }: Matcher, phrase: string): PhraseNode[] {
  const words = phraseWords(phrase)
  const spellings = words.length > 0 ? [words] : []
  if (words.length > 1 && words.every(({ kind }) => kind === 'whole'))
    spellings.push([{ letters: words.map(({ letters }) => letters).join(''), kind: 'joined' }])
  const nodeAfter = (node: PhraseNode, word: Word) =>
    node.next.getOrInsertComputed(addWord(vocabulary, word), newNode)
  return spellings.map((spelling) => spelling.reduce(nodeAfter, root))
}

function newNode(): PhraseNode {
  return { next: new Map(), ends: [], allows: [] }
}
