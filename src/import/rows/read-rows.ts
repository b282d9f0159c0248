import { AppError } from '#src/app-error'
import { openCsv } from '#src/import/rows/read-csv'
import { columnsMax, type Field, fieldOfColumn, type ImportFormat, rowsMax } from '#src/import/rules'
import { readPaste } from './read-paste'

/** One row as it was written: `row` counts from 1, as people count the rows of their data, or the lines of a paste. */
export type SourceRow = { row: number; cells: Partial<Record<Field, unknown>> }
export type Rows = {
  rows: SourceRow[] /** Lines of a paste with fewer than four columns. */
  skipped: number
}

/** Rows of a text in one of the text formats. Throws `invalid` with the fix. */
export function readRows(format: Exclude<ImportFormat, 'workbook'>, text: string): Rows {
  const clean = text.replace(/^\ufeff/, '')
  if (format === 'paste') return readPastedRows(clean)
  return { rows: format === 'csv' ? readTable(clean) : readJson(clean), skipped: 0 }
}

/**
 * The bytes of a file as text, chunk by chunk: for a very large buffer the decoder returns "" where memory runs out.
 * Throws `invalid` for bytes that are not UTF-8: guessing would garble names silently.
 */
export async function* decodePieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true })
    yield decodePiece(decoder, chunk)
  }
  if (decoder) yield decodePiece(decoder)
}

/** The same as one text. */
export async function decodeText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return (await Array.fromAsync(decodePieces(chunks))).join('')
}

function decodePiece(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new AppError('invalid', 'This file is not text in UTF-8. Save it as "CSV UTF-8" and try again.', {
      cause,
    })
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function readPastedRows(text: string): Rows {
  if (!text.trim())
    throw new AppError('invalid', 'No data provided. Paste data with Name, Category, Tags and Story columns.')
  const separator = separatorOfTable(text)
  if (separator) return { rows: readTable(text, separator), skipped: 0 }
  const { lines, skipped } = readPaste(text)
  limitRows(lines.length)
  if (lines.length === 0)
    throw new AppError('invalid', 'No valid data found. Expected format: Name | Category | Tags | Story')
  const rows = lines.map(({ line, title, category, tags, story }) => ({
    row: line,
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

/** Rows of a text whose cells may be quoted; without a separator it is detected from the first lines. */
function readTable(text: string, separator?: string): SourceRow[] {
  const csv = openCsv(separator)
  return rowsOfTable([...csv.take(text), ...csv.end()])
}

/** Rows of a table whose first row names the columns. */
function rowsOfTable(lines: Iterable<readonly unknown[]>): SourceRow[] {
  const table = openTable()
  const rows: SourceRow[] = []
  for (const line of lines) {
    const row = table.take(line)
    if (row) rows.push(row)
  }
  table.end()
  return rows
}

/**
 * A streaming reader of a table, a CSV's or a workbook's first sheet: `take` returns the row of a line, and null for
 * the first, which names the columns. Both throw `invalid` with the fix, `end` where no line came.
 */
export function openTable(): { take(line: readonly unknown[]): SourceRow | null; end(): void } {
  let columns: (Field | null)[] | null = null
  let row = 0
  return {
    take(line) {
      limitColumns(line.length)
      if (!columns) {
        columns = readHeading(line)
        return null
      }
      row += 1
      limitRows(row)
      const cells: SourceRow['cells'] = {}
      for (const [column, field] of columns.entries()) {
        if (field && cells[field] === undefined) cells[field] = line[column]
      }
      return { row, cells }
    },
    end() {
      if (!columns)
        throw new AppError(
          'invalid',
          'This file is empty. Its first row names the columns: Name, Voice, Categories, Short Description, Audio Length, Text.',
        )
    },
  }
}

function readHeading(heading: readonly unknown[]): (Field | null)[] {
  const columns = heading.map((name) => fieldOfColumn(String(name ?? '')))
  if (columns.includes('title') || columns.includes('content')) return columns
  throw new AppError(
    'invalid',
    `No column of this file is known: ${heading
      .slice(0, 8)
      .map((name) => JSON.stringify(String(name ?? '').slice(0, 40)))
      .join(', ')}. Name them Name, Voice, Categories, Short Description, Audio Length, Text.`,
  )
}

function readJson(text: string): SourceRow[] {
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
  return list.map((item: unknown, at) => {
    if (!isRecord(item))
      throw new AppError('invalid', `Row ${at + 1} is not an object with a title and a content.`)
    return rowOfObject(item, at + 1)
  })
}

/**
 * An object whose names are columns, by the same aliases as a sheet's; of two names for one field the first non-empty
 * one counts.
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

function limitRows(count: number): void {
  if (count > rowsMax)
    throw new AppError(
      'invalid',
      `This file has more than ${rowsMax.toLocaleString('en')} rows. Cut it into parts and import one after the other.`,
    )
}

function limitColumns(count: number): void {
  if (count > columnsMax)
    throw new AppError(
      'invalid',
      `A row of this file has ${count.toLocaleString('en')} columns; ${columnsMax} is the most. Is this the right file?`,
    )
}
