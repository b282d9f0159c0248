import { AppError } from '#src/app-error'
import { columnFields, columnName, type Field, fieldOfColumn } from '#src/import/rules'
import { pluralize } from '#src/text/pluralize'
import { columnWords, isStories, keysOfCells, unknownWords } from './find-heading'
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
  sheets: (FoundSheet & { isChosen: boolean })[]
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

/** The choices that still apply to a file: those that name its sheets and headings. */
export function fittingChoices(found: readonly FoundSheet[], choices: SheetChoices): SheetChoices {
  const { sheets = [], columns = {}, ...rest } = choices
  const names = sheets.filter((name) => found.some((sheet) => sheet.name === name))
  const fitting = Object.entries(columns).filter(([name]) => found.some((sheet) => hasColumn(sheet, name)))
  return {
    ...rest,
    ...(names.length > 0 && { sheets: names }),
    ...(fitting.length > 0 && { columns: Object.fromEntries(fitting) }),
  }
}

function hasColumn({ columns }: FoundSheet, name: string): boolean {
  return columns.some(({ key, heading }) => [plain(key), plain(heading)].includes(plain(name)))
}

/** The sheets with their chosen columns. */
function chooseSheets(found: readonly FoundSheet[], choices: SheetChoices): ChosenRows['sheets'] {
  refuseUnknown(found, choices)
  const sheets = mapSheets(found, choices)
  const chosen = sheets.filter(({ isChosen }) => isChosen)
  const lacking = chosen.find((sheet) => !hasStories(sheet))
  if (chosen.length === 0 || lacking) throw noStories(sheets, lacking)
  refuseNameless(chosen, choices)
  return sheets
}

/**
 * Throws `invalid` if a misspelt heading would leave items without their names and the operator has not decided about
 * it.
 */
function refuseNameless(chosen: readonly FoundSheet[], choices: SheetChoices): void {
  for (const { columns } of chosen) {
    const isNamed = columns.some(({ readAs }) => readAs === columnName('title'))
    const near = columns.find(
      (column) => column.suggestion === columnName('title') && !isDecided(column, choices),
    )
    if (!isNamed && near)
      throw new AppError(
        'invalid',
        `Column ${columnWords(near)} is not known, and no other is Name. Did you mean Name? Say what it is, or that it is left out.`,
      )
  }
}

/** Like `chooseSheets`, without checking whether anything can be imported. */
export function mapSheets(found: readonly FoundSheet[], choices: SheetChoices): ChosenRows['sheets'] {
  const mapped = found.map((sheet) => ({ ...sheet, columns: chooseColumns(sheet, choices) }))
  return mapped.map((sheet) => ({
    ...sheet,
    isChosen: choices.sheets ? choices.sheets.includes(sheet.name) : !sheet.isHidden && hasStories(sheet),
  }))
}

function hasStories({ columns }: FoundSheet): boolean {
  return isStories(columns.map(({ readAs }) => fieldOfColumn(readAs ?? '')))
}

/**
 * Applies the operator's choices to the columns. A choice overrides the heading, and takes its field from any other
 * column.
 */
function chooseColumns({ columns }: FoundSheet, { columns: decided = {} }: SheetChoices): FoundColumn[] {
  const decisions = new Map(Object.entries(decided).map(([name, readAs]) => [plain(name), readAs]))
  const decisionFor = ({ heading, key }: FoundColumn) =>
    decisions.get(plain(heading)) ?? decisions.get(plain(key))
  const wanted = new Set<Field | null>(columns.map((column) => fieldOfColumn(decisionFor(column) ?? '')))
  const taken = new Set<Field>()
  return columns.map((column) => {
    const decision = decisionFor(column)
    const read = column.readAs === null ? null : fieldOfColumn(column.readAs)
    const field = decision === undefined ? (wanted.has(read) ? null : read) : fieldOfColumn(decision)
    if (field === null || taken.has(field)) return { ...column, readAs: null }
    taken.add(field)
    return { ...column, readAs: columnName(field) }
  })
}

const plain = (name: string) => name.trim().toLowerCase()

/** Whether the operator has assigned a column or left it out. */
function isDecided({ key, heading }: FoundColumn, { columns = {} }: SheetChoices): boolean {
  return Object.keys(columns).some((name) => [plain(key), plain(heading)].includes(plain(name)))
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

function notesOf(sheet: ChosenRows['sheets'][number], choices: SheetChoices): string[] {
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

/** Throws `invalid` if a choice names a sheet, a heading or a field that does not exist. */
export function refuseUnknown(
  found: readonly FoundSheet[],
  { sheets = [], columns = {} }: SheetChoices,
): void {
  const missing = sheets.find((name) => !found.some((sheet) => sheet.name === name))
  if (missing !== undefined)
    throw new AppError(
      'invalid',
      `There is no sheet “${missing}”. There are: ${found.map(({ name }) => `“${name}”`).join(', ')}.`,
    )
  for (const [name, readAs] of Object.entries(columns)) {
    if (!found.some((sheet) => hasColumn(sheet, name)))
      throw new AppError('invalid', `No column is headed “${name}”. Write its heading or letter.`)
    if (readAs.trim() !== '' && fieldOfColumn(readAs) === null)
      throw new AppError(
        'invalid',
        `“${readAs}” is not a known column. Choose from ${columnFields.map(columnName).join(', ')}.`,
      )
  }
}

function noStories(sheets: readonly FoundSheet[], lacking: FoundSheet | undefined): AppError {
  if (sheets.every(({ columns }) => columns.length === 0))
    return new AppError('invalid', 'This file is empty: it has no row of headings with rows under it.')
  if (!lacking && sheets.some((sheet) => !sheet.isHidden && hasStories(sheet)))
    return new AppError('invalid', 'No sheet is chosen. Choose the sheets to import.')
  const hidden = sheets.find((sheet) => sheet.isHidden && hasStories(sheet))
  if (hidden && !lacking)
    return new AppError(
      'invalid',
      `Sheet “${hidden.name}” is hidden. Choose it, or show it in the workbook. No other has a column Name or Text.`,
    )
  const [named] = lacking ? [lacking] : sheets
  const columns = (named?.columns ?? [])
    .slice(0, 8)
    .map(({ heading }) => JSON.stringify(heading.slice(0, 40)))
  const near = (named?.columns ?? []).flatMap(({ heading, suggestion }) =>
    suggestion ? [`${JSON.stringify(heading.slice(0, 40))} may be ${suggestion}.`] : [],
  )
  return new AppError(
    'invalid',
    [
      `No column of ${lacking && sheets.length > 1 ? `sheet “${lacking.name}”` : 'this file'} is known: ${columns.join(', ')}.`,
      ...near.slice(0, 3),
      'Name them Name, Voice, Categories, Short Description, Audio Length, Text, or say what they are.',
    ].join(' '),
  )
}

/** A sheet whose columns are exactly these fields, such as a paste of four columns. */
export function sheetOf(named: readonly Field[], rowCount: number): FoundSheet {
  const columns = named.map(columnName).map((name) => ({
    ...{ key: name, heading: name, readAs: name, suggestion: null },
  }))
  return { name: '', isHidden: false, rowCount, hiddenRows: 0, columns, notes: [] }
}
