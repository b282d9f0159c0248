import { createTimeSlicer } from '#src/process/time-slice'
import type { Matcher, Pattern, Phrase, PhraseNode } from './compile'
import { foldText } from './fold-text'
import { createReader, type Place, type Reading } from './readings'

/** A match of a pattern in a text. */
export type Hit = Place & { pattern: number; phrase: string }

/** Most hits reported for one pattern. Further ones in the same text add nothing. */
export const hitsMax = 50

/** Words matched between two pauses, which takes at most a millisecond. */
const wordsBetweenPauses = 128

/**
 * Finds the matches of the patterns in a text, in the order of the text, at most `hitsMax` per pattern. The time is
 * linear in the length of the text: a phrase has a few words, and a word a few readings.
 */
export async function findHits(matcher: Matcher, text: string, pause = createTimeSlicer()): Promise<Hit[]> {
  const folded = await foldText(text, pause)
  const readingsAt = createReader(matcher.vocabulary, folded)
  const states = matcher.patterns.map((pattern): State => ({ pattern, hits: [], allowedTo: 0, last: [] }))
  /** The phrases to report at each node met so far, without those whose patterns have reached `hitsMax`. */
  const open = new Map<PhraseNode, Phrase[]>()
  for (const from of folded.starts.keys()) {
    if (from % wordsBetweenPauses === 0) await pause()
    matchPhrases(states, open, findPhrases(matcher.root, readingsAt, from))
  }
  const hits = states.flatMap((state) => state.hits)
  return hits.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** The state of a pattern during the walk through the words. `last` has the last match of each group. */
type State = { pattern: Pattern; hits: Hit[]; allowedTo: number; last: Hit[] }

type FoundNode = Place & { node: PhraseNode }

/** The nodes of the trie that the text reaches from a word on. The first entry is the root. */
function findPhrases(
  root: PhraseNode,
  readingsAt: (from: number) => readonly Reading[],
  from: number,
): FoundNode[] {
  const found: FoundNode[] = [{ node: root, start: 0, end: 0, firstWord: 0, lastWord: from }]
  // The list grows during this loop.
  for (const before of found)
    for (const reading of readingsAt(before.lastWord)) {
      const { word, end, lastWord } = reading
      const node = before.node.next.get(word)
      // Two ways of reading that arrive at the same node and word continue as one.
      if (!node || found.some((each) => each.node === node && each.lastWord === lastWord)) continue
      const { start, firstWord } = before.node === root ? reading : before
      found.push({ node, start, end, firstWord, lastWord })
    }
  return found
}

/** Updates the states of the patterns by the phrases that begin with a word. */
function matchPhrases(states: State[], open: Map<PhraseNode, Phrase[]>, found: readonly FoundNode[]): void {
  for (const { node, lastWord } of found)
    for (const pattern of node.allows) {
      const state = states[pattern]
      if (state) state.allowedTo = Math.max(state.allowedTo, lastWord)
    }
  for (const { node, start, end, firstWord, lastWord } of found) {
    const ends = open.get(node) ?? node.ends
    if (ends.length === 0) continue
    const unspent = ends.filter(({ pattern }) => (states[pattern]?.hits.length ?? hitsMax) < hitsMax)
    open.set(node, unspent)
    for (const { pattern, group, phrase } of unspent)
      matchPhrase(states[pattern], group, { pattern, phrase, start, end, firstWord, lastWord })
  }
}

function matchPhrase(state: State | undefined, group: number, found: Hit): void {
  // A match within an allowed phrase, which began at or before this word, does not count.
  if (!state || found.lastWord <= state.allowedTo) return
  const { groups, isOrdered, withinWords = 0 } = state.pattern
  const before = state.last[1 - group]
  state.last[group] = found
  if (groups.length === 1) addHit(state, found)
  if (!before || (isOrdered && group === 0)) return
  const gap = found.firstWord - 1 - before.lastWord
  if (gap < 0 || gap > withinWords) return
  const { start, firstWord } = before
  addHit(state, { ...found, phrase: `${before.phrase} … ${found.phrase}`, start, firstWord })
}

function addHit({ hits }: State, hit: Hit): void {
  const { start, end, phrase } = hit
  if (hits.some((each) => each.start === start && each.end === end && each.phrase === phrase)) return
  if (hits.length < hitsMax) hits.push(hit)
}
