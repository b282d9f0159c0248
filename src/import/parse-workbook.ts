import { readFileSync } from 'node:fs'
import { read, utils } from 'xlsx'
import { columnsMax, rowsMax } from './rules'

/** Run as a process of its own: a workbook's path in, its first sheet as JSON rows out. */
const path = process.argv[2] ?? ''
const workbook = read(readFileSync(path), {
  type: 'buffer',
  sheetRows: rowsMax + 2,
  cellFormula: false,
  cellHTML: false,
  cellStyles: false,
})
const sheet = workbook.Sheets[workbook.SheetNames[0] ?? '']
const rows: unknown[][] = sheet
  ? utils.sheet_to_json(sheet, { header: 1, raw: true, defval: '', blankrows: true })
  : []
while (rows.length > 0 && rows.at(-1)?.every((cell) => cell === '')) rows.pop()
process.stdout.write(JSON.stringify(rows.map((row) => row.slice(0, columnsMax + 1))))
