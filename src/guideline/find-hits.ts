import { createTimeSlicer } from '#src/process/time-slice'
import { allowedGroup, type Matcher, type Pattern, type PhraseNode } from './compile'
import { findReadings, type Reading } from './readings'
import { readAllWords, type Words, wordsBetween } from './tokenize'

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

/** Words matched between two pauses: some milliseconds. */
const partWords = 8_000
/**
 * The overlap of two parts, longer than the longest hit: 12 words of a phrase, each in 40 pieces, twice, and the
 * words between.
 */
const overlapWords = 1_000

/**
 * The matches of the patterns in a text, in the order of the text, at most `hitsMax` a pattern. Linear in the length
 * of the text: a phrase has a few words, and a word a few readings. A long text is matched in parts, with pauses in
 * which other requests run.
 */
export async function findHits(matcher: Matcher, text: string, pause = createTimeSlicer()): Promise<Hit[]> {
  const words = await readAllWords(text, pause)
  if (words.forms.length <= partWords + overlapWords) return findIn(matcher, text, words)
  const counts = new Map<number, number>()
  const hits: Hit[] = []
  for (let from = 0; from < words.forms.length; from += partWords) {
    await pause()
    const start = Math.max(0, from - overlapWords)
    const part = wordsBetween(words, start, from + partWords + overlapWords)
    for (const hit of findIn(matcher, text, part)) {
      const firstWord = hit.firstWord + start
      // A hit of the overlap is reported by the part in which it begins.
      if (firstWord <= from || firstWord > from + partWords) continue
      const count = (counts.get(hit.pattern) ?? 0) + 1
      counts.set(hit.pattern, count)
      if (count <= hitsMax) hits.push({ ...hit, firstWord, lastWord: hit.lastWord + start })
    }
  }
  return hits
}

function findIn(matcher: Matcher, text: string, words: Words): Hit[] {
  const readings = findReadings(text, words, matcher.wordsOf)
  const states: (State | undefined)[] = []
  // Patterns that have reached `hitsMax`.
  const full = new Uint8Array(matcher.patterns.length)
  const phrasesFrom = phraseWalker(matcher, readings, full)
  for (let from = 0; from < readings.length; from += 1) {
    if (!readings[from]) continue
    const found = phrasesFrom(from)
    for (const each of found) if (each.group === allowedGroup) allow(stateOf(states, each.pattern), each)
    for (const each of found) {
      if (each.group === allowedGroup) continue
      const state = stateOf(states, each.pattern)
      matchPattern(matcher.patterns, state, each)
      if (state.hits.length >= hitsMax) full[each.pattern] = 1
    }
  }
  return states.flatMap((state) => state?.hits ?? []).sort((a, b) => a.start - b.start || a.end - b.end)
}

type Found = {
  pattern: number
  group: number
  phrase: string
  from: number
  to: number
  start: number
  end: number
}

/** The state of a pattern during the walk through the words. */
type State = {
  hits: Hit[]
  /** The furthest word that an allowed phrase covers. */
  allowedTo: number
  /** The last match of each group. */
  last: (Found | undefined)[]
}

function stateOf(states: (State | undefined)[], pattern: number): State {
  const known = states[pattern]
  if (known) return known
  const state: State = { hits: [], allowedTo: 0, last: [] }
  states[pattern] = state
  return state
}

/** Walks every phrase of the rules that begins with a word of the text. */
function phraseWalker(
  { root }: Matcher,
  readings: readonly (Reading[] | undefined)[],
  full: Uint8Array,
): (from: number) => readonly Found[] {
  /** Nodes of phrases that belong to full patterns only. */
  const spent = new Set<PhraseNode>()
  /**
   * Visited states, once a word has several readings: two ways may meet in one node at one word, and continue as
   * one. A state is the node and the index of the next word, as one number.
   */
  const seen = new Set<number>()
  let isForked = false
  const places = readings.length + 1
  let found: Found[] = []

  const walk = (node: PhraseNode, from: number, at: number, startOfAll: number) => {
    const here = readings[at]
    if (!here) return
    if (here.length > 1) isForked = true
    for (const { word, to, start: ownStart, end } of here) {
      const next = node.next.get(word)
      if (!next) continue
      if (isForked) {
        const way = next.id * places + to
        if (seen.has(way)) continue
        seen.add(way)
      }
      const start = startOfAll < 0 ? ownStart : startOfAll
      if (!spent.has(next)) {
        const before = found.length
        for (const { pattern, group, phrase } of next.endings)
          if (full[pattern] === 0) found.push({ pattern, group, phrase, from, to, start, end })
        if (found.length === before) spent.add(next)
      }
      if (next.next.size > 0) walk(next, from, to, start)
    }
  }
  return (from) => {
    if (found.length > 0) found = []
    if (isForked) seen.clear()
    isForked = false
    walk(root, from, from, -1)
    return found
  }
}

function allow(state: State, { to }: Found): void {
  state.allowedTo = Math.max(state.allowedTo, to)
}

function matchPattern(patterns: readonly Pattern[], state: State, found: Found): void {
  const pattern = patterns[found.pattern]
  // A match within an allowed phrase does not count: the phrase began at or before this word.
  if (!pattern || found.to <= state.allowedTo) return
  if (pattern.groups.length === 1) {
    addHit(state, found)
    return
  }
  const before = state.last[1 - found.group]
  state.last[found.group] = found
  if (!before || (pattern.isOrdered && found.group === 0)) return
  const gap = found.from - before.to
  if (gap < 0 || gap > (pattern.withinWords ?? 0)) return
  addHit(state, {
    ...found,
    phrase: `${before.phrase} … ${found.phrase}`,
    from: before.from,
    start: before.start,
  })
}

function addHit(state: State, { pattern, phrase, start, end, from, to }: Found): void {
  const isKnown = state.hits.some((hit) => hit.start === start && hit.end === end && hit.phrase === phrase)
  if (!isKnown) state.hits.push({ pattern, phrase, start, end, firstWord: from + 1, lastWord: to })
}
