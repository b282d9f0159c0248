import { t } from 'elysia'

/**
 * A whole number in a query. Elysia reads numbers from text for its own types only, and forgets on the way
 * which field they were in: the title says it.
 */
export function wholeNumber(name: string, minimum: number, maximum: number) {
  return t.Integer({
    title: name,
    minimum,
    maximum,
    error: `Expected a whole number from ${minimum} to ${maximum}`,
  })
}
