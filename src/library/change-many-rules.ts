import type { Status } from '#src/story/rules'

/** What can be done to many items of the library at once. Browser-safe. */
export const manyChanges = ['publish', 'unpublish', 'remove'] as const
export type ManyChange = (typeof manyChanges)[number]

/** A selection by hand is a page or a few; a filter may match the whole library. */
export const changedAtOnceMax = 10_000
/** The plan lists the first ones. */
export const plannedShown = 50

/** From which statuses a change leads to which. A held item waits for its decision, whatever is done to many. */
export const moves: Record<ManyChange, { from: readonly Status[]; to: Status }> = {
  publish: { from: ['draft', 'scheduled'], to: 'published' },
  unpublish: { from: ['published', 'scheduled'], to: 'draft' },
  remove: { from: ['draft', 'scheduled', 'published', 'held'], to: 'removed' },
}

/** What becomes of an item: it moves, is there already, or has to be looked at alone. */
export function verdictOf(status: Status, change: ManyChange): 'change' | 'same' | 'held' {
  if (moves[change].from.includes(status)) return 'change'
  return status === 'held' ? 'held' : 'same'
}
