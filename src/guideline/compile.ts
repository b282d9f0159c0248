import { foldWords } from './fold-text'
import { addWord, type Vocabulary, type Word } from './vocabulary'

/** A rule in the form that the matcher uses. */
export type Pattern = {
  /**
   * Groups of words and phrases. With one group, each of them is a hit. With two groups, one phrase of each has to
   * occur close together.
   */
  groups: readonly (readonly string[])[]
  /** Most words between the two groups. */
  withinWords?: number
  /** Whether the second group has to follow the first. */
  isOrdered?: boolean
  /** Phrases within which words of the groups do not count. */
  allowed: readonly string[]
}

/** A phrase of a pattern's group. */
export type Phrase = { pattern: number; group: number; phrase: string }
/**
 * A node in the trie of phrases, whose edges are words. `ends` has the phrases that end here; `allows` the patterns for
 * which the phrase that ends here is allowed.
 */
export type PhraseNode = { next: Map<Word, PhraseNode>; ends: Phrase[]; allows: number[] }
export type Matcher = { patterns: readonly Pattern[]; vocabulary: Vocabulary; root: PhraseNode }

/** Compiles many patterns into one matcher, whose matching time does not grow with their number. */
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

/** The words of a phrase in comparable form. If the phrase ends in `*`, the last word is a stem. */
export function phraseWords(phrase: string): Word[] {
  const words = foldWords(phrase)
  const stem = phrase.trimEnd().endsWith('*') ? words.pop() : undefined
  const whole = words.map((letters): Word => ({ letters, kind: 'whole' }))
  return stem === undefined ? whole : [...whole, { letters: stem, kind: 'stem' }]
}

/** The nodes at which a phrase ends: spelled as separate words, and as one word. */
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
