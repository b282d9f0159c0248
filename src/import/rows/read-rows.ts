import { AppError } from '#src/app-error'
import { openCsv } from '#src/import/rows/read-csv'
import {
  columnName,
  columnsMax,
  type Field,
  fieldOfColumn,
  fieldsNear,
  type ImportFormat,
} from '#src/import/rules'
import { type RawSheet, type SourceRow, sheetOf } from './choose-rows'
import { limitColumns, limitRows, openTable, type RawRow } from './open-table'
import { readPaste } from './read-paste'
import type { FoundColumn } from './sheet-schema'

/** Reads a text in one of the text formats. Throws `invalid` with the fix. */
export function readRows(format: Exclude<ImportFormat, 'workbook'>, text: string): RawSheet {
  const clean = text.replace(/^\ufeff/, '')
  if (format === 'paste') return readPastedRows(clean)
  return format === 'csv' ? readTable(clean) : readJson(clean)
}

function readPastedRows(text: string): RawSheet {
  if (!text.trim())
    throw new AppError('invalid', 'No data provided. Paste data with Name, Category, Tags and Story columns.')
  const separator = separatorOfTable(text)
  if (separator) return readTable(text, separator)
  const { lines, skipped } = readPaste(text)
  limitRows(lines.length)
  if (lines.length === 0)
    throw new AppError('invalid', 'No valid data found. Expected format: Name | Category | Tags | Story')
  const rows = lines.map(({ line, title, category, tags, story }) => ({
    ...{ sheet: 0, row: line },
    cells: { title, categories: category, tags, content: story },
  }))
  return {
    rows,
    sheets: [sheetOf(['title', 'categories', 'tags', 'content'], rows.length)],
    skipped,
    notes: [],
  }
}

/**
 * The columns of a simple paste. If a first line with title and text also names another known column, it is the heading
 * of a table, such as an export writes.
 */
const pastedFields: ReadonlySet<Field | null> = new Set(['title', 'categories', 'tags', 'content', null])

function separatorOfTable(text: string): '\t' | '|' | null {
  const line = text.match(/^\s*(.*)/)?.[1] ?? ''
  const separator = line.includes('\t') ? '\t' : '|'
  const named = line.split(separator).map((name) => fieldOfColumn(name))
  const isTable =
    named.includes('title') && named.includes('content') && named.some((field) => !pastedFields.has(field))
  return isTable ? separator : null
}

/** Reads rows of text whose cells may be quoted. If no separator is given, it is detected from the first lines. */
function readTable(text: string, separator?: string): RawSheet {
  const csv = openCsv(separator)
  const table = openTable()
  const rows: RawRow[] = []
  for (const lines of [csv.take(text), csv.end()]) for (const line of lines) rows.push(...table.take(line))
  const { rows: last, ...found } = table.end()
  rows.push(...last)
  return { rows, sheets: [{ name: '', isHidden: false, ...found }], skipped: 0, notes: [] }
}

function readJson(text: string): RawSheet {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new AppError('invalid', `Parse error: this is not JSON. ${cause.message.slice(0, 120)}`, { cause })
  }
  const list = Array.isArray(json)
    ? json
    : isRecord(json)
      ? ['items', 'stories', 'content'].map((key) => json[key]).find(Array.isArray)
      : undefined
  if (!list)
    throw new AppError('invalid', 'Expected a JSON list of items, such as [{"title": "…", "content": "…"}].')
  limitRows(list.length)
  const columns = new Map<string, FoundColumn>()
  const rows = list.map((item: unknown, at): RawRow => {
    if (!isRecord(item))
      throw new AppError('invalid', `Row ${at + 1} is not an object with a title and a content.`)
    const { row, cells } = rowOfObject(item, at + 1)
    for (const name of Object.keys(item)) addColumn(columns, name)
    return { sheet: 0, row, cells: { ...strangersOf(item), ...cells } }
  })
  const sheet = { name: '', isHidden: false, rowCount: rows.length, hiddenRows: 0, notes: [] }
  return { rows, sheets: [{ ...sheet, columns: [...columns.values()] }], skipped: 0, notes: [] }
}

/** Adds a column for a property name of a JSON list. If several names mean the same field, only the first is listed. */
function addColumn(columns: Map<string, FoundColumn>, name: string): void {
  const field = fieldOfColumn(name)
  const key = field ?? name
  if (columns.has(key) || columns.size >= columnsMax) return
  const near = field === null ? fieldsNear(name).find((each) => !columns.has(each)) : undefined
  columns.set(key, {
    ...{ key: name, heading: name },
    readAs: field && columnName(field),
    suggestion: near ? columnName(near) : null,
  })
}

/** The values whose names are no fields. An operator may assign them to one. */
function strangersOf(item: Record<string, unknown>): RawRow['cells'] {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => fieldOfColumn(name) === null && !isRecord(value)),
  )
}

/**
 * A row from an object whose property names are columns, with the same aliases as in a sheet. If two names mean the
 * same field, the first non-empty value is used.
 */
export function rowOfObject(item: Record<string, unknown>, row: number): SourceRow {
  limitColumns(Object.keys(item).length)
  const cells: SourceRow['cells'] = {}
  for (const [name, value] of Object.entries(item)) {
    const field = fieldOfColumn(name)
    if (field && (cells[field] === undefined || cells[field] === '')) cells[field] = value
  }
  return { row, cells }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
