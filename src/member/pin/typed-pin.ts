import * as t from 'typebox'

/** A PIN as typed, without a pattern: the handler checks it, with an error message in words. */
export const typedPin = t.String({ maxLength: 20, examples: ['2468'] })
