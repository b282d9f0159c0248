import { readFileSync } from 'node:fs'
import { read, type WorkSheet } from 'xlsx'
import { AppError } from '#src/app-error'
import type { TableLine } from '#src/import/rows/find-heading'
import { columnsMax, rowsMax } from '../rules'
import { openMergedCells } from './merged-cells'
import { shownTime, timeFormatOf } from './number-format'
import type { CellValue, WorkbookSheet } from './workbook-sheet'

/** The sheets of an .xls or .ods, which are read whole. Empty lines at both ends are left out. */
export function openWhole(path: string): WorkbookSheet[] {
  const file = readFileSync(path)
  // An .xlsx with a password is an OLE container with one stream of this name (MS-OFFCRYPTO 2.3.4.4).
  if (file.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw protectedByPassword()
  const { Sheets, SheetNames, Workbook } = readBook(file)
  const sheets = SheetNames.flatMap((name, at) => {
    const sheet = Sheets[name]
    return sheet?.['!data'] ? [openSheet(sheet, { name, isHidden: !!Workbook?.Sheets?.[at]?.Hidden })] : []
  })
  if (sheets.length === 0) throw new Error('There is no sheet.')
  return sheets
}

function readBook(file: Buffer): ReturnType<typeof read> {
  try {
    return read(file, {
      type: 'buffer',
      // Cells in arrays, without formatted text beside their values: a third of the memory.
      dense: true,
      cellText: false,
      cellNF: true,
      sheetRows: rowsMax + 2,
      cellFormula: false,
      cellHTML: false,
      cellStyles: true,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw protectedByPassword()
    throw error
  }
}

function openSheet(sheet: WorkSheet, entry: Pick<WorkbookSheet, 'name' | 'isHidden'>): WorkbookSheet {
  const merged = openMergedCells<CellValue>(
    (sheet['!merges'] ?? []).map(({ s, e }) => ({ column: s.c, from: s.r + 1, to: e.r + 1 })),
  )
  function* lines(): Generator<TableLine> {
    let blank = -1
    for (const [at, cells] of (sheet['!data'] ?? []).entries()) {
      const line = merged.fill(at + 1, Array.from((cells ?? []).slice(0, columnsMax + 1), shownValue), '')
      if (line.every((cell) => cell === '')) {
        if (blank >= 0) blank += 1
        continue
      }
      for (; blank > 0; blank -= 1) yield { row: at + 1 - blank, cells: [] }
      blank = 0
      yield { row: at + 1, cells: line, isHidden: sheet['!rows']?.[at]?.hidden === true }
    }
  }
  const hiddenColumns = (sheet['!cols'] ?? []).flatMap((column, at) => (column?.hidden ? [at] : []))
  return { ...entry, lines, hiddenColumns: () => hiddenColumns, filled: merged.filled }
}

type Cell = { t: string; v?: unknown; z?: string | number } | undefined

/** A cell's value. An error is shown as its code, a date or time as a spreadsheet shows it. */
function shownValue(cell: Cell): CellValue {
  const { t, v, z } = cell ?? { t: 'z' }
  if (t === 'e') return errorCodes[Number(v)] ?? '#ERROR!'
  if (typeof v === 'number') {
    const format = timeFormatOf(Number(z), typeof z === 'string' ? z : undefined)
    return format ? shownTime(v, format) : v
  }
  return typeof v === 'string' || typeof v === 'boolean' ? v : ''
}

/** Error codes (MS-XLS 2.5.10). */
const errorCodes: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

function protectedByPassword(): AppError {
  return new AppError(
    'invalid',
    'This workbook is protected by a password. Open it in a spreadsheet program, save it without one, and send that.',
  )
}
