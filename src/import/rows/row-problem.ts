import type { Field } from '#src/import/rules'
import type { SourceRow } from './choose-rows'

/** A problem with one field of one row, and its fix. */
export type RowProblem = {
  /** As the file's own program counts; 0 for a file. */
  row: number
  /** Of a workbook with several. */
  sheet?: string
  field: Field | 'audio' | 'row'
  /** As people find it: `C “Voice”`. */
  column?: string
  message: string
}

/** Where a row stands, and what its columns are called. */
export type RowPlace = Pick<SourceRow, 'row' | 'sheet' | 'columns'>

/** A problem at its place. */
export function problemAt(
  { row, sheet, columns }: RowPlace,
  field: Field | 'row',
  message: string,
): RowProblem {
  const column = field === 'row' ? undefined : columns?.[field]
  return { row, ...(sheet !== undefined && { sheet }), field, ...(column && { column }), message }
}
