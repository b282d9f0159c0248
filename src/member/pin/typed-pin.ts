import * as t from 'typebox'

/** A PIN as it is typed: whether it is one, is said in words. */
export const typedPin = t.String({ maxLength: 20, examples: ['2468'] })
