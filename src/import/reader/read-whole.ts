import { readFileSync } from 'node:fs'
import { read } from 'xlsx'
import { columnsMax, rowsMax } from '../rules'

/** The lines of the first sheet of an .xls or .ods, which are read whole; empty lines at both ends are left out. */
export function* readWhole(path: string): Generator<unknown[]> {
  const { Sheets, SheetNames } = read(readFileSync(path), {
    type: 'buffer',
    // Cells in lists, of the first sheet alone, without their text beside their value: a third of the memory.
    dense: true,
    sheets: 0,
    cellText: false,
    sheetRows: rowsMax + 2,
    cellFormula: false,
    cellHTML: false,
    cellStyles: false,
  })
  const sheet = Sheets[SheetNames[0] ?? '']
  if (!sheet) throw new Error('There is no sheet.')
  let blank = -1
  for (const cells of sheet['!data'] ?? []) {
    const line = Array.from((cells ?? []).slice(0, columnsMax + 1), (cell) =>
      cell?.t === 'e' ? '' : (cell?.v ?? ''),
    )
    if (line.every((cell) => cell === '')) {
      if (blank >= 0) blank += 1
      continue
    }
    for (; blank > 0; blank -= 1) yield []
    blank = 0
    yield line
  }
}
