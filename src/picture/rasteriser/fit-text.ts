/** Measures the width of a text at a font size of one. */
export type Measure = (text: string) => number

type Box = { width: number; linesMax: number; sizeMax: number; sizeMin: number }
export type FittedText = { lines: string[]; size: number }

/** The measured width of a word is that of its ink, so a little space at both ends is added. */
const slack = 1.03
const spaceWidth = 0.25

/**
 * Breaks a title into lines, at the largest size at which it fits its box. A title that is too long at the smallest
 * size is cut at its end. One with a word wider than the box has no lines.
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
  // The last word is removed for the ellipsis; if the line has only one word, its end is.
  const kept = last.replace(/(\s\S+|\S{1,2})$/, '').replace(/[,;:.–—-]+$/, '')
  return [...lines.slice(0, linesMax - 1), `${kept}…`]
}
