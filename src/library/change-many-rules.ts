import type { Status } from '#src/story/rules'

/** What can be done to many items of the library at once. Browser-safe. */
export const manyChanges = ['publish', 'unpublish', 'remove', 'restore'] as const
export type ManyChange = (typeof manyChanges)[number]

/** A selection by hand is a page or a few; a filter may match the whole library. */
export const changedAtOnceMax = 10_000
/** The plan lists the first ones. */
export const plannedShown = 50

/**
 * From which statuses a change leads to which; `before` is where the item stood before it was removed. A held item
 * waits for its decision, whatever is done to many.
 */
export const moves: Record<ManyChange, { from: readonly Status[]; to: Status | 'before' }> = {
  publish: { from: ['draft', 'scheduled'], to: 'published' },
  unpublish: { from: ['published', 'scheduled'], to: 'draft' },
  remove: { from: ['draft', 'scheduled', 'published', 'held'], to: 'removed' },
  restore: { from: ['removed'], to: 'before' },
}

/** What becomes of an item: it moves, is there already, is held, or its title is in the library again. */
export type Verdict = 'change' | 'same' | 'held' | 'taken'

export function verdictOf(status: Status, change: ManyChange): Verdict {
  if (moves[change].from.includes(status)) return 'change'
  return status === 'held' && change !== 'restore' ? 'held' : 'same'
}
