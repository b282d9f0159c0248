import { createTimeSlicer } from '#src/process/time-slice'
import type { Matcher, Pattern, Phrase, PhraseNode } from './compile'
import { type FoldedText, foldText } from './fold-text'
import { createReader, type Reading } from './readings'

/**
 * A match of a pattern in a text. `start` and `end` are offsets into the text as it was given (UTF-16, `end`
 * exclusive); `firstWord` and `lastWord` count its words from 1.
 */
export type Hit = {
  pattern: number
  phrase: string
  start: number
  end: number
  firstWord: number
  lastWord: number
}

/** Hits reported of one pattern at most: further ones in the same text add nothing. */
export const hitsMax = 50

/** Words matched between two pauses: at most a millisecond. */
const wordsBetweenPauses = 128

/**
 * The matches of the patterns in a text, in the order of the text, at most `hitsMax` a pattern. Linear in the length
 * of the text: a phrase has a few words, and a word a few readings.
 */
export async function findHits(matcher: Matcher, text: string, pause = createTimeSlicer()): Promise<Hit[]> {
  const folded = await foldText(text, pause)
  const states = matcher.patterns.map((pattern): State => ({ pattern, hits: [], allowedTo: 0, last: [] }))
  const readingsAt = createReader(matcher.vocabulary, folded)
  /** Nodes of phrases whose patterns have all reached `hitsMax`. */
  const spent = new Set<PhraseNode>()
  for (let from = 0; from < folded.starts.length; from += 1) {
    if (from % wordsBetweenPauses === 0) await pause()
    matchPhrases(states, spent, findPhrases(matcher.root, readingsAt, from))
  }
  const hits = states.flatMap((state) => state.hits.map((found) => hitOf(folded, found)))
  return hits.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Words of a text from one up to but without another, and places in the folded text. */
type Place = { from: number; to: number; start: number; end: number }
type Found = Phrase & Place
type FoundNode = Place & { node: PhraseNode }

/** The state of a pattern during the walk through the words: `last` has the last match of each group. */
type State = { pattern: Pattern; hits: Found[]; allowedTo: number; last: Found[] }

/** The ends of all phrases that begin with a word. */
function findPhrases(
  root: PhraseNode,
  readingsAt: (at: number) => readonly Reading[],
  from: number,
): FoundNode[] {
  const found: FoundNode[] = []
  const advance = (before: PhraseNode, at: number, begun?: number) => {
    for (const { word, to, start, end } of readingsAt(at)) {
      const node = before.next.get(word)
      // Two ways that arrive at the same node and word continue as one.
      if (node && !found.some((each) => each.node === node && each.to === to))
        found.push({ node, from, to, start: begun ?? start, end })
    }
  }
  advance(root, from)
  // The list grows while it is walked.
  for (const { node, to, start } of found) advance(node, to, start)
  return found
}

/** Takes the phrases that begin with a word into the states of their patterns. */
function matchPhrases(states: readonly State[], spent: Set<PhraseNode>, found: readonly FoundNode[]): void {
  for (const { node, to } of found)
    for (const pattern of node.allows) {
      const state = states[pattern]
      if (state) state.allowedTo = Math.max(state.allowedTo, to)
    }
  for (const { node, ...place } of found) {
    if (spent.has(node)) continue
    const open = node.ends.filter(({ pattern }) => (states[pattern]?.hits.length ?? hitsMax) < hitsMax)
    if (open.length === 0) spent.add(node)
    for (const phrase of open) matchPhrase(states[phrase.pattern], { ...phrase, ...place })
  }
}

function matchPhrase(state: State | undefined, found: Found): void {
  // A match within an allowed phrase does not count: the phrase began at or before this word.
  if (!state || found.to <= state.allowedTo) return
  const { groups, isOrdered, withinWords = 0 } = state.pattern
  if (groups.length === 1) {
    addHit(state, found)
    return
  }
  const before = state.last[1 - found.group]
  state.last[found.group] = found
  if (!before || (isOrdered && found.group === 0)) return
  const gap = found.from - before.to
  if (gap < 0 || gap > withinWords) return
  const { from, start } = before
  addHit(state, { ...found, phrase: `${before.phrase} … ${found.phrase}`, from, start })
}

function addHit({ hits }: State, found: Found): void {
  const { start, end, phrase } = found
  if (hits.some((hit) => hit.start === start && hit.end === end && hit.phrase === phrase)) return
  if (hits.length < hitsMax) hits.push(found)
}

function hitOf({ original, offsets }: FoldedText, { pattern, phrase, from, to, start, end }: Found): Hit {
  const last = offsets[end - 1] ?? 0
  const lastCharacter = String.fromCodePoint(original.codePointAt(last) ?? 0)
  const place = { start: offsets[start] ?? 0, end: last + lastCharacter.length }
  return { pattern, phrase, ...place, firstWord: from + 1, lastWord: to }
}
