import * as t from 'typebox'

/** Schema of a value that may be null. */
export function orNull<T extends t.TSchema>(schema: T) {
  return t.Union([schema, t.Null()])
}
