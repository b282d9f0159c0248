import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unguard } from '#src/csv'
import { Refusal } from '#src/refusal'
import { rowsOfTable, type SourceRow } from './read-rows'
import {
  exportMarks,
  sheetBytesMax,
  workbookEntriesMax,
  workbookInflatedBytesMax,
  workbookParseSecondsMax,
  workbookRatioMax,
} from './rules'
import { listZipEntries } from './zip-directory'

/** A spreadsheet from LibreOffice or Excel: xlsx is a zip, xls an OLE file. */
const zipMagic = [0x50, 0x4b, 0x03, 0x04]
const oleMagic = [0xd0, 0xcf, 0x11, 0xe0]

/**
 * The rows of a workbook's first sheet. What it unpacks to is checked from the zip's directory first, and it
 * is parsed in a process of its own, with limits of time and memory. Throws `invalid` with the mend.
 */
export async function readWorkbook(path: string): Promise<SourceRow[]> {
  await checkContainer(path)
  const parser = Bun.spawn([process.execPath, '--smol', join(import.meta.dir, 'parse-workbook.ts'), path], {
    stdout: 'pipe',
    stderr: 'ignore',
    env: { NODE_ENV: 'production' },
  })
  const timer = setTimeout(() => parser.kill('SIGKILL'), workbookParseSecondsMax * 1_000)
  const output = await new Response(parser.stdout).text().finally(() => clearTimeout(timer))
  if ((await parser.exited) !== 0)
    throw new Refusal(
      'invalid',
      'This spreadsheet could not be read. Open it in a spreadsheet program, save it as .xlsx or as CSV UTF-8, and try again.',
    )
  return rowsOfTable(withoutGuards(JSON.parse(output)))
}

/** An export that a spreadsheet program has opened as CSV and saved as a workbook has its guards in the cells. */
function withoutGuards(table: unknown[][]): unknown[][] {
  const isExport = exportMarks.every((mark) => table[0]?.includes(mark))
  return isExport
    ? table.map((row) => row.map((cell) => (typeof cell === 'string' ? unguard(cell) : cell)))
    : table
}

async function checkContainer(path: string): Promise<void> {
  const { size } = await stat(path)
  if (size > sheetBytesMax)
    throw new Refusal(
      'too_large',
      `This spreadsheet is larger than ${sheetBytesMax / 1024 / 1024} MB. Cut it into parts.`,
    )
  const file = await open(path)
  try {
    const head = Buffer.alloc(4)
    await file.read(head, 0, 4, 0)
    if (oleMagic.every((byte, at) => head[at] === byte)) return
    if (!zipMagic.every((byte, at) => head[at] === byte))
      throw new Refusal(
        'invalid',
        'This is not a spreadsheet: neither .xlsx nor .xls. Save it again from a spreadsheet program.',
      )
  } finally {
    await file.close()
  }
  const entries = await listZipEntries(path)
  if (!entries)
    throw new Refusal(
      'invalid',
      'This .xlsx is damaged: its directory cannot be read. Save it again from a spreadsheet program.',
    )
  const inflated = entries.reduce((sum, entry) => sum + entry.inflatedBytes, 0)
  const packed = entries.reduce((sum, entry) => sum + entry.packedBytes, 0)
  const isBomb =
    entries.length > workbookEntriesMax ||
    inflated > workbookInflatedBytesMax ||
    (inflated > 1024 * 1024 && inflated / Math.max(1, packed) > workbookRatioMax)
  if (isBomb)
    throw new Refusal(
      'invalid',
      `This spreadsheet unpacks to ${Math.ceil(inflated / 1024 / 1024)} MB in ${entries.length} parts, more than is safe to open. Save it as CSV UTF-8 instead.`,
    )
}
