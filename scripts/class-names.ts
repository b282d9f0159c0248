/**
 * Class names of a source, and beginnings of names that are completed at run time: `btn-${kind}` begins with `btn-`.
 */
export type ClassNames = { names: Set<string>; beginnings: Set<string> }

/**
 * The start of a list of classes: an attribute of markup (`class="`, `className={`), a DOM property (`className = `,
 * `className: `, `classList.add(`), or a table whose name ends in `Classes`.
 */
const listStart = /\bclass(?:Name)?=(?=["{])|\bclassName(?: =|:) |\bclassList\.\w+(?=\()|\w+Classes = (?={)/g

/**
 * Finds the class names in the class attributes of TSX, TypeScript or HTML. Prose, properties and texts are not read.
 */
export function findClassNames(source: string): ClassNames {
  const found: ClassNames = { names: new Set(), beginnings: new Set() }
  for (const { index, 0: start } of source.matchAll(listStart)) readLists(source, index + start.length, found)
  return found
}

/** Reads the strings of one expression up to its end. Returns the position after it. */
function readLists(source: string, from: number, found: ClassNames): number {
  let depth = 0
  let at = from
  while (at < source.length) {
    const character = source[at] ?? ''
    if (/["'`]/.test(character)) {
      at = readString(source, at, found)
      if (depth === 0) return at
    } else if (/[{([]/.test(character)) {
      depth += 1
      at += 1
    } else if (/[})\]]/.test(character)) {
      depth -= 1
      at += 1
      if (depth <= 0) return at
    } else if (depth === 0 && /[,;\n]/.test(character)) return at
    else at += 1
  }
  return at
}

/** Compared values are not class names: `kind === 'info'`. */
const comparison = /[!=]==?\s*$/

function readString(source: string, from: number, found: ClassNames): number {
  const quote = source[from]
  const isClass = !comparison.test(source.slice(Math.max(0, from - 8), from))
  let text = ''
  let at = from + 1
  while (at < source.length && source[at] !== quote) {
    if (quote === '`' && source.startsWith('${', at)) {
      text += hole
      at = readLists(source, at + 1, found)
    } else {
      text += source[at]
      at += 1
    }
  }
  if (isClass) addNames(text, found)
  return at + 1
}

/** Placeholder for a value in a template's text. */
const hole = '\0'

function addNames(text: string, { names, beginnings }: ClassNames): void {
  for (const word of text.split(/\s+/)) {
    const [beginning = '', ...rest] = word.split(hole)
    if (beginning) (rest.length > 0 ? beginnings : names).add(beginning)
  }
}
