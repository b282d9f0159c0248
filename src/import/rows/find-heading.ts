import { columnName, type Field, fieldOfColumn, fieldsNear } from '#src/import/rules'
import type { FoundColumn } from './sheet-schema'

/** A line of a table; `row` is the number that the sheet's own program shows. */
export type TableLine = { row: number; cells: readonly unknown[]; isHidden?: boolean }

/** Lines in which a title, a date or an empty row may stand above the headings. */
export const linesAboveMax = 20

/** Columns that our own sheets have beside the fields: nobody has to be told of them. */
const silentColumns = new Set(['slug', 'problem', 'row', 'sheet', 'line'])

/** Whether a column is of our own sheets, though it is no field: the id of an export, the problem of a failed row. */
export function isOfOurs(heading: string): boolean {
  return silentColumns.has(heading.toLowerCase())
}

/** Whether a line certainly names the columns: Name or Text, and another column of ours. */
export function isHeading({ cells }: TableLine): boolean {
  const named = new Set(cells.map((cell) => fieldOfColumn(textOf(cell))))
  named.delete(null)
  return isStories([...named]) && named.size > 1
}

/** Of lines without a certain heading the likeliest: one that names Name or Text, resembles it, or has two cells. */
export function likeliestHeading(lines: readonly TableLine[]): TableLine | undefined {
  const fieldsBy = (read: (cell: unknown) => Field | null) => (line: TableLine) =>
    isStories(line.cells.map(read))
  return (
    lines.find(fieldsBy((cell) => fieldOfColumn(textOf(cell)))) ??
    lines.find(fieldsBy((cell) => fieldsNear(textOf(cell))[0] ?? null)) ??
    lines.find(({ cells }) => cells.filter((cell) => textOf(cell) !== '').length > 1) ??
    lines[0]
  )
}

/** Whether columns of these fields are those of a sheet of stories. */
export function isStories(named: readonly (Field | null)[]): boolean {
  return named.includes('title') || named.includes('content')
}

/** The columns that a heading names; of two for one field the first is read. A column without a name is none. */
export function readColumns({ cells }: TableLine): { columns: FoundColumn[]; notes: string[] } {
  const notes: string[] = []
  const named = cells.map((cell) => ({ heading: textOf(cell), field: fieldOfColumn(textOf(cell)) }))
  const taken = new Map<Field, string>()
  const columns = named.flatMap(({ heading, field }, at): FoundColumn[] => {
    if (heading === '') return []
    const key = columnLetters(at)
    const first = field && taken.get(field)
    if (first && field)
      notes.push(
        `Column ${key} “${heading}” is left out: column ${first} is read as ${columnName(field)} already.`,
      )
    if (field && !first) taken.set(field, key)
    const isRead = field !== null && first === undefined
    return [{ key, heading, readAs: isRead ? columnName(field) : null, suggestion: null }]
  })
  for (const column of columns)
    if (fieldOfColumn(column.heading) === null) column.suggestion = suggestionFor(column.heading, taken)
  return { columns, notes }
}

function suggestionFor(heading: string, taken: ReadonlyMap<Field, string>): string | null {
  const near = fieldsNear(heading).find((field) => !taken.has(field))
  return near ? columnName(near) : null
}

/** What the cells of each column are kept under: its field, else, or where a column before is read as it, its key. */
export function keysOfCells(columns: readonly Pick<FoundColumn, 'key' | 'heading'>[]): string[] {
  const taken = new Set<Field>()
  return columns.map(({ key, heading }) => {
    const field = fieldOfColumn(heading)
    if (field === null || taken.has(field)) return key
    taken.add(field)
    return field
  })
}

/** `C “Voice”`; of a list in JSON `“voice”`. */
export function columnWords({ key, heading }: Pick<FoundColumn, 'key' | 'heading'>): string {
  const name = `“${heading.slice(0, 40)}”`
  return key === heading ? name : `${key} ${name}`
}

/** "Column D “Titel” is not known and left out. Did you mean Name?"; those that resemble nothing in one sentence. */
export function unknownWords(columns: readonly FoundColumn[]): string[] {
  const told = columns.filter(({ heading }) => !isOfOurs(heading))
  const strange = told.filter(({ suggestion }) => suggestion === null)
  const near = told.flatMap(({ suggestion, ...column }) =>
    suggestion
      ? [`Column ${columnWords(column)} is not known and left out. Did you mean ${suggestion}?`]
      : [],
  )
  if (strange.length === 0) return near
  const names = strange.slice(0, columnsNamedMax).map(columnWords).join(', ')
  const more = strange.length > columnsNamedMax ? ` and ${strange.length - columnsNamedMax} more` : ''
  const words = strange.length === 1 ? `Column ${names} is` : `Columns ${names}${more} are`
  return [...near, `${words} not known and left out.`]
}

/** Columns that one sentence names. */
const columnsNamedMax = 8

/** 0 is A, 27 is AB. */
export function columnLetters(at: number): string {
  const before = Math.floor(at / 26)
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCharCode(65 + (at % 26))
}

export function textOf(cell: unknown): string {
  return cell === null || cell === undefined ? '' : String(cell).trim().slice(0, 100)
}
