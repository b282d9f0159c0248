import type { Status } from '#src/story/rules'

/** The changes that can be made to many items of the library at once. Browser-safe. */
export const manyChanges = ['publish', 'unpublish', 'remove', 'restore'] as const
export type ManyChange = (typeof manyChanges)[number]

/**
 * Maximum items of one change. A selection by hand is a few pages at most, but a filter may match the whole library.
 */
export const changedAtOnceMax = 10_000
/** How many items a plan lists. */
export const plannedShown = 50

/**
 * The statuses from which each change leads to which; `before` is the status before the removal. A held item is not
 * changed: it waits for its review.
 */
export const moves: Record<ManyChange, { from: readonly Status[]; to: Status | 'before' }> = {
  publish: { from: ['draft', 'scheduled'], to: 'published' },
  unpublish: { from: ['published', 'scheduled'], to: 'draft' },
  remove: { from: ['draft', 'scheduled', 'published', 'held'], to: 'removed' },
  restore: { from: ['removed'], to: 'before' },
}

/** The outcome for one item: it changes, has the status already, is held, or its title is in the library again. */
export type Verdict = 'change' | 'same' | 'held' | 'taken'

export function verdictOf(status: Status, change: ManyChange): Verdict {
  if (moves[change].from.includes(status)) return 'change'
  return status === 'held' && change !== 'restore' ? 'held' : 'same'
}
