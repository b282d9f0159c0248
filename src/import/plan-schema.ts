import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'

/** A row of a plan as operators read it. Browser-safe. */
export const PlanRow = t.Object({
  row: t.Integer({ description: 'As a spreadsheet program counts; for a list its number from 1.' }),
  sheet: t.Optional(t.String({ description: 'For a workbook with several sheets.', examples: ['November'] })),
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
