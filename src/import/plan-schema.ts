import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'

/** A row of a plan as operators read it. Browser-safe. */
export const PlanRow = t.Object({
  row: t.Integer({ description: 'As the file’s own program counts; of a list its number from 1.' }),
  sheet: t.Optional(t.String({ description: 'Of a workbook with several.', examples: ['November'] })),
  verdict: oneOf(['new', 'change', 'same', 'held', 'problem', 'empty']),
  title: t.String(),
  categories: t.Array(t.String()),
  words: t.Integer(),
  what: t.String({
    description: 'What happens, or what is wrong and how to fix it.',
    examples: ['Adds a story'],
  }),
})

export type PlanRow = t.Static<typeof PlanRow>
