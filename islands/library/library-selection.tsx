import { ManySelection, type SelectionAction } from '#islands/operator/many-selection'
import { operatorApi } from '#islands/runtime/operator-api'
import { type ManyChange, manyChanges } from '#src/library/change-many-rules'
import type { ManyItems, ManyOutcome } from '#src/library/change-many-schema'
import { changeWords, outcomeWords } from '#src/library/change-many-words'

type Filter = NonNullable<ManyItems['filter']>

/** Bulk actions on a selection of the library: publish, unpublish, remove; for removed items: restore. */
export default function LibrarySelection({ filter, total }: { filter: Filter; total: number }) {
  const changes = manyChanges.filter((change) => (change === 'restore') === (filter.status === 'removed'))
  return (
    <ManySelection noun="item" total={total} actions={changes.map((change) => actionOf(change, filter))} />
  )
}

function actionOf(change: ManyChange, filter: Filter): SelectionAction<ManyOutcome> {
  const bodyOf = (ids: readonly string[] | null) => (ids ? { change, ids: [...ids] } : { change, filter })
  return {
    ...changeWords[change],
    isDangerous: change === 'remove',
    plan: (chosen) =>
      operatorApi('PATCH /api/premium-content', { body: bodyOf(chosen), query: { dryRun: 'true' } }),
    apply: (chosen) => operatorApi('PATCH /api/premium-content', { body: bodyOf(chosen) }),
    words: (outcome) => outcomeWords(outcome, change),
  }
}
