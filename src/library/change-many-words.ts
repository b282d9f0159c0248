import { pluralize } from '#src/text/pluralize'
import { type ManyChange, moves } from './change-many-rules'
import type { ManyOutcome } from './change-many-schema'

/** What a change of many items does, by its button. */
export const changeWords: Record<ManyChange, { button: string; done: string }> = {
  publish: { button: 'Publish', done: 'Published' },
  unpublish: { button: 'Make drafts', done: 'Drafts now' },
  remove: { button: 'Remove', done: 'Removed' },
}

/** "2 items, 1 is published already, 1 waits for its review" */
export function outcomeWords({ changed, same, held }: ManyOutcome, change: ManyChange): string {
  return [
    pluralize(changed, 'item'),
    ...(same > 0 ? [`${same} ${same === 1 ? 'is' : 'are'} ${moves[change].to} already`] : []),
    ...(held > 0 ? [`${held} ${held === 1 ? 'waits' : 'wait'} for review`] : []),
  ].join(', ')
}
