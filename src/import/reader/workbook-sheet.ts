import type { TableLine } from '#src/import/rows/find-heading'

export type CellValue = string | number | boolean

/** A sheet of a workbook: its lines and, once they have been read, its peculiarities. Columns count from 0. */
export type WorkbookSheet = {
  name: string
  isHidden: boolean
  lines(): AsyncIterable<TableLine> | Iterable<TableLine>
  hiddenColumns(): readonly number[]
  /** The number of filled merged cells, by column. */
  filled(): ReadonlyMap<number, number>
}
