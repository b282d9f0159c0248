import { pluralize } from '#src/text/pluralize'
import type { ManyChange } from './change-many-rules'
import type { ManyOutcome } from './change-many-schema'

/** The words for each change: on its button, and of its result. */
export const changeWords: Record<ManyChange, { button: string; done: string }> = {
  publish: { button: 'Publish', done: 'Published' },
  unpublish: { button: 'Make drafts', done: 'Drafts now' },
  remove: { button: 'Remove', done: 'Removed' },
  restore: { button: 'Restore', done: 'Restored' },
}

const already: Record<ManyChange, string> = {
  publish: 'published',
  unpublish: 'draft',
  remove: 'removed',
  restore: 'in the library',
}

/** Describes the outcome: "2 items, 1 is published already, 1 waits for its review" */
export function outcomeWords({ changed, same, held, taken }: ManyOutcome, change: ManyChange): string {
  return [
    pluralize(changed, 'item'),
    ...(same > 0 ? [`${same} ${same === 1 ? 'is' : 'are'} ${already[change]} already`] : []),
    ...(held > 0 ? [`${held} ${held === 1 ? 'waits' : 'wait'} for review`] : []),
    ...(taken > 0 ? [`${taken} ${taken === 1 ? 'has' : 'have'} a title that is in the library again`] : []),
  ].join(', ')
}
