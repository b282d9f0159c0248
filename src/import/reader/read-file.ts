import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError } from '#src/app-error'
import { decodePieces, decodeText, encodingNote, findEncoding } from '#src/import/rows/decode-text'
import type { TableLine } from '#src/import/rows/find-heading'
import { openTable, type RawRow } from '#src/import/rows/open-table'
import { openCsv } from '#src/import/rows/read-csv'
import { readRows } from '#src/import/rows/read-rows'
import { type ImportFormat, rowCharactersMax } from '../rules'
import type { FoundBeside } from './message'
import { isWorkbook, looksLikeTable, refuseOtherFormats } from './other-formats'
import { readWorkbook } from './read-workbook'

type Reading = AsyncGenerator<RawRow, FoundBeside, undefined>

/**
 * Yields the rows of a file one after the other, and returns the findings about it. The content decides the format
 * before the name does. Run this only in the reading process: an untrusted file may be made to exhaust memory and time.
 * Throws `invalid` with the fix.
 */
export async function* readFileRows(path: string, format: ImportFormat): Reading {
  const reading = await openReading(path, format)
  let next = await reading.next()
  for (; !next.done; next = await reading.next()) yield plainRow(next.value)
  return next.value
}

async function openReading(path: string, format: ImportFormat): Promise<Reading> {
  const head = await readHead(path)
  if (isWorkbook(head)) {
    const note = format === 'workbook' ? null : 'This file is actually a workbook, and was read as one.'
    return withNote(readWorkbook(path), note)
  }
  refuseOtherFormats(head)
  if (format === 'json' || format === 'paste') return readText(path, format)
  if (format === 'csv') return readCsv(path)
  if (!looksLikeTable(head))
    throw new AppError(
      'invalid',
      'This is not a spreadsheet: neither .xlsx nor .xls. Save it again from a spreadsheet program.',
    )
  return withNote(readCsv(path), 'This file is named like a workbook, but contains text. It was read as CSV.')
}

async function* withNote(reading: Reading, note: string | null): Reading {
  const found = yield* reading
  return note ? { ...found, notes: [note, ...found.notes] } : found
}

async function* readText(path: string, format: 'json' | 'paste'): Reading {
  const encoding = await findEncoding(bytesOf(path))
  const { rows, notes, ...found } = readRows(format, await decodeText(bytesOf(path), encoding))
  yield* rows
  return { ...found, notes: [...notes, ...[encodingNote(encoding) ?? []].flat()], dropped: [] }
}

async function* readCsv(path: string): Reading {
  const encoding = await findEncoding(bytesOf(path))
  const table = openTable()
  const csv = openCsv()
  for await (const piece of decodePieces(bytesOf(path), encoding)) {
    const lines: TableLine[] = csv.take(piece)
    // A line that has not ended yet is parsed again with the next piece, every cell of it, so there is garbage to
    // collect.
    if (lines.length === 0) Bun.gc(true)
    for (const line of lines) yield* table.take(line)
  }
  for (const line of csv.end()) yield* table.take(line)
  const { rows, ...found } = table.end()
  yield* rows
  const notes = [encodingNote(encoding) ?? []].flat()
  return { sheets: [{ name: '', isHidden: false, ...found }], skipped: 0, notes, dropped: [] }
}

function bytesOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 256 * 1024 })
}

/** Enough to see the first lines of a text. */
const headBytes = 16 * 1024

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(headBytes)
    const { bytesRead } = await file.read(head, 0, headBytes, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** A row with texts, numbers and lists of texts only: other JSON values are ignored. */
function plainRow({ cells, ...row }: RawRow): RawRow {
  let characters = 0
  const plain = Object.entries(cells).map(([field, cell]) => {
    const value = Array.isArray(cell) ? cell.map(plainValue) : plainValue(cell)
    characters += String(value).length
    return [field, value] as const
  })
  if (characters > rowCharactersMax)
    throw new AppError(
      'invalid',
      `Row ${row.row} holds ${characters.toLocaleString('en')} characters; at most ${rowCharactersMax.toLocaleString('en')} are allowed. Shorten it, or look for a quote that is not closed.`,
    )
  return { ...row, cells: Object.fromEntries(plain) }
}

function plainValue(value: unknown): string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : ''
}
