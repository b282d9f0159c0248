import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { undoItemsListedMax, undoVerdicts } from './undo-rules'

/** The plan or outcome of an undo, as API, console and CLI show it. Browser-safe. */
export const UndoAnswer = t.Object({
  success: t.Boolean(),
  message: t.String({ examples: ['Undone. 80 items went into the bin, 1 was edited since and stayed.'] }),
  dryRun: t.Boolean({ description: 'Nothing was changed: this is the plan.', examples: [false] }),
  plan: t.String({
    description: 'The fingerprint of the plan: send it to do exactly this, or be refused.',
    examples: ['5f2c0a6f1f6e4c1f9b0d6c1f5e7a9d3b'],
  }),
  removed: t.Integer({
    description: 'Items that the import created, which go into the bin.',
    examples: [80],
  }),
  restored: t.Integer({ description: 'Items that it changed, which are restored.', examples: [0] }),
  kept: t.Integer({ description: 'Items that stay as they are.', examples: [1] }),
  gone: t.Integer({ description: 'Items that are deleted, or in the bin already.', examples: [0] }),
  editedSince: t.Integer({ description: 'Items that somebody edited since.', examples: [1] }),
  binDays: t.Integer({ description: 'How many days they can be restored from the bin.', examples: [30] }),
  items: t.Array(
    t.Object({
      id: t.String(),
      title: t.String(),
      verdict: oneOf(undoVerdicts),
      editedFields: t.Array(t.String(), { examples: [['content']] }),
      savedBy: t.Integer({ description: 'Members who have it among their favourites.', examples: [3] }),
      listeners: t.Integer({
        description: 'Listeners and readers who are in the middle of it.',
        examples: [5],
      }),
    }),
    { description: `At most ${undoItemsListedMax}, those edited since first.` },
  ),
  total: t.Integer({ description: 'How many items there are.', examples: [81] }),
})
export type UndoAnswer = t.Static<typeof UndoAnswer>
