import type { ReactNode } from 'react'
import type { Severity } from './rules'

export type Mark = { start: number; end: number; severity: Severity }

const looks: Record<Severity, string> = { blocking: 'bad', high: 'warn', medium: 'info', low: 'info' }

/**
 * A text with its matches marked and numbered, in the order of `marks`. If two overlap, the one that begins later only
 * has its number. Browser-safe.
 */
export function MarkedText({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const pieces: ReactNode[] = []
  let at = 0
  for (const { start, end, severity, number } of inOrder(marks)) {
    pieces.push(text.slice(at, Math.max(at, start)))
    pieces.push(
      <mark key={number} className={`match match-${looks[severity]}`}>
        {text.slice(Math.max(at, start), Math.max(at, end))}
        <sup>{number}</sup>
      </mark>,
    )
    at = Math.max(at, end)
  }
  return (
    <p className="try-text">
      {pieces}
      {text.slice(at)}
    </p>
  )
}

function inOrder(marks: readonly Mark[]) {
  return marks
    .map((mark, index) => ({ ...mark, number: index + 1 }))
    .sort((one, other) => one.start - other.start || one.number - other.number)
}
