import { AppError } from '#src/app-error'
import { columnsMax, fieldOfColumn, rowsMax } from '#src/import/rules'
import {
  columnLetters,
  isHeading,
  isStories,
  keysOfCells,
  likeliestHeading,
  linesAboveMax,
  readColumns,
  type TableLine,
  textOf,
} from './find-heading'
import type { FoundSheet } from './sheet-schema'

/**
 * A row as the file has it. `row` is the number that the file's own program shows; `sheet` counts from 0. Cells are
 * stored by field, or by the key of their column if its heading names no field.
 */
export type RawRow = { sheet: number; row: number; isHidden?: boolean; cells: Record<string, unknown> }
export type FoundTable = Pick<FoundSheet, 'rowCount' | 'hiddenRows' | 'columns' | 'notes'>

type Columns = { keys: (string | null)[]; found: FoundSheet['columns'] }

/**
 * Opens a streaming reader for the table of a CSV or a sheet. `take` returns the rows that are certain so far, `end`
 * the rest and the columns. A title may precede the headings. Both throw `invalid` with the fix; so does `end` if there
 * was no line.
 */
export function openTable(sheet = 0) {
  let columns: Columns | null = null
  const waiting: TableLine[] = []
  const notes: string[] = []
  const nameless = new Set<number>()
  let rowCount = 0
  let hiddenRows = 0

  const rowOf = ({ row, cells, isHidden }: TableLine, { keys }: Columns): RawRow => {
    rowCount += 1
    limitRows(rowCount)
    if (isHidden) hiddenRows += 1
    const named: RawRow['cells'] = {}
    for (const [at, cell] of cells.entries()) {
      const key = keys[at]
      if (key) named[key] = cell
      else if (textOf(cell) !== '') nameless.add(at)
    }
    return { sheet, row, ...(isHidden && { isHidden }), cells: named }
  }
  const begin = (heading: TableLine): RawRow[] => {
    const read = readColumns(heading)
    const begun = { keys: keysOf(heading, read.columns), found: read.columns }
    columns = begun
    const at = waiting.indexOf(heading)
    const above = at < 0 ? waiting.splice(0) : waiting.splice(0, at + 1).slice(0, at)
    notes.push(...aboveWords(above), ...read.notes)
    return waiting.splice(0).map((line) => rowOf(line, begun))
  }
  const take = (line: TableLine): RawRow[] => {
    limitColumns(line.cells.length)
    if (columns) return [rowOf(line, columns)]
    if (isHeading(line)) return begin(line)
    waiting.push(line)
    return waiting.length < linesAboveMax ? [] : settle()
  }
  const settle = (): RawRow[] => {
    const heading = likeliestHeading(waiting)
    return heading ? begin(heading) : []
  }
  const end = (): FoundTable & { rows: RawRow[] } => {
    const rows = columns ? [] : settle()
    if (!columns)
      throw new AppError(
        'invalid',
        'This file is empty. Its first row names the columns: Name, Voice, Categories, Short Description, Audio Length, Text.',
      )
    notes.push(...namelessWords([...nameless].sort((a, b) => a - b)))
    return { rows, rowCount, hiddenRows, columns: columns.found, notes }
  }
  return {
    take,
    end,
    /** Whether the headings are those of stories. */
    isKnown: () => columns !== null && isStories(columns.keys.map((key) => fieldOfColumn(key ?? ''))),
    isEmpty: () => columns === null && waiting.length === 0,
    rowCount: () => rowCount,
  }
}

/** The storage key of each cell of a line, by position; null without a heading. */
function keysOf({ cells }: TableLine, columns: FoundSheet['columns']): Columns['keys'] {
  const kept = keysOfCells(columns)
  const byLetter = new Map(columns.map(({ key }, at) => [key, kept[at] ?? key]))
  return cells.map((_, at) => byLetter.get(columnLetters(at)) ?? null)
}

function aboveWords(lines: readonly TableLine[]): string[] {
  const filled = lines.filter(({ cells }) => cells.some((cell) => textOf(cell) !== ''))
  const texts = filled.map(({ row, cells }) => {
    const text = textOf(cells.find((cell) => textOf(cell) !== ''))
    return `row ${row} (“${text.slice(0, 40)}”)`
  })
  return texts.length > 0 ? [`Left out above the headings: ${texts.join(', ')}.`] : []
}

function namelessWords(nameless: readonly number[]): string[] {
  if (nameless.length === 0) return []
  const letters = nameless.slice(0, 10).map(columnLetters).join(', ')
  return [
    nameless.length === 1
      ? `Column ${letters} has no heading and is left out. Give it a heading to read it.`
      : `Columns ${letters} have no heading and are left out. Give them headings to read them.`,
  ]
}

export function limitRows(count: number): void {
  if (count > rowsMax)
    throw new AppError(
      'invalid',
      `This file has more than ${rowsMax.toLocaleString('en')} rows. Split it into parts and import one after the other.`,
    )
}

export function limitColumns(count: number): void {
  if (count > columnsMax)
    throw new AppError(
      'invalid',
      `A row of this file has ${count.toLocaleString('en')} columns; at most ${columnsMax} are allowed. Is this the right file?`,
    )
}
