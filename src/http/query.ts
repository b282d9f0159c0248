import { t } from 'elysia'

/**
 * A whole number in a query. Elysia parses numbers for its own types only, and its error lacks the name of the
 * field: the title states it.
 */
export function wholeNumber(name: string, minimum: number, maximum: number) {
  return t.Integer({
    title: name,
    minimum,
    maximum,
    error: `Expected a whole number from ${minimum} to ${maximum}`,
  })
}
