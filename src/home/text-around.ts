/** Length of the excerpt: two lines of the card. */
const charactersMax = 110

/**
 * The last part of a text that was heard or read, up to a share of it: "…and with it, every Thursday, a letter." Empty
 * without a text.
 */
export function textAround(text: string, share: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat === '') return ''
  const at = Math.min(flat.length - 1, Math.floor(share * flat.length))
  const end = endOfSentence(flat, at)
  const from = Math.max(0, end - charactersMax)
  const start = from === 0 ? 0 : startOfSentence(flat, from, end)
  const isInside = start > 0 && !endMark.test(flat.slice(0, start).trimEnd())
  const isCut = end < flat.length && !endMark.test(flat.slice(0, end))
  return `${isInside ? '…' : ''}${flat.slice(start, end)}${isCut ? '…' : ''}`
}

const endMark = /[.!?…”’"]$/

/** The start of the first sentence after a position, if that is near; otherwise the start of the next word. */
function startOfSentence(text: string, from: number, end: number): number {
  const mark = /[.!?…][”’"]?\s+/.exec(text.slice(from, Math.min(end, from + charactersMax / 2)))
  const start = mark ? from + mark.index + mark[0].length : end
  return start < end ? start : text.indexOf(' ', from) + 1
}

/** The end of the sentence at a position; a very long one ends at the next word. */
function endOfSentence(text: string, at: number): number {
  const mark = text.slice(at).search(/[.!?…][”’"]?(\s|$)/)
  if (mark >= 0 && mark < charactersMax / 2)
    return at + mark + 1 + (/[”’"]/.test(text[at + mark + 1] ?? '') ? 1 : 0)
  const space = text.indexOf(' ', at)
  return space < 0 ? text.length : space
}
