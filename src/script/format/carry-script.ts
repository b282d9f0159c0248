import { diffArrays } from 'diff'
import { type Script, type ScriptNode, stripScript, tidyScript } from './script'

/**
 * The script over another text, as any editor with styles does it: what stays keeps its marks, what is written over
 * something takes the marks of what it replaces, what is put in those of what stands before it. A mark whose words are
 * all gone goes with them. Null for a text that shares too little with the script's own to be an edit of it.
 */
export function carryScript(script: Script, text: string): Script | null {
  const own = stripScript(script)
  const pieces = [...alignTexts(own, text)]
  const kept = pieces.reduce((sum, { before, after }) => sum + (before === after ? after.length : 0), 0)
  if (kept === 0 || kept < Math.min(own.length, text.length) / 2) return null
  const texts = layOver(leavesOf(script), pieces)
  return tidyScript(withTexts(script, texts))
}

/** A stretch of both texts: the same in both, or written over, put in (no `before`) or taken out (no `after`). */
type Piece = { before: string; after: string }

/**
 * Lines are compared first, and words only within those that differ. The time grows with the square of the differences:
 * with as many as these, a book is compared in some 30 ms, and what differs more is one stretch.
 */
const units = [
  { pattern: /[^\n]*\n|[^\n]+/g, differencesMax: 200 },
  { pattern: /\s+|[\p{L}\p{M}\p{N}'’]+|./gsu, differencesMax: 60 },
]

function* alignTexts(before: string, after: string, [unit, ...finer] = units): Generator<Piece> {
  if (before === after || before === '' || after === '' || !unit) {
    if (before !== after || before !== '') yield { before, after }
    return
  }
  const from: string[] = before.match(unit.pattern) ?? []
  const to: string[] = after.match(unit.pattern) ?? []
  const changes = diffArrays(from, to, { maxEditLength: unit.differencesMax })
  if (changes) {
    for (const changed of stretchesOf(changes)) yield* alignTexts(changed.before, changed.after, finer)
  } else if (from.length === to.length) {
    // A name that was replaced everywhere: each with its own.
    for (const [at, each] of from.entries()) yield* alignTexts(each, to[at] ?? '', finer)
  } else yield { before, after }
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

/** The new text of each leaf. */
function layOver(leaves: readonly string[], pieces: readonly Piece[]): string[] {
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
  for (const { before, after } of pieces) {
    const isKept = before === after
    if (before === '') add(after)
    pass(before.length, (from, to) => {
      if (isKept) add(after.slice(from, to))
      else if (from === 0) add(after)
    })
  }
  return texts
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
