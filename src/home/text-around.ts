/** Characters of the interrupted sentence: two lines of the card. */
const charactersMax = 110

/**
 * The end of what was heard or read at a share of a text: "…and with it, every Thursday, a letter." Empty without a
 * text.
 */
export function textAround(text: string, share: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat === '') return ''
  const at = Math.min(flat.length - 1, Math.floor(share * flat.length))
  const end = endOfSentence(flat, at)
  const from = Math.max(0, end - charactersMax)
  const start = from === 0 ? 0 : flat.indexOf(' ', from) + 1
  return `${start > 0 ? '…' : ''}${flat.slice(start, end)}${end < flat.length && !/[.!?…”’"]$/.test(flat.slice(0, end)) ? '…' : ''}`
}

/** Where the sentence at a place ends; a very long one ends at the next word. */
function endOfSentence(text: string, at: number): number {
  const mark = text.slice(at).search(/[.!?…][”’"]?(\s|$)/)
  if (mark >= 0 && mark < charactersMax / 2)
    return at + mark + 1 + (/[”’"]/.test(text[at + mark + 1] ?? '') ? 1 : 0)
  const space = text.indexOf(' ', at)
  return space < 0 ? text.length : space
}
