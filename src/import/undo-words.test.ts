import { expect, test } from 'bun:test'
import { undoMessage } from './undo-words'

const none = { removed: 0, restored: 0, kept: 0, gone: 0, editedSince: 0 }

test.each([
  [{}, 'asked', 'There is nothing to take back.'],
  [{ removed: 1 }, 'asked', '1 item goes into the bin.'],
  [
    { removed: 2, restored: 1 },
    'planned',
    'Nothing was changed. 2 items would go into the bin, 1 item would go back to what it was.',
  ],
  [{ kept: 3, editedSince: 3 }, 'done', 'Undone. 3 items stayed as they are. Edited since: 3.'],
] as const)('the message for an undo of %p (%s) mentions only what applies', (counts, tense, words) => {
  expect(undoMessage({ ...none, ...counts }, tense)).toBe(words)
})
