import { AppError } from '#src/app-error'
import type { TableLine } from '#src/import/rows/find-heading'
import { columnsMax, neverCalculated, rowCharactersMax } from '../rules'
import { type MergedRange, mergedRangesMax, openMergedCells } from './merged-cells'
import { noteGarbage } from './note-garbage'
import { shownTime, type TimeFormat } from './number-format'
import type { Zip } from './open-zip'
import type { TextStore } from './text-store'
import { walkXml } from './walk-xml'
import type { CellValue, WorkbookSheet } from './workbook-sheet'
import {
  isOn,
  readFormats,
  readSharedStrings,
  readWorkbookPart,
  relationsOf,
  type SheetEntry,
  textCollector,
} from './xlsx-parts'

/** The widest possible sheet: its last column is XFD. */
const columnsOfSheet = 16_384

/**
 * The sheets of a workbook (ECMA-376 part 1, 18.3), each read as a stream: only the shared strings are in memory, never
 * the whole workbook. Empty lines at both ends of a sheet are left out; those in between have no cells.
 */
export async function openXlsx(zip: Zip): Promise<WorkbookSheet[]> {
  const workbook = (await relationsOf(zip, '')).find(({ type }) => type === 'officeDocument')?.part
  if (workbook === undefined) throw new Error('There is no workbook.')
  const relations = await relationsOf(zip, workbook)
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.part
  const { sheets, firstDay } = await readWorkbookPart(zip, workbook)
  const strings = await readSharedStrings(zip, partOf('sharedStrings'))
  const formats = await readFormats(zip, partOf('styles'))
  const parts = new Map(
    relations.filter(({ type }) => type === 'worksheet').map((each) => [each.id, each.part]),
  )
  const found = sheets.flatMap(({ id, name, isHidden }) => {
    const part = parts.get(id)
    return part ? [openSheet({ zip, part, strings, formats, firstDay }, { name, isHidden })] : []
  })
  if (found.length === 0) throw new Error('There is no sheet.')
  return found
}

type SheetSource = {
  zip: Zip
  part: string
  strings: TextStore
  formats: readonly (TimeFormat | null)[]
  /** Days to add in workbooks whose dates count from 1904. Times of day need no correction. */
  firstDay: number
}

function openSheet(source: SheetSource, { name, isHidden }: Omit<SheetEntry, 'id'>): WorkbookSheet {
  const hidden: number[] = []
  let filled: ReadonlyMap<number, number> = new Map()
  async function* lines(): AsyncGenerator<TableLine> {
    const merged = openMergedCells<CellValue>(await findMergedRanges(source))
    filled = merged.filled()
    const read: Line[] = []
    let written = 0
    for await (const _ of walkXml(await source.zip.read(source.part), sheetHandlers(source, read, hidden))) {
      for (const { row, cells, isHidden } of read.splice(0)) {
        for (; written > 0 && written < row - 1; written += 1) yield { row: written + 1, cells: [] }
        yield { row, cells: merged.fill(row, cells, ''), isHidden }
        written = row
      }
    }
  }
  return { name, isHidden, lines, hiddenColumns: () => hidden, filled: () => filled }
}

/** Finds the merged ranges in a pass of their own, since the file lists them behind the cells. */
async function findMergedRanges({ zip, part }: SheetSource): Promise<MergedRange[]> {
  const ranges: MergedRange[] = []
  const decoder = new TextDecoder('latin1')
  let rest = ''
  for await (const chunk of await zip.read(part)) {
    noteGarbage(chunk.byteLength)
    const text: string = rest + decoder.decode(chunk, { stream: true })
    for (const [, first = '', from = '', to = ''] of text.matchAll(mergedRange)) {
      if (ranges.length >= mergedRangesMax) return ranges
      ranges.push({ column: columnOf(first), from: Number(from), to: Number(to) })
    }
    const open = text.lastIndexOf('<')
    rest = open >= 0 && text.length - open < 200 ? text.slice(open) : ''
  }
  return ranges
}

const mergedRange = /<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g

type Line = { row: number; cells: CellValue[]; isHidden: boolean }

/** Adds the non-empty lines to `lines`. A cell or row without a reference follows the previous one. */
function sheetHandlers(
  { strings, formats, firstDay }: SheetSource,
  lines: Line[],
  hidden: number[],
): Parameters<typeof walkXml>[1] {
  const text = textCollector()
  let line: Line = { row: 0, cells: [], isHidden: false }
  let column = -1
  let type = 'n'
  let style = ''
  let isFormula = false
  let characters = 0
  const readCell = (own: string): CellValue => {
    const value = cellValue(type, own, strings)
    const format = typeof value === 'number' ? formats[Number(style)] : undefined
    if (format && typeof value === 'number') return shownTime(value + (value >= 1 ? firstDay : 0), format)
    return value === '' && isFormula && type !== 'str' ? neverCalculated : value
  }
  return {
    open(name, { r, t, s, hidden: isHidden, min, max }) {
      if (name === 'row') {
        line = {
          row: nextPlace(r === undefined ? line.row + 1 : Number(r), line.row),
          cells: [],
          isHidden: isOn(isHidden),
        }
        column = -1
        characters = 0
      } else if (name === 'c') {
        column = nextPlace(r === undefined ? column + 1 : columnOf(r), column)
        type = t ?? 'n'
        style = s ?? ''
        isFormula = false
        text.take()
      } else if (name === 'f') isFormula = true
      else if (name === 'col' && isOn(isHidden)) hidden.push(...columnsFrom(Number(min), Number(max)))
      else text.open(name)
    },
    close(name, own) {
      text.close(name, own)
      if (name === 'c') {
        const value = readCell(text.take())
        if (value === '') return
        if (typeof value === 'string') characters += value.length
        if (characters > rowCharactersMax) throw tooLong(line.row)
        while (line.cells.length < column) line.cells.push('')
        line.cells[column] = value
      } else if (name === 'row' && line.cells.length > 0) lines.push(line)
    },
  }
}

/** Converts columns that count from 1 to columns that count from 0, at most as many as a table may have. */
function columnsFrom(min: number, max: number): number[] {
  return Array.from({ length: Math.min(max - min + 1, columnsMax) || 0 }, (_, at) => min - 1 + at)
}

function nextPlace(place: number, before: number): number {
  if (!(place > before)) throw new Error('The cells of this sheet are out of order.')
  return place
}

/** Column of a reference, counted from 0: "AB12" is in column 27. */
function columnOf(reference: string): number {
  const letters = reference.match(/^[A-Z]{1,3}/)?.[0] ?? ''
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  if (number < 1 || number > columnsOfSheet) throw new Error('There is no such column.')
  return number - 1
}

/** The value of a cell by its type (18.18.11); an error is its code, such as #REF!. */
function cellValue(type: string, text: string, strings: TextStore): CellValue {
  if (text === '') return ''
  if (type === 'e') return text
  if (type === 's') return unescapeText(strings.get(Number(text)))
  if (type === 'b') return text === '1' || text === 'true'
  if (type !== 'n') return unescapeText(text)
  return Number.isNaN(Number(text)) ? text : Number(text)
}

/** Characters that XML cannot hold are written as _x0008_ (22.9.2.19). */
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function tooLong(row: number): AppError {
  return new AppError(
    'invalid',
    `Row ${row} of this sheet holds more than ${rowCharactersMax.toLocaleString('en')} characters. Shorten it, or leave it out.`,
  )
}
