import { pluralize } from '#src/text/pluralize'
import { type SelectionKind, selections } from './rules'
import type { RowsOutcome } from './schema'

/** Describes the outcome: "2 reports, 1 stays as it is" */
export function rowsWords(
  { changed, same }: Pick<RowsOutcome, 'changed' | 'same'>,
  kind: SelectionKind,
): string {
  const words = pluralize(changed, selections[kind].noun)
  return same > 0 ? `${words}, ${same} ${same === 1 ? 'stays as it is' : 'stay as they are'}` : words
}
