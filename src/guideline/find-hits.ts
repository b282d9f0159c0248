import { allowedGroup, type Matcher, type Pattern, type PhraseNode } from './compile'
import { readWords } from './read-words'
import { findReadings, type Reading } from './readings'

/**
 * Where a text meets a pattern. `start` and `end` are offsets into the text as it was given (UTF-16, `end`
 * behind the last character); `firstWord` and `lastWord` count its words from 1.
 */
export type Hit = {
  pattern: number
  phrase: string
  start: number
  end: number
  firstWord: number
  lastWord: number
}

/** What a report needs of one pattern; a text that repeats one word a million times has no more to say. */
export const hitsMax = 50

/**
 * The places where a text meets a pattern, in the order of the text, at most `hitsMax` a pattern. Linear in
 * the length of the text: a phrase has a few words, and a word a few readings.
 */
export function findHits(matcher: Matcher, text: string): Hit[] {
  const words = readWords(text)
  const readings = findReadings(text, words, matcher.wordsOf)
  const states: (State | undefined)[] = []
  // Patterns that have all the hits that are reported, and phrases that none but these are interested in.
  const full = new Uint8Array(matcher.patterns.length)
  const spent = new Set<PhraseNode>()
  for (let from = 0; from < readings.length; from += 1) {
    if (!readings[from]?.some(({ word }) => matcher.root.next.has(word))) continue
    const found = phrasesFrom(matcher.root, readings, from, full, spent)
    for (const each of found) if (each.group === allowedGroup) allow(stateOf(states, each.pattern), each)
    for (const each of found)
      if (each.group !== allowedGroup) {
        const state = stateOf(states, each.pattern)
        meet(matcher.patterns, state, each)
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

/** What is known of a pattern while the words go by. */
type State = {
  hits: Hit[]
  /** The furthest word that an allowed phrase covers. */
  allowedTo: number
  /** By group, what was met last. */
  last: (Found | undefined)[]
}

function stateOf(states: (State | undefined)[], pattern: number): State {
  const known = states[pattern]
  if (known) return known
  const state: State = { hits: [], allowedTo: 0, last: [] }
  states[pattern] = state
  return state
}

/** Every phrase of the rules that begins with a word. `seen` keeps what is reached in two ways to one. */
function phrasesFrom(
  root: PhraseNode,
  readings: readonly (Reading[] | undefined)[],
  from: number,
  full: Uint8Array,
  spent: Set<PhraseNode>,
): Found[] {
  const found: Found[] = []
  const seen = new Map<PhraseNode, Set<number>>()
  const walk = (node: PhraseNode, at: number, startOfAll: number | null) => {
    for (const { word, to, start: ownStart, end } of readings[at] ?? []) {
      const next = node.next.get(word)
      if (!next) continue
      const ends = seen.get(next) ?? new Set()
      if (ends.has(to)) continue
      seen.set(next, ends.add(to))
      const start = startOfAll ?? ownStart
      if (!spent.has(next)) {
        const before = found.length
        for (const { pattern, group, phrase } of next.endings)
          if (full[pattern] === 0) found.push({ pattern, group, phrase, from, to, start, end })
        if (found.length === before) spent.add(next)
      }
      if (next.next.size > 0) walk(next, to, start)
    }
  }
  walk(root, from, null)
  return found
}

function allow(state: State, { to }: Found): void {
  state.allowedTo = Math.max(state.allowedTo, to)
}

function meet(patterns: readonly Pattern[], state: State, found: Found): void {
  const pattern = patterns[found.pattern]
  // What lies within an allowed phrase does not count: it began at or before this word.
  if (!pattern || found.to <= state.allowedTo) return
  if (pattern.groups.length === 1) {
    keep(state, found)
    return
  }
  const before = state.last[1 - found.group]
  state.last[found.group] = found
  if (!before || (pattern.isOrdered && found.group === 0)) return
  const gap = found.from - before.to
  if (gap < 0 || gap > (pattern.withinWords ?? 0)) return
  keep(state, {
    ...found,
    phrase: `${before.phrase} … ${found.phrase}`,
    from: before.from,
    start: before.start,
  })
}

function keep(state: State, { pattern, phrase, start, end, from, to }: Found): void {
  const isKnown = state.hits.some((hit) => hit.start === start && hit.end === end && hit.phrase === phrase)
  if (!isKnown) state.hits.push({ pattern, phrase, start, end, firstWord: from + 1, lastWord: to })
}
