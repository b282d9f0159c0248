import * as t from 'typebox'

/** A shape, or null where there is no value. */
export function orNull<T extends t.TSchema>(schema: T) {
  return t.Union([schema, t.Null()])
}
