import { open } from 'node:fs/promises'
import { AppError } from '#src/app-error'
import { columnLetters, columnWords, type TableLine } from '#src/import/rows/find-heading'
import { openTable, type RawRow } from '#src/import/rows/open-table'
import type { FoundColumn, FoundSheet } from '#src/import/rows/sheet-schema'
import { unguard } from '#src/text/csv'
import { pluralize } from '#src/text/pluralize'
import { exportMarks, strangeRowsMax } from '../rules'
import type { FoundBeside } from './message'
import { openZip } from './open-zip'
import { isZip } from './other-formats'
import { openXlsx } from './read-xlsx'
import type { WorkbookSheet } from './workbook-sheet'

/**
 * Yields the rows of all sheets of a workbook, one sheet after the other. If one of several sheets is no table of
 * stories, it is left out with a note and the others are read.
 */
export async function* readWorkbook(path: string): AsyncGenerator<RawRow, FoundBeside, undefined> {
  const sheets = await openWorkbook(path)
  const found: FoundSheet[] = []
  const notes: string[] = []
  const dropped: number[] = []
  for (const [at, sheet] of sheets.entries()) {
    const { name, isHidden } = sheet
    const table = openTable(at)
    try {
      for await (const line of withoutGuards(sheet.lines())) {
        yield* table.take(line)
        if (sheets.length > 1 && !table.isKnown() && table.rowCount() > strangeRowsMax) throw strange()
      }
      const { rows, ...rest } = table.end()
      yield* rows
      found.push({ name, isHidden, ...rest, notes: [...rest.notes, ...oddWords(sheet, rest.columns)] })
    } catch (error) {
      if (!(error instanceof AppError) || sheets.length === 1 || table.isKnown()) throw error
      found.push({ name, isHidden, rowCount: 0, hiddenRows: 0, columns: [], notes: [] })
      dropped.push(at)
      if (!table.isEmpty()) notes.push(`Sheet “${name}” is left out. ${error.message}`)
    }
  }
  return { sheets: found, skipped: 0, notes, dropped }
}

/** Opens an .xlsx as a stream; an .xls or .ods by a library that reads the whole file. */
async function openWorkbook(path: string): Promise<WorkbookSheet[]> {
  if (isZip(await readMagic(path))) {
    const zip = await openZip(path)
    if (zip.has('_rels/.rels')) return openXlsx(zip)
  }
  const { openWhole } = await import('./read-whole')
  return openWhole(path)
}

async function readMagic(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(4)
    await file.read(head, 0, 4, 0)
    return head
  } finally {
    await file.close()
  }
}

/**
 * Removes the formula guards from cells. An export contains them if a spreadsheet program opened it as CSV and saved it
 * as a workbook.
 */
async function* withoutGuards(lines: ReturnType<WorkbookSheet['lines']>): AsyncGenerator<TableLine> {
  let isExport = false
  for await (const { cells, ...line } of lines) {
    isExport ||= exportMarks.every((mark) => cells.includes(mark))
    const plain = (cell: unknown) => (typeof cell === 'string' ? unguard(cell) : cell)
    yield { ...line, cells: isExport ? cells.map(plain) : cells }
  }
}

function oddWords(sheet: WorkbookSheet, columns: readonly FoundColumn[]): string[] {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const wordsOf = (at: number) => {
    const column = byKey.get(columnLetters(at))
    return column && `Column ${columnWords(column)}`
  }
  const hidden = sheet.hiddenColumns().flatMap((at) => {
    const words = wordsOf(at)
    return words ? [`${words} is hidden in the sheet. It is read anyway.`] : []
  })
  const filled = [...sheet.filled()].flatMap(([at, cells]) => {
    const words = wordsOf(at)
    return words ? [`${words} has merged cells: ${pluralize(cells, 'cell')} filled from above.`] : []
  })
  return [...hidden, ...filled]
}

function strange(): AppError {
  return new AppError(
    'invalid',
    `It has more than ${strangeRowsMax.toLocaleString('en')} rows, and no column Name or Text.`,
  )
}
