import { t } from 'elysia'

/**
 * Schema of an integer query parameter. Elysia converts only its own types to numbers, and its error lacks the name of
 * the field, so the title states it.
 */
export function wholeNumber(name: string, minimum: number, maximum: number) {
  return t.Integer({
    title: name,
    minimum,
    maximum,
    error: `Expected a whole number from ${minimum} to ${maximum}`,
  })
}
