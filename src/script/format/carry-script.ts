import { diffArrays } from 'diff'
import { createTimeSlicer } from '#src/process/time-slice'
import { type Script, type ScriptNode, stripScript, tidyScript } from './script'

/**
 * Carries a script over to another text, like any editor with styles. Unchanged text keeps its marks; replacements take
 * the marks of what they replace; insertions take those of the text before them. A mark that loses all its words is
 * dropped. Null if the texts have too little in common for one to be an edit of the other.
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

/** A stretch of both texts: unchanged, replaced, inserted (`before` is empty) or deleted (`after` is empty). */
type Piece = { before: string; after: string }

/**
 * Units of comparison: first lines, then the sentences of lines that differ, then their words. The time of a comparison
 * grows with the square of the differences, and stays within some 15 ms up to these limits. Texts with more differences
 * count as one replaced stretch, and so does text longer than any line or sentence, which would have too many units.
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

/**
 * Budget for the sum of squared differences in all comparisons of one text, some 100 ms: enough for one word in each
 * line of a book.
 */
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
    // The number of units is the same, as after replacing a name everywhere: each is compared with its counterpart.
    for (const [at, each] of from.entries()) yield* alignTexts(each, to[at] ?? '', budget, finer)
  } else yield { before, after }
}

/** Undefined if there are too many differences. */
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

/** Joins neighbouring changes into one. */
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

/** The texts of a script, in order. */
function leavesOf(script: Script): string[] {
  return script.flatMap((node) =>
    node.kind === 'text' ? [node.text] : node.kind === 'pause' ? [] : leavesOf(node.children),
  )
}

/**
 * Distributes a new text over the leaves of the old one. `lay` takes the pieces in order; `texts` then has the new text
 * of each leaf.
 */
function layOver(leaves: readonly string[]): { texts: string[]; lay(piece: Piece): void } {
  const texts = leaves.map(() => '')
  let leaf = 0
  let at = 0
  const lengthOf = (index: number) => leaves[index]?.length ?? 0
  const add = (text: string) => {
    texts[leaf] = (texts[leaf] ?? '') + text
  }
  /** Advances through the old text, leaf by leaf. */
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

/** The script with its texts replaced by these. */
function withTexts(script: Script, texts: readonly string[]): Script {
  const rest = texts[Symbol.iterator]()
  const lay = (nodes: Script): ScriptNode[] =>
    nodes.map((node) => {
      if (node.kind === 'text') return { kind: 'text', text: rest.next().value ?? '' }
      return node.kind === 'pause' ? node : { ...node, children: lay(node.children) }
    })
  return lay(script)
}
