import { t } from 'elysia'

/** A whole number in a query. Elysia reads numbers from text for its own types only. */
export function wholeNumber(minimum: number, maximum: number) {
  return t.Integer({ minimum, maximum, error: `Expected a whole number from ${minimum} to ${maximum}` })
}
