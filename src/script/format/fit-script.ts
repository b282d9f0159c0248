import { placeOf } from './parse-script'
import { type Script, type ScriptNode, stripScript, tidyScript } from './script'

/**
 * The first difference between a script and the author's text. The position is in the script's text without its marks.
 */
export type Departure = { line: number; column: number; expected: string; found: string }
export type FittedScript = { script: Script; departure: null } | { script: null; departure: Departure }

/**
 * Returns the script with exactly the author's text under its marks. White space is taken from the author, so that an
 * editor's line ends or a model's lost paragraphs do no harm. Any other difference is returned as a departure.
 */
export function fitScript(script: Script, text: string): FittedScript {
  const stripped = stripScript(script)
  if (stripped === text) return { script: tidyScript(script), departure: null }
  const departure = firstDeparture(stripped, text)
  if (departure) return { script: null, departure }
  return { script: tidyScript(laidOver(script, text)), departure: null }
}

/** "Line 3, column 5: the author's text has “harbour”, the script “harbor”. Only marks may be added." */
export function departureText({ line, column, expected, found }: Departure): string {
  const quote = (word: string) => (word ? `“${word}”` : 'nothing more')
  return `Line ${line}, column ${column}: the author's text has ${quote(expected)}, the script ${quote(found)}. Only marks may be added.`
}

const space = /\s/

function firstDeparture(stripped: string, text: string): Departure | null {
  let a = 0
  let b = 0
  for (;;) {
    while (a < stripped.length && space.test(stripped.charAt(a))) a += 1
    while (b < text.length && space.test(text.charAt(b))) b += 1
    if (a >= stripped.length && b >= text.length) return null
    if (a >= stripped.length || b >= text.length || stripped.charAt(a) !== text.charAt(b)) {
      // If they differ within a word, both words are shown whole; if between two words, the next ones.
      const isInside =
        a > 0 && b > 0 && !space.test(stripped.charAt(a - 1)) && !space.test(text.charAt(b - 1))
      const from = isInside ? wordStart(stripped, a) : a
      return {
        ...placeOf(stripped, from),
        expected: wordAt(text, isInside ? wordStart(text, b) : b),
        found: wordAt(stripped, from),
      }
    }
    a += 1
    b += 1
  }
}

function wordStart(text: string, at: number): number {
  let start = at
  while (start > 0 && !space.test(text.charAt(start - 1))) start -= 1
  return start
}

function wordAt(text: string, from: number): string {
  return /^\S*/.exec(text.slice(from, from + 60))?.[0] ?? ''
}

/**
 * Distributes the author's text over the leaves, given that both texts have the same characters apart from white space.
 * A leaf that ends in white space gets the author's white space there.
 */
function laidOver(script: Script, text: string): Script {
  let at = 0
  /** The end of the white space before the next character of the text. */
  const spaceEnd = (from: number) => {
    let end = from
    while (end < text.length && space.test(text.charAt(end))) end += 1
    return end
  }
  const takeText = (leaf: string): string => {
    const from = at
    const signs = leaf.replace(/\s+/g, '').length
    if (signs === 0) return ''
    for (let seen = 0; seen < signs; ) {
      if (!space.test(text.charAt(at))) seen += 1
      at += 1
    }
    if (space.test(leaf.charAt(leaf.length - 1))) at = spaceEnd(at)
    return text.slice(from, at)
  }
  const lay = (nodes: Script): ScriptNode[] =>
    nodes.map((node) => {
      if (node.kind === 'text') return { kind: 'text', text: takeText(node.text) }
      return node.kind === 'pause' ? node : { ...node, children: lay(node.children) }
    })
  const laid = lay(script)
  return at < text.length ? [...laid, { kind: 'text', text: text.slice(at) }] : laid
}
