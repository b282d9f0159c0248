import { posix } from 'node:path'
import { AppError } from '#src/app-error'
import { rowCharactersMax } from '../rules'
import type { Zip } from './open-zip'
import { openTextStore, type TextStore } from './text-store'
import { walkXml } from './walk-xml'

export type CellValue = string | number | boolean
/** The widest sheet that there is: column XFD. */
const columnsOfSheet = 16_384

/**
 * The lines of a workbook's first sheet (ECMA-376 part 1, 18.3), one after the other: the workbook is never in
 * memory, only its shared strings are. Empty lines at both ends are left out, those between are empty lists.
 */
export async function* readXlsx(zip: Zip): AsyncGenerator<CellValue[]> {
  const workbook = (await relationsOf(zip, '')).find(({ type }) => type === 'officeDocument')?.part
  if (workbook === undefined) throw new Error('There is no workbook.')
  const relations = await relationsOf(zip, workbook)
  const firstId = await findFirstSheet(zip, workbook)
  const sheet = relations.find(({ id }) => id === firstId)?.part
  const strings = relations.find(({ type }) => type === 'sharedStrings')?.part
  if (sheet === undefined) throw new Error('The first sheet is not there.')
  yield* readSheetLines(zip, sheet, await readSharedStrings(zip, strings))
}

type Relation = { id: string; type: string; part: string }

/** The target that a part of the package, or the package itself (""), refers to. */
async function relationsOf(zip: Zip, part: string): Promise<Relation[]> {
  const { dir, base } = posix.parse(part)
  const relations: Relation[] = []
  const open = (name: string, { Id = '', Type = '', Target = '' }: Record<string, string>) => {
    if (name !== 'Relationship') return
    const target = posix.join(Target.startsWith('/') ? '' : dir, Target).replace(/^\//, '')
    relations.push({ id: Id, type: posix.basename(Type), part: target })
  }
  await walkPart(zip, posix.join(dir, '_rels', `${base}.rels`), { open })
  return relations
}

async function findFirstSheet(zip: Zip, workbook: string): Promise<string | null> {
  let id: string | null = null
  await walkPart(zip, workbook, {
    open(name, attributes) {
      if (name !== 'sheet' || id !== null) return
      const [, found = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      id = found
    },
  })
  return id
}

async function readSharedStrings(zip: Zip, part: string | undefined): Promise<TextStore> {
  const strings = openTextStore()
  if (part === undefined) return strings
  const text = textCollector()
  await walkPart(zip, part, {
    open: text.open,
    close(name, own) {
      text.close(name, own)
      if (name === 'si') strings.add(text.take())
    },
  })
  return strings
}

async function walkPart(zip: Zip, part: string, handlers: Parameters<typeof walkXml>[1]): Promise<void> {
  for await (const _ of walkXml(await zip.read(part), handlers));
}

async function* readSheetLines(zip: Zip, part: string, strings: TextStore): AsyncGenerator<CellValue[]> {
  const lines: Line[] = []
  let written = 0
  for await (const _ of walkXml(await zip.read(part), sheetHandlers(strings, lines))) {
    for (const { row, cells } of lines.splice(0)) {
      for (; written > 0 && written < row - 1; written += 1) yield []
      yield cells
      written = row
    }
  }
}

type Line = { row: number; cells: CellValue[] }

/** Adds the non-empty lines to `lines`. Cells and rows without a reference follow the one before. */
function sheetHandlers(strings: TextStore, lines: Line[]): Parameters<typeof walkXml>[1] {
  const text = textCollector()
  let row = 0
  let column = -1
  let type = 'n'
  let characters = 0
  let cells: CellValue[] = []
  return {
    open(name, { r, t }) {
      if (name === 'row') {
        row = nextPlace(r === undefined ? row + 1 : Number(r), row)
        column = -1
        characters = 0
        cells = []
      } else if (name === 'c') {
        column = nextPlace(r === undefined ? column + 1 : columnOf(r), column)
        type = t ?? 'n'
        text.take()
      } else text.open(name)
    },
    close(name, own) {
      text.close(name, own)
      if (name === 'c') {
        const value = cellValue(type, text.take(), strings)
        if (value === '') return
        if (typeof value === 'string') characters += value.length
        if (characters > rowCharactersMax) throw tooLong(row)
        while (cells.length < column) cells.push('')
        cells[column] = value
      } else if (name === 'row' && cells.length > 0) lines.push({ row, cells })
    },
  }
}

function nextPlace(place: number, before: number): number {
  if (!(place > before)) throw new Error('The cells of this sheet are out of order.')
  return place
}

/** "AB12" is in column 27, counted from 0. */
function columnOf(reference: string): number {
  const letters = reference.match(/^[A-Z]{1,3}/)?.[0] ?? ''
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  if (number < 1 || number > columnsOfSheet) throw new Error('There is no such column.')
  return number - 1
}

/** The text of `v` and `t` elements, without phonetic hints. */
function textCollector() {
  let text = ''
  let phonetic = 0
  return {
    open(name: string) {
      if (name === 'rPh') phonetic += 1
    },
    close(name: string, own: string) {
      if (name === 'rPh') phonetic -= 1
      else if (phonetic === 0 && (name === 't' || name === 'v')) text += own
    },
    take(): string {
      const taken = text
      text = ''
      return taken
    },
  }
}

/** The value of a cell by its type (18.18.11); a formula's error is empty. */
function cellValue(type: string, text: string, strings: TextStore): CellValue {
  if (text === '' || type === 'e') return ''
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
