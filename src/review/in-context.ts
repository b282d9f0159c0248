import type { DecisionPlace } from '#db/schema'
import type { JudgedText } from '#src/guideline/judge'
import { contextCharacters } from '#src/guideline/rules'

/** The text at a place in an item, with some context on both sides; "…" marks where it is cut. */
export function inContext(
  text: JudgedText,
  { field, start, end }: DecisionPlace,
): { before: string; match: string; after: string } {
  const value = fieldOf(text, field)
  const from = Math.max(0, start - contextCharacters)
  const to = end + contextCharacters
  return {
    before: (from > 0 ? '…' : '') + value.slice(from, start),
    match: value.slice(start, end),
    after: value.slice(end, to) + (to < value.length ? '…' : ''),
  }
}

function fieldOf(text: JudgedText, field: string): string {
  if (field === 'tags') return (text.tags ?? []).join(', ')
  if (field === 'title' || field === 'description' || field === 'excerpt' || field === 'content')
    return text[field] ?? ''
  return ''
}
