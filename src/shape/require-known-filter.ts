import { refusedField } from './invalid-field'

/**
 * Refuses the body of a change of all that match, where its filter names a field that the list does not have. Elysia
 * drops unknown fields before it validates, and without them everything matches. Throws `invalid`.
 */
export function requireKnownFilter(body: unknown, known: readonly string[]): void {
  if (typeof body !== 'object' || body === null || !('filter' in body)) return
  const unknown = Object.keys(Object(body.filter)).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw refusedField(
      `filter.${unknown}`,
      `${JSON.stringify(unknown)} is no filter of this list. Use ${known.join(', ')}.`,
    )
}
