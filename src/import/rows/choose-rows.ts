import { columnName, type Field, fieldOfColumn } from '#src/import/rules'
import { pluralize } from '#src/text/pluralize'
import { type ChosenSheet, chooseSheets, hasStories, isDecided } from './choose-sheets'
import { columnWords, keysOfCells, unknownWords } from './find-heading'
import { limitRows, type RawRow } from './open-table'
import type { FoundColumn, FoundSheet, SheetChoices } from './sheet-schema'

/** Column names by field, as people find them in their sheet: `C “Voice”`. */
type ColumnNames = Partial<Record<Field, string>>

/**
 * One row as it was written. `row` is the number that the file's own program shows; for a paste, the line; for a JSON
 * list, the item's number from 1. `sheet` is set if a workbook has several sheets.
 */
export type SourceRow = {
  row: number
  sheet?: string
  columns?: ColumnNames
  isHidden?: boolean
  cells: Partial<Record<Field, unknown>>
}

/** The whole content of a file, before any choices apply. */
export type RawSheet = {
  rows: RawRow[]
  sheets: FoundSheet[]
  /** Lines of a paste with fewer than four columns. */
  skipped: number
  /** Notes about the file as a whole. */
  notes: string[]
}

/** The rows of the chosen sheets. `notes` say what was left out or interpreted as something else. */
export type ChosenRows = {
  rows: SourceRow[]
  sheets: ChosenSheet[]
  skipped: number
  notes: string[]
}

/**
 * Selects the rows to import. Without choices these are the rows of all sheets that are not hidden and have a column
 * Name or Text, with columns recognised by their names. Throws `invalid` if nothing is left, if names may be lost, or
 * if a choice names a sheet or column that does not exist.
 */
export function chooseRows(raw: RawSheet, choices: SheetChoices = {}): ChosenRows {
  const sheets = chooseSheets(raw.sheets, choices)
  const named = sheets.map((sheet) => ({ sheet, name: sheets.length > 1 ? sheet.name : undefined }))
  const readers = named.map(({ sheet, name }) => (sheet.isChosen ? readerOf(sheet.columns, name) : null))
  const rows = raw.rows.flatMap((row) => {
    const read = readers[row.sheet]
    if (!read) return []
    const { isHidden, ...source } = read(row)
    return [isHidden && !choices.hiddenRows ? { ...source, isHidden } : source]
  })
  limitRows(rows.length)
  const notes = named.flatMap(({ sheet, name }) =>
    notesOf(sheet, choices).map((note) =>
      name !== undefined && sheet.isChosen ? `Sheet “${name}”: ${note}` : note,
    ),
  )
  return { rows, sheets, skipped: raw.skipped, notes: [...raw.notes, ...notes] }
}

/** Reads a row by the chosen columns. */
function readerOf(found: readonly FoundColumn[], sheet: string | undefined): (row: RawRow) => SourceRow {
  const keys = keysOfCells(found)
  const chosen = found.flatMap(({ key, heading, readAs }, at) => {
    const field = readAs === null ? null : fieldOfColumn(readAs)
    return field ? [{ field, kept: keys[at] ?? key, name: columnWords({ key, heading }) }] : []
  })
  const columns: ColumnNames = Object.fromEntries(chosen.map(({ field, name }) => [field, name]))
  return ({ row, isHidden, cells }) => {
    const named: SourceRow['cells'] = {}
    for (const { field, kept } of chosen) if (cells[kept] !== undefined) named[field] = cells[kept]
    return {
      row,
      ...(sheet !== undefined && { sheet }),
      ...(isHidden && { isHidden }),
      columns,
      cells: named,
    }
  }
}

function notesOf(sheet: ChosenSheet, choices: SheetChoices): string[] {
  const { name, isHidden, isChosen, rowCount, hiddenRows, columns, notes } = sheet
  if (!isChosen) {
    if (columns.length === 0) return []
    const why = isHidden ? ', which is hidden,' : ''
    const what = hasStories(sheet) ? pluralize(rowCount, 'row') : 'no column Name or Text'
    return [`Sheet “${name}”${why} is left out: ${what}.`]
  }
  const unknown = columns.filter(
    (column) =>
      column.readAs === null && fieldOfColumn(column.heading) === null && !isDecided(column, choices),
  )
  const hidden =
    hiddenRows > 0
      ? [
          choices.hiddenRows
            ? `${pluralize(hiddenRows, 'row is', 'rows are')} hidden in the sheet, and imported anyway.`
            : `${pluralize(hiddenRows, 'row is', 'rows are')} hidden in the sheet, and not imported. Show them there, or import hidden rows too.`,
        ]
      : []
  const isNamed = columns.some(({ readAs }) => readAs === columnName('title'))
  const nameless = isNamed ? [] : ['No column is Name: new items are called “Untitled”.']
  return [...notes, ...unknownWords(unknown), ...nameless, ...hidden]
}

/** A sheet whose columns are exactly these fields, such as a paste of four columns. */
export function sheetOf(named: readonly Field[], rowCount: number): FoundSheet {
  const columns = named.map(columnName).map((name) => ({
    ...{ key: name, heading: name, readAs: name, suggestion: null },
  }))
  return { name: '', isHidden: false, rowCount, hiddenRows: 0, columns, notes: [] }
}
