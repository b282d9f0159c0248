import { refusedField } from './invalid-field'

/**
 * Throws `invalid` if the filter in a body has a field that the list does not have. Elysia drops unknown fields before
 * it validates, and a change with an empty filter applies to every row.
 */
export function requireKnownFilter(body: unknown, known: readonly string[]): void {
  if (typeof body !== 'object' || body === null || !('filter' in body)) return
  const unknown = findUnknown(body.filter, known)
  if (unknown !== undefined)
    throw refusedField(`filter.${unknown}`, wordsFor(unknown, 'filter of this list', known))
}

/** Throws `invalid` for a query parameter that a call does not have. */
export function requireKnownQuery(query: unknown, known: readonly string[]): void {
  const unknown = findUnknown(query, known)
  if (unknown !== undefined) throw refusedField(unknown, wordsFor(unknown, 'parameter of this call', known))
}

const findUnknown = (given: unknown, known: readonly string[]) =>
  Object.keys(Object(given)).find((name) => !known.includes(name))

const wordsFor = (unknown: string, what: string, known: readonly string[]) =>
  `${JSON.stringify(unknown)} is not a ${what}. ${known.length > 0 ? `Use ${known.join(', ')}.` : 'It has none.'}`
