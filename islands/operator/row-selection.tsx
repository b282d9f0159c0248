import { ManySelection, type SelectionAction } from '#islands/operator/many-selection'
import { operatorApi } from '#islands/runtime/operator-api'
import {
  changesOf,
  findChange,
  type SelectionChange,
  type SelectionKind,
  selections,
} from '#src/selection/rules'
import type { RowsOutcome, SelectionFilter } from '#src/selection/schema'
import { rowsWords } from '#src/selection/selection-words'

type Props = { kind: SelectionKind; filter: SelectionFilter; total: number }

/** Bulk actions on reports, members, comments or jobs. */
export default function RowSelection({ kind, filter, total }: Props) {
  return (
    <ManySelection
      noun={selections[kind].noun}
      total={total}
      actions={changesOf(kind).map((change) => actionOf(kind, change, filter))}
    />
  )
}

function actionOf(
  kind: SelectionKind,
  change: SelectionChange,
  filter: SelectionFilter,
): SelectionAction<RowsOutcome> {
  const { button = change, done = change, isDangerous, reason } = findChange(kind, change) ?? {}
  const bodyOf = (ids: readonly string[] | null) => ({
    kind,
    change,
    ...(ids ? { ids: [...ids] } : { filter }),
  })
  return {
    button,
    done,
    isDangerous,
    reason,
    plan: (chosen) => operatorApi('POST /api/changes', { body: bodyOf(chosen), query: { dryRun: 'true' } }),
    apply: (chosen, text) =>
      operatorApi('POST /api/changes', { body: { ...bodyOf(chosen), ...(text && { reason: text }) } }),
    words: (outcome) => rowsWords(outcome, kind),
  }
}
