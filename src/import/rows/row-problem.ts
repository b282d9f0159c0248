import type { Field } from '#src/import/rules'
import type { SourceRow } from './choose-rows'

/** A problem with one field of one row, and its fix. */
export type RowProblem = {
  /** The row as the file's own program counts; 0 for the file as a whole. */
  row: number
  /** Set if a workbook has several sheets. */
  sheet?: string
  field: Field | 'audio' | 'row'
  /** The column's name as people find it: `C “Voice”`. */
  column?: string
  message: string
}

/** A row's position, and the names of its columns. */
export type RowPlace = Pick<SourceRow, 'row' | 'sheet' | 'columns'>

export function problemAt(
  { row, sheet, columns }: RowPlace,
  field: Field | 'row',
  message: string,
): RowProblem {
  const column = field === 'row' ? undefined : columns?.[field]
  return { row, ...(sheet !== undefined && { sheet }), field, ...(column && { column }), message }
}
