import { invalidField } from '#src/shape/invalid-field'

/** The date in a field of a request. Throws `invalid` for text that is none, or one of no calendar. */
export function readDate(path: string, text: string): Date {
  const date = new Date(text)
  const year = date.getUTCFullYear()
  if (year >= 1 && year <= 9_999) return date
  throw invalidField(path, 'Expected a time such as 2026-11-21T20:15:00Z')
}
