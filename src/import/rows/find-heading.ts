import { columnName, type Field, fieldOfColumn, fieldsNear } from '#src/import/rules'
import type { FoundColumn } from './sheet-schema'

/** A line of a table; `row` is the number that the sheet's own program shows. */
export type TableLine = { row: number; cells: readonly unknown[]; isHidden?: boolean }

/** Number of lines among which the heading is sought: a title, a date or an empty row may precede it. */
export const linesAboveMax = 20

/** Columns of our own sheets that are no fields. Operators need no note about them. */
const silentColumns = new Set(['slug', 'problem', 'row', 'sheet', 'line'])

/** Whether a column that is no field comes from our own sheets: the slug of an export, the problem of a failed row. */
export function isOfOurs(heading: string): boolean {
  return silentColumns.has(heading.toLowerCase())
}

/** Whether a line is certainly the heading: it names Name or Text, and another known column. */
export function isHeading({ cells }: TableLine): boolean {
  const named = new Set(cells.map((cell) => fieldOfColumn(textOf(cell))))
  named.delete(null)
  return isStories([...named]) && named.size > 1
}

/**
 * Picks the likeliest heading among lines of which none is certain. In order of preference: a line that names Name or
 * Text, one that resembles them, one with at least two cells.
 */
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

/** Whether these columns make a sheet of stories. */
export function isStories(named: readonly (Field | null)[]): boolean {
  return named.includes('title') || named.includes('content')
}

/**
 * Reads the columns that a heading names. If two name the same field, the first is used. Columns without a name are
 * skipped.
 */
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

/**
 * The keys under which the cells of each column are stored: the field or, if there is none or an earlier column has it,
 * the column's key.
 */
export function keysOfCells(columns: readonly Pick<FoundColumn, 'key' | 'heading'>[]): string[] {
  const taken = new Set<Field>()
  return columns.map(({ key, heading }) => {
    const field = fieldOfColumn(heading)
    if (field === null || taken.has(field)) return key
    taken.add(field)
    return field
  })
}

/** `C “Voice”`; for a JSON list, `“voice”`. */
export function columnWords({ key, heading }: Pick<FoundColumn, 'key' | 'heading'>): string {
  const name = `“${heading.slice(0, 40)}”`
  return key === heading ? name : `${key} ${name}`
}

/**
 * "Column D “Titel” is unknown and left out. Did you mean Name?" Columns that resemble nothing share one sentence.
 */
export function unknownWords(columns: readonly FoundColumn[]): string[] {
  const told = columns.filter(({ heading }) => !isOfOurs(heading))
  const strange = told.filter(({ suggestion }) => suggestion === null)
  const near = told.flatMap(({ suggestion, ...column }) =>
    suggestion ? [`Column ${columnWords(column)} is unknown and left out. Did you mean ${suggestion}?`] : [],
  )
  if (strange.length === 0) return near
  const names = strange.slice(0, columnsNamedMax).map(columnWords).join(', ')
  const more = strange.length > columnsNamedMax ? ` and ${strange.length - columnsNamedMax} more` : ''
  const words = strange.length === 1 ? `Column ${names} is` : `Columns ${names}${more} are`
  return [...near, `${words} unknown and left out.`]
}

/** Columns named in one sentence. */
const columnsNamedMax = 8

/** Letters of a column by its index: 0 is A, 27 is AB. */
export function columnLetters(at: number): string {
  const before = Math.floor(at / 26)
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCharCode(65 + (at % 26))
}

export function textOf(cell: unknown): string {
  return cell === null || cell === undefined ? '' : String(cell).trim().slice(0, 100)
}
