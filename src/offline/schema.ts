import * as t from 'typebox'
import { offlineItemsMax } from './rules'

/** The ids of the items that a browser has saved. */
export const OfflineItems = t.Object({
  ids: t.Array(t.String({ minLength: 1, maxLength: 64 }), { maxItems: offlineItemsMax }),
})

/** The items that the member may still have offline. */
export const AllowedItems = t.Object({
  allowed: t.Array(t.String(), {
    description: 'These may stay saved for another thirty days; all others have to be deleted.',
    examples: [['019c0000-0000-7000-8000-000000000001']],
  }),
  versions: t.Record(t.String(), t.String(), {
    description: 'What each of them is now: what was kept under another version is fetched anew.',
    examples: [{ '019c0000-0000-7000-8000-000000000001': '9b2c….5f0e…' }],
  }),
  hasPin: t.Boolean({ description: 'A PIN stands before the library: without a network nothing is listed.' }),
})
export type AllowedItems = t.Static<typeof AllowedItems>
