import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { categories, itemTypes, searchCharactersMax, statuses } from '#src/story/rules'
import { changedAtOnceMax, manyChanges, plannedShown } from './change-many-rules'

/** The query parameters that filter the library. */
export const LibraryQuery = {
  q: t.Optional(t.String({ maxLength: searchCharactersMax })),
  type: t.Optional(oneOf(itemTypes)),
  category: t.Optional(oneOf(categories)),
  status: t.Optional(oneOf(statuses, { description: 'Without it: all but removed items.' })),
}

export const ManyItems = t.Object(
  {
    change: oneOf(manyChanges),
    ids: t.Optional(t.Array(t.String({ maxLength: 64 }), { minItems: 1, maxItems: changedAtOnceMax })),
    filter: t.Optional(t.Object(LibraryQuery, { description: 'All that match it, in place of `ids`.' })),
  },
  { examples: [{ change: 'publish', filter: { q: 'ferry', status: 'draft' } }] },
)
export type ManyItems = t.Static<typeof ManyItems>

const count = (description: string) => t.Integer({ minimum: 0, description, examples: [2] })

export const ManyOutcome = t.Object({
  changed: count('Items that change, or have changed.'),
  same: count('Items that are there already.'),
  held: count('Items that are held for review: they are decided in the queue.'),
  taken: count('Items whose titles have come into the library again: they stay removed.'),
  items: t.Array(
    t.Object({
      id: t.String(),
      title: t.String({ examples: ['The Night Ferry'] }),
      before: oneOf(statuses),
      after: oneOf(statuses),
    }),
    { description: `The first ${plannedShown} that change.` },
  ),
  changeId: t.Union([t.String(), t.Null()], { description: 'By which it is undone; null for a plan.' }),
})
export type ManyOutcome = t.Static<typeof ManyOutcome>
