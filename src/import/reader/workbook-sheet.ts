import type { TableLine } from '#src/import/rows/find-heading'

export type CellValue = string | number | boolean

/** A sheet of a workbook: its lines, and once they were read what was odd about them. Columns count from 0. */
export type WorkbookSheet = {
  name: string
  isHidden: boolean
  lines(): AsyncIterable<TableLine> | Iterable<TableLine>
  hiddenColumns(): readonly number[]
  /** How many merged cells were filled, by column. */
  filled(): ReadonlyMap<number, number>
}
