import { diffArrays } from 'diff'
import { createTimeSlicer } from '#src/process/time-slice'
import { type Script, type ScriptNode, stripScript, tidyScript } from './script'

/**
 * The script over another text, as any editor with styles does it: what stays keeps its marks, what is written over
 * something takes the marks of what it replaces, what is put in those of what stands before it. A mark whose words are
 * all gone goes with them. Null for a text that shares too little with the script's own to be an edit of it.
 */
export async function carryScript(script: Script, text: string): Promise<Script | null> {
  const own = stripScript(script)
  const pause = createTimeSlicer()
  const { texts, lay } = layOver(leavesOf(script))
  let kept = 0
  for (const piece of alignTexts(own, text, { steps: stepsMax })) {
    lay(piece)
    if (piece.before === piece.after) kept += piece.after.length
    await pause()
  }
  if (kept === 0 || kept < Math.min(own.length, text.length) / 2) return null
  return tidyScript(withTexts(script, texts))
}

/** A stretch of both texts: the same in both, or written over, put in (no `before`) or taken out (no `after`). */
type Piece = { before: string; after: string }

/**
 * Lines are compared first, then the sentences of those that differ, then their words. The time of a comparison grows
 * with the square of the differences: with as many as these it ends within some 15 ms, and what differs more is one
 * stretch. So is what is longer than any line or sentence, of which there would be too many units.
 */
const units = [
  { pattern: /[^\n]*\n|[^\n]+/g, differencesMax: 200, charactersMax: Number.POSITIVE_INFINITY },
  {
    pattern: /\P{Sentence_Terminal}*\p{Sentence_Terminal}+|\P{Sentence_Terminal}+/gu,
    differencesMax: 200,
    charactersMax: Number.POSITIVE_INFINITY,
  },
  { pattern: /\s+|[\p{L}\p{M}\p{N}'’]+|./gsu, differencesMax: 60, charactersMax: 100_000 },
]

/** Squares of differences in all comparisons of one text, some 100 ms: enough for a word in each line of a book. */
const stepsMax = 200_000

function* alignTexts(
  before: string,
  after: string,
  budget: { steps: number },
  [unit, ...finer] = units,
): Generator<Piece> {
  if (before === after || before === '' || after === '' || !unit) {
    if (before !== after || before !== '') yield { before, after }
    return
  }
  if (Math.max(before.length, after.length) > unit.charactersMax) return yield { before, after }
  const from: string[] = before.match(unit.pattern) ?? []
  const to: string[] = after.match(unit.pattern) ?? []
  const changes = compare(from, to, budget, unit.differencesMax)
  if (changes) {
    for (const changed of stretchesOf(changes))
      yield* alignTexts(changed.before, changed.after, budget, finer)
  } else if (from.length === to.length) {
    // A name that was replaced everywhere: each with its own.
    for (const [at, each] of from.entries()) yield* alignTexts(each, to[at] ?? '', budget, finer)
  } else yield { before, after }
}

/** Undefined where there are too many differences. */
function compare(from: string[], to: string[], budget: { steps: number }, differencesMax: number) {
  const maxEditLength = Math.min(differencesMax, Math.floor(Math.sqrt(budget.steps)))
  if (maxEditLength < 2 || (from.length === 1 && to.length === 1)) return undefined
  const changes = diffArrays(from, to, { maxEditLength })
  const differences = changes?.reduce(
    (sum, { added, removed, count }) => (added || removed ? sum + count : sum),
    0,
  )
  budget.steps -= (differences ?? maxEditLength) ** 2
  return changes
}

/** Neighbouring changes as one. */
function* stretchesOf(changes: ReturnType<typeof diffArrays<string>>): Generator<Piece> {
  let changed = { before: '', after: '' }
  for (const { value, added, removed } of changes) {
    const text = value.join('')
    if (removed) changed.before += text
    else if (added) changed.after += text
    else {
      yield changed
      yield { before: text, after: text }
      changed = { before: '', after: '' }
    }
  }
  yield changed
}

/** The texts of a script, in its order. */
function leavesOf(script: Script): string[] {
  return script.flatMap((node) =>
    node.kind === 'text' ? [node.text] : node.kind === 'pause' ? [] : leavesOf(node.children),
  )
}

/** The new text of each leaf, once each piece has been laid in its order. */
function layOver(leaves: readonly string[]): { texts: string[]; lay(piece: Piece): void } {
  const texts = leaves.map(() => '')
  let leaf = 0
  let at = 0
  const lengthOf = (index: number) => leaves[index]?.length ?? 0
  const add = (text: string) => {
    texts[leaf] = (texts[leaf] ?? '') + text
  }
  /** Goes on through the old text, leaf by leaf. */
  const pass = (length: number, visit: (from: number, to: number) => void) => {
    for (let passed = 0; passed < length; ) {
      while (at === lengthOf(leaf)) [leaf, at] = [leaf + 1, 0]
      const step = Math.min(lengthOf(leaf) - at, length - passed)
      visit(passed, passed + step)
      at += step
      passed += step
    }
  }
  const lay = ({ before, after }: Piece) => {
    const isKept = before === after
    if (before === '') add(after)
    pass(before.length, (from, to) => {
      if (isKept) add(after.slice(from, to))
      else if (from === 0) add(after)
    })
  }
  return { texts, lay }
}

/** The script with these texts in place of its own. */
function withTexts(script: Script, texts: readonly string[]): Script {
  const rest = texts[Symbol.iterator]()
  const lay = (nodes: Script): ScriptNode[] =>
    nodes.map((node) => {
      if (node.kind === 'text') return { kind: 'text', text: rest.next().value ?? '' }
      return node.kind === 'pause' ? node : { ...node, children: lay(node.children) }
    })
  return lay(script)
}
