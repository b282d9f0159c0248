import { isId } from '#src/shape/id'

/** What ids are called in a body, where other texts, such as a password, may look like one. */
export const namesOfIds = /(^i|I)ds?$/

/**
 * Writes ids as the database does. A UUID is the same in either case (RFC 9562 §4), but not to limits, maps and
 * comparisons, which go by its text. A query's are left to the database: for a hook that reads queries, Elysia would
 * parse every call's, and its headers and cookies too.
 */
export function lowerIds(fields: unknown, names = /^/): void {
  if (typeof fields !== 'object' || fields === null) return
  for (const [name, value] of Object.entries(fields))
    if (names.test(name)) Reflect.set(fields, name, Array.isArray(value) ? value.map(lower) : lower(value))
}

function lower(value: unknown): unknown {
  return typeof value === 'string' && isId(value) ? value.toLowerCase() : value
}
