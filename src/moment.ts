import { Refusal } from '#src/refusal'

/** The moment that a field of a request names. Throws `invalid` for what names none, or one of no calendar. */
export function readMoment(path: string, text: string): Date {
  const moment = new Date(text)
  const year = moment.getUTCFullYear()
  if (year >= 1 && year <= 9_999) return moment
  const message = 'Expected a time such as 2026-11-21T20:15:00Z'
  throw new Refusal('invalid', `${path}: ${message}`, { fields: [{ path, message }] })
}
