import * as t from 'typebox'
import { plannedShown } from '#src/library/change-many-rules'
import { notesCharactersMax } from '#src/moderation/rules'
import { oneOf } from '#src/shape/one-of'
import { selectedAtOnceMax, selectionChanges, selectionKinds } from './rules'

/** The filter of a list. Each kind accepts the fields that its list has. */
export const SelectionFilter = t.Object({
  q: t.Optional(t.String({ maxLength: 254, description: 'Of members.', examples: ['mara'] })),
  state: t.Optional(
    t.String({
      maxLength: 20,
      description: 'Of reports, members and jobs, as their lists take it.',
      examples: ['pending'],
    }),
  ),
  kind: t.Optional(t.String({ maxLength: 40, description: 'Of jobs.', examples: ['narrate'] })),
  item: t.Optional(t.String({ maxLength: 64, description: 'Of comments: on this item alone, by its id.' })),
})
export type SelectionFilter = t.Static<typeof SelectionFilter>

export const ManyRows = t.Object(
  {
    kind: oneOf(selectionKinds),
    change: oneOf(selectionChanges),
    ids: t.Optional(t.Array(t.String({ maxLength: 64 }), { minItems: 1, maxItems: selectedAtOnceMax })),
    filter: t.Optional(SelectionFilter),
    reason: t.Optional(
      t.String({
        maxLength: notesCharactersMax,
        description: 'Of a suspension, which takes one, and of decisions on reports: people are told it.',
      }),
    ),
  },
  {
    examples: [
      { kind: 'reports', change: 'review', filter: { state: 'pending' }, reason: 'Heard twice, all well.' },
    ],
  },
)
export type ManyRows = t.Static<typeof ManyRows>

const count = (description: string) => t.Integer({ minimum: 0, description, examples: [2] })

export const RowsOutcome = t.Object({
  changed: count('Rows that change, or have changed.'),
  same: count('Rows that the change does not apply to, or that were changed meanwhile.'),
  items: t.Array(
    t.Object({
      id: t.String(),
      title: t.String({ examples: ['The Night Ferry'] }),
      before: t.String({ examples: ['waiting'] }),
      after: t.String({ examples: ['removed'] }),
    }),
    { description: `The first ${plannedShown} that change.` },
  ),
  changeId: t.Union([t.String(), t.Null()], { description: 'By which it is undone; null for a plan.' }),
})
export type RowsOutcome = t.Static<typeof RowsOutcome>
