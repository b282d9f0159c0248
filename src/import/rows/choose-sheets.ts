import { AppError } from '#src/app-error'
import { columnFields, columnName, type Field, fieldOfColumn } from '#src/import/rules'
import { columnWords, isStories } from './find-heading'
import type { FoundColumn, FoundSheet, SheetChoices } from './sheet-schema'

/** A sheet of a file with its columns as they are read, and whether its rows are imported. */
export type ChosenSheet = FoundSheet & { isChosen: boolean }

/**
 * Applies the operator's choices to the sheets of a file and their columns. Throws `invalid` if no rows can be imported
 * with them, if names may be lost, or if a choice names a sheet or column that does not exist.
 */
export function chooseSheets(found: readonly FoundSheet[], choices: SheetChoices): ChosenSheet[] {
  refuseUnknown(found, choices)
  const sheets = mapSheets(found, choices)
  const chosen = sheets.filter(({ isChosen }) => isChosen)
  const lacking = chosen.find((sheet) => !hasStories(sheet))
  if (chosen.length === 0 || lacking) throw noStories(sheets, lacking)
  refuseNameless(chosen, choices)
  return sheets
}

/** Like `chooseSheets`, without checking whether anything can be imported. */
export function mapSheets(found: readonly FoundSheet[], choices: SheetChoices): ChosenSheet[] {
  const mapped = found.map((sheet) => ({ ...sheet, columns: chooseColumns(sheet, choices) }))
  return mapped.map((sheet) => ({
    ...sheet,
    isChosen: choices.sheets ? choices.sheets.includes(sheet.name) : !sheet.isHidden && hasStories(sheet),
  }))
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

/** Whether a sheet has the columns of stories. */
export function hasStories({ columns }: FoundSheet): boolean {
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

/** Whether the operator has assigned a column or left it out. */
export function isDecided(column: FoundColumn, { columns = {} }: SheetChoices): boolean {
  return Object.keys(columns).some((name) => isCalled(column, name))
}

function hasColumn({ columns }: FoundSheet, name: string): boolean {
  return columns.some((column) => isCalled(column, name))
}

/** Whether a choice's name is the heading or the letters of a column. */
function isCalled({ key, heading }: FoundColumn, name: string): boolean {
  return [plain(key), plain(heading)].includes(plain(name))
}

const plain = (name: string) => name.trim().toLowerCase()
