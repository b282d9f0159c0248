import { isId } from '#src/shape/id'

/** Field names of ids in a body. Other fields, such as a password, may look like an id by chance. */
export const namesOfIds = /(^i|I)ds?$/

/**
 * Lower-cases ids, as the database writes them. A UUID is the same in either case (RFC 9562 §4), but rate limits, maps
 * and comparisons use its text. Ids in a query are left to the database: with a hook that reads queries, Elysia would
 * parse the query, headers and cookies of every call.
 */
export function lowerIds(fields: unknown, names = /^/): void {
  if (typeof fields !== 'object' || fields === null) return
  for (const [name, value] of Object.entries(fields))
    if (names.test(name)) Reflect.set(fields, name, Array.isArray(value) ? value.map(lower) : lower(value))
}

function lower(value: unknown): unknown {
  return typeof value === 'string' && isId(value) ? value.toLowerCase() : value
}
