/** The width of a text at a size of one. */
export type Measure = (text: string) => number

type Box = { width: number; linesMax: number; sizeMax: number; sizeMin: number }
export type FittedText = { lines: string[]; size: number }

/** Words are measured by their ink, which leaves a little free at both ends. */
const slack = 1.03
const spaceWidth = 0.25

/**
 * A title broken into lines, at the largest size at which it fits its box. What does not fit at the smallest size is
 * cut at its end, and a title with a word that is wider than the box has no lines.
 */
export function fitText(text: string, box: Box, measure: Measure): FittedText {
  const words = text.split(/\s+/).filter(Boolean)
  const widths = new Map(words.map((word) => [word, measure(word) * slack]))
  const widthOf = (word: string) => widths.get(word) ?? 0
  const widest = Math.max(0, ...widths.values())
  for (let size = box.sizeMax; size >= box.sizeMin; size -= 2) {
    if (widest > box.width / size) continue
    const lines = breakLines(words, widthOf, box.width / size)
    if (lines.length <= box.linesMax) return { lines, size }
    if (size === box.sizeMin) return { lines: cut(lines, box.linesMax), size }
  }
  return { lines: [], size: box.sizeMin }
}

function breakLines(words: readonly string[], widthOf: Measure, lineWidth: number): string[] {
  const lines: string[] = []
  let used = Number.POSITIVE_INFINITY
  for (const word of words) {
    const width = widthOf(word)
    if (used + spaceWidth + width <= lineWidth) {
      lines.push(`${lines.pop()} ${word}`)
      used += spaceWidth + width
    } else {
      lines.push(word)
      used = width
    }
  }
  return lines
}

function cut(lines: readonly string[], linesMax: number): string[] {
  const last = lines[linesMax - 1] ?? ''
  // A word makes room for the dots, or the end of a line's only one.
  const kept = last.replace(/(\s\S+|\S{1,2})$/, '').replace(/[,;:.–—-]+$/, '')
  return [...lines.slice(0, linesMax - 1), `${kept}…`]
}
