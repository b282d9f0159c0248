import { invalidField } from './invalid-field'

/**
 * Parses an instant (ISO 8601, with its zone) in the field `path`. Throws `invalid` for other formats, even if `Date`
 * accepts them: it reads 05/06 as the sixth of May, a time without a zone as the server's, and 30 February as a day in
 * March.
 */
export function readInstant(text: string, path: string): Date {
  const instant = isInstant.test(text) && isDayOfCalendar(text.slice(0, 10)) ? new Date(text) : null
  if (!instant || Number.isNaN(instant.getTime()))
    throw invalidField(path, 'Expected a time with its zone, such as 2026-11-21T20:15:00Z')
  return instant
}

const isInstant = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a day exists: `2026-02-30` does not. */
export function isDayOfCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day) && day >= '0001'
}
