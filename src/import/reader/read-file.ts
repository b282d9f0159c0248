import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError } from '#src/app-error'
import { openCsv } from '#src/import/rows/read-csv'
import { decodePieces, decodeText, openTable, readRows, type SourceRow } from '#src/import/rows/read-rows'
import { unguard } from '#src/text/csv'
import { exportMarks, type ImportFormat, rowCharactersMax } from '../rules'
import { openZip } from './open-zip'
import { readXlsx } from './read-xlsx'

const zipMagic = [0x50, 0x4b, 0x03, 0x04]
const oleMagic = [0xd0, 0xcf, 0x11, 0xe0]

/**
 * The rows of a file, one after the other; the last value is the number of omitted lines of a paste. Runs in the
 * reading process alone: an untrusted file may be made to exhaust memory and time. Throws `invalid` with the fix.
 */
export async function* readFileRows(
  path: string,
  format: ImportFormat,
): AsyncGenerator<SourceRow, number, undefined> {
  const table = format === 'workbook' ? readWorkbook(path) : format === 'csv' ? readCsv(path) : null
  if (table) {
    yield* rowsOf(table)
    return 0
  }
  if (format !== 'json' && format !== 'paste') throw new Error(`A ${format} is no text.`)
  const { rows, skipped } = readRows(format, await decodeText(bytesOf(path)))
  for (const row of rows) yield plainRow(row)
  return skipped
}

async function* rowsOf(lines: AsyncIterable<readonly unknown[]>): AsyncGenerator<SourceRow> {
  const table = openTable()
  for await (const line of lines) {
    const row = table.take(line)
    if (row) yield plainRow(row)
  }
  table.end()
}

async function* readCsv(path: string): AsyncGenerator<string[]> {
  const csv = openCsv()
  for await (const piece of decodePieces(bytesOf(path))) {
    const lines = csv.take(piece)
    // A line without end so far is parsed again with the next piece, every cell of it.
    if (lines.length === 0) Bun.gc(true)
    yield* lines
  }
  yield* csv.end()
}

function bytesOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 256 * 1024 })
}

/**
 * An export that a spreadsheet program has opened as CSV and saved as a workbook contains the formula guards in its
 * cells.
 */
async function* readWorkbook(path: string): AsyncGenerator<unknown[]> {
  let isExport: boolean | null = null
  for await (const line of await openWorkbook(path)) {
    isExport ??= exportMarks.every((mark) => line.includes(mark))
    yield isExport ? line.map((cell) => (typeof cell === 'string' ? unguard(cell) : cell)) : line
  }
}

/** The lines of the first sheet: .xlsx as a stream, .xls and .ods by a library that reads them whole. */
async function openWorkbook(path: string): Promise<AsyncIterable<unknown[]> | Iterable<unknown[]>> {
  const head = await readHead(path)
  if (startsWith(head, zipMagic)) {
    const zip = await openZip(path)
    if (zip.has('_rels/.rels')) return readXlsx(zip)
  } else if (!startsWith(head, oleMagic))
    throw new AppError(
      'invalid',
      'This is not a spreadsheet: neither .xlsx nor .xls. Save it again from a spreadsheet program.',
    )
  const { readWhole } = await import('./read-whole')
  return readWhole(path)
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(4)
    await file.read(head, 0, 4, 0)
    return head
  } finally {
    await file.close()
  }
}

function startsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => head[at] === byte)
}

/** A row of texts, numbers and lists of texts: other JSON values are ignored. */
function plainRow({ row, cells }: SourceRow): SourceRow {
  let characters = 0
  const plain = Object.entries(cells).map(([field, cell]) => {
    const value = Array.isArray(cell) ? cell.map(plainValue) : plainValue(cell)
    characters += String(value).length
    return [field, value] as const
  })
  if (characters > rowCharactersMax)
    throw new AppError(
      'invalid',
      `Row ${row} holds ${characters.toLocaleString('en')} characters; ${rowCharactersMax.toLocaleString('en')} is the most. Shorten it, or look for a quote that is not closed.`,
    )
  return { row, cells: Object.fromEntries(plain) }
}

function plainValue(value: unknown): string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : ''
}
