import { outlineOf } from './outline'
import type { Words } from './tokenize'
import type { StemNode, Vocabulary } from './vocabulary'

/** Signs that people write in the place of a letter. A hyphen and a dot join more often than they hide. */
const masks = new Set([...'*_#•·×'].map((each) => each.charCodeAt(0)))

/**
 * Words that one such sign parts from the next word, and nothing else does so on either side: the halves of `l*ntern`.
 */
export function findMasked(text: string, { starts, ends }: Words): number[] {
  const found: number[] = []
  // Nothing stands before the first word that could part it from another.
  const signAfter = (at: number) =>
    at >= 0 && (starts[at + 1] ?? 0) - (ends[at] ?? 0) === 1 ? text.charCodeAt(ends[at] ?? 0) : 0
  for (let at = 0; at < starts.length - 1; at += 1)
    if (masks.has(signAfter(at)) && !isSign(signAfter(at - 1)) && !isSign(signAfter(at + 1))) found.push(at)
  return found
}

function isSign(code: number): boolean {
  return code > 0 && !/\s/.test(String.fromCharCode(code))
}

/**
 * Which words of the rules begin and end with these two halves, with one letter between: 26 looks at most, and
 * none where no word has such ends and such a length.
 */
export function unmask({ plain, outlines }: Vocabulary, before: string, after: string): readonly number[] {
  const found = new Set<number>()
  if (outlines.has(outlineOf(before, after, before.length + 1 + after.length)))
    for (const letter of letters)
      for (const word of plain.whole.get(before + letter + after) ?? []) found.add(word)
  let node: StemNode | null | undefined = plain.stems
  for (let at = 0; node && at < before.length; at += 1) node = node.next.get(before.charCodeAt(at))
  for (const next of node?.next.values() ?? []) addStems(next, after, found)
  return [...found]
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** The stems that end within a form, from a place in the tree of stems on. */
function addStems(from: StemNode, form: string, found: Set<number>): void {
  let node: StemNode | undefined = from
  for (let at = 0; node; at += 1) {
    for (const word of node.words) found.add(word)
    node = at < form.length ? node.next.get(form.charCodeAt(at)) : undefined
  }
}
