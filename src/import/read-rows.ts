import Papa from 'papaparse'
import { unguard } from '#src/csv'
import { Refusal } from '#src/refusal'
import { readPaste } from './read-paste'
import { columnsMax, type Field, fieldOfColumn, type ImportFormat, rowsMax } from './rules'

/** One row as it was written: `row` counts from 1, as people count the rows of their data. */
export type SourceRow = { row: number; cells: Partial<Record<Field, unknown>> }
export type Rows = {
  rows: SourceRow[] /** Lines of a paste with fewer than four columns. */
  skipped: number
}

/** Rows of a text in one of the formats that are text. Throws `invalid` with the mend. */
export function readRows(format: Exclude<ImportFormat, 'workbook'>, text: string): Rows {
  const clean = text.replace(/^\ufeff/, '')
  if (format === 'paste') return readPastedRows(clean)
  return { rows: format === 'csv' ? readTable(clean) : readJson(clean), skipped: 0 }
}

/** Bytes as text. Throws `invalid` for what is not UTF-8: guessing would garble names silently. */
export function decodeText(bytes: Uint8Array): string {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  try {
    return new TextDecoder(isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8', {
      fatal: true,
    }).decode(bytes)
  } catch (cause) {
    throw new Refusal('invalid', 'This file is not text in UTF-8. Save it as "CSV UTF-8" and try again.', {
      cause,
    })
  }
}

function readPastedRows(text: string): Rows {
  if (!text.trim())
    throw new Refusal('invalid', 'No data provided. Paste data with Name, Category, Tags and Story columns.')
  const separator = separatorOfTable(text)
  if (separator) return { rows: readTable(text, separator), skipped: 0 }
  const { lines, skipped } = readPaste(text)
  limitRows(lines)
  if (lines.length === 0)
    throw new Refusal('invalid', 'No valid data found. Expected format: Name | Category | Tags | Story')
  const rows = lines.map(({ title, category, tags, story }, at) => ({
    row: at + 1,
    cells: { title, categories: category, tags, content: story },
  }))
  return { rows, skipped }
}

/**
 * Lines of four columns have no more names than these; a first line that names another column of ours, beside
 * title and text, is the heading of a table, such as an export writes.
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

/** Rows of a text whose cells may be quoted; without a separator the first line tells which it is. */
function readTable(text: string, separator?: string): SourceRow[] {
  const parsed = Papa.parse<string[]>(text, {
    delimiter: separator,
    skipEmptyLines: 'greedy',
    preview: rowsMax + 2,
  })
  const broken = parsed.errors.find((error) => error.type === 'Quotes')
  if (broken) {
    throw new Refusal(
      'invalid',
      `Parse error: a quote that opens in row ${(broken.row ?? 0) || 1} is not closed. Close it, or double the quotes inside of the cell.`,
    )
  }
  return rowsOfTable(parsed.data.map((line) => line.map(unguard)))
}

/** Rows of a table whose first row names the columns: a CSV's, or a workbook's first sheet. */
export function rowsOfTable(table: readonly (readonly unknown[])[]): SourceRow[] {
  const [heading, ...lines] = table
  if (!heading)
    throw new Refusal(
      'invalid',
      'This file is empty. Its first row names the columns: Name, Voice, Categories, Short Description, Audio Length, Text.',
    )
  limitColumns(heading.length)
  const columns = heading.map((name) => fieldOfColumn(String(name ?? '')))
  if (!columns.includes('title') && !columns.includes('content')) {
    throw new Refusal(
      'invalid',
      `No column of this file is known: ${heading
        .slice(0, 8)
        .map((name) => JSON.stringify(String(name ?? '').slice(0, 40)))
        .join(', ')}. Name them Name, Voice, Categories, Short Description, Audio Length, Text.`,
    )
  }
  limitRows(lines)
  return lines.map((line, at) => {
    limitColumns(line.length)
    const cells: SourceRow['cells'] = {}
    for (const [column, field] of columns.entries()) {
      if (field && cells[field] === undefined) cells[field] = line[column]
    }
    return { row: at + 1, cells }
  })
}

function readJson(text: string): SourceRow[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new Refusal(
      'invalid',
      `Parse error: this is not JSON. ${cause instanceof Error ? cause.message.slice(0, 120) : ''}`.trim(),
      { cause },
    )
  }
  const list = Array.isArray(json)
    ? json
    : isRecord(json)
      ? ['items', 'stories', 'content'].map((key) => json[key]).find(Array.isArray)
      : undefined
  if (!list)
    throw new Refusal('invalid', 'Expected a JSON list of items, such as [{"title": "…", "content": "…"}].')
  limitRows(list)
  return list.map((item: unknown, at) => {
    if (!isRecord(item))
      throw new Refusal('invalid', `Row ${at + 1} is not an object with a title and a content.`)
    return rowOfObject(item, at + 1)
  })
}

/** An object whose names are columns, by the same aliases as a sheet's; of two names for one field the first that says something counts. */
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

function limitRows(rows: readonly unknown[]): void {
  if (rows.length > rowsMax)
    throw new Refusal(
      'invalid',
      `This file has more than ${rowsMax.toLocaleString('en')} rows. Cut it into parts and import one after the other.`,
    )
}

function limitColumns(count: number): void {
  if (count > columnsMax)
    throw new Refusal(
      'invalid',
      `A row of this file has ${count.toLocaleString('en')} columns; ${columnsMax} is the most. Is this the right file?`,
    )
}
