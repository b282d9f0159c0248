import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CFB, utils, type WorkBook, type WorkSheet, write } from 'xlsx'
import { chooseRows } from '#src/import/rows/choose-rows'
import { decodeRow } from '#src/import/rows/decode-row'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import { rejectionOf } from '#src/testing/rejection'
import { readFileRows } from './read-file'
import { textRow, xlsxOf } from './testing-workbooks'

const folder = mkdtempSync(join(tmpdir(), 'nocturne-sheets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads the rows of a file as they are imported, with their problems. */
async function read(name: string, content: string | Uint8Array, choices: SheetChoices = {}) {
  const path = join(folder, name)
  await Bun.write(path, content)
  const reading = readFileRows(path, name.endsWith('.csv') ? 'csv' : 'workbook')
  const rows = []
  let next = await reading.next()
  for (; !next.done; next = await reading.next()) rows.push(next.value)
  const { dropped, ...found } = next.value
  const kept = rows.filter(({ sheet }) => !dropped.includes(sheet))
  const { notes, sheets, rows: chosen } = chooseRows({ rows: kept, ...found }, choices)
  const decoded = chosen.map((row) => ({ ...row, ...decodeRow(row) }))
  return {
    notes,
    sheets: sheets.map(({ name, isChosen }) => [name, isChosen]),
    rows: decoded.map(({ sheet, row, item }) =>
      [sheet, row, item.title].filter((each) => each !== undefined),
    ),
    problems: decoded.flatMap(({ problems }) => problems),
    warnings: decoded.flatMap(({ warnings }) => warnings),
    items: decoded.map(({ item }) => item),
  }
}

type Sheets = Record<string, { lines: unknown[][]; isHidden?: boolean; change?: (sheet: WorkSheet) => void }>

/** A workbook as a spreadsheet program writes it. */
function workbook(sheets: Sheets, bookType: 'xlsx' | 'biff8' | 'ods' = 'xlsx'): Uint8Array {
  const names = Object.keys(sheets)
  const book: WorkBook = {
    SheetNames: names,
    Sheets: Object.fromEntries(
      Object.entries(sheets).map(([name, { lines, change }]) => {
        const sheet = utils.aoa_to_sheet(lines)
        change?.(sheet)
        return [name, sheet]
      }),
    ),
    Workbook: { Sheets: names.map((name) => ({ name, Hidden: sheets[name]?.isHidden ? 1 : 0 })) },
  }
  const bytes = write(book, { type: 'buffer', bookType, cellStyles: true })
  const hidden = Object.values(book.Sheets)[0]?.['!rows']?.findIndex((row) => row?.hidden) ?? -1
  return bookType === 'biff8' && hidden > 0 ? withHiddenRow(bytes, hidden) : bytes
}

/** Inserts a row record (MS-XLS 2.4.221), which the library does not write, after the dimensions of the only sheet. */
function withHiddenRow(bytes: Buffer, row: number): Uint8Array {
  const file = CFB.read(bytes, { type: 'buffer' })
  const stream = CFB.find(file, 'Workbook')
  if (!stream) throw new Error('There is no stream of the workbook.')
  const records = Buffer.from(stream.content as Uint8Array)
  let at = 0
  while (records.readUInt16LE(at) !== 0x0200) at += 4 + records.readUInt16LE(at + 2)
  at += 4 + records.readUInt16LE(at + 2)
  const record = Buffer.alloc(20)
  for (const [place, value] of [0x0208, 16, row, 0, 5, 255, 0, 0, 0x0120].entries())
    record.writeUInt16LE(value, place * 2)
  stream.content = Buffer.concat([records.subarray(0, at), record, records.subarray(at)])
  stream.size = stream.content.length
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer)
}

const heading = ['Name', 'Voice', 'Categories', 'Audio Length', 'Text']
const story = (name: string, minutes: unknown = 14) => [name, 'female', 'romantic', minutes, `${name} began.`]

for (const bookType of ['xlsx', 'biff8'] as const) {
  const extension = bookType === 'xlsx' ? 'xlsx' : 'xls'

  test(`.${extension}: every story sheet is read, and hidden and other sheets are left out and reported`, async () => {
    const file = workbook(
      {
        May: { lines: [['Stories of May'], [], heading, story('The Lamp')] },
        June: { lines: [heading, story('The Boat'), story('The Quay')] },
        Old: { lines: [heading, story('The Attic')], isHidden: true },
        Rates: {
          lines: [
            ['Euro', 'Dollar'],
            [1, 1.1],
          ],
        },
        Empty: { lines: [] },
      },
      bookType,
    )
    const found = await read(`a.${extension}`, file)
    expect(found.rows).toEqual([
      ['May', 4, 'The Lamp'],
      ['June', 2, 'The Boat'],
      ['June', 3, 'The Quay'],
    ])
    expect(found.notes).toEqual([
      'Sheet “May”: Left out above the headings: row 1 (“Stories of May”).',
      'Sheet “Old”, which is hidden, is left out: 1 row.',
      'Sheet “Rates” is left out: no column Name or Text.',
    ])
    const chosen = await read(`a.${extension}`, file, { sheets: ['Old'] })
    expect(chosen.rows).toEqual([['Old', 2, 'The Attic']])
    expect((await rejectionOf(read(`a.${extension}`, file, { sheets: ['July'] }))).message).toBe(
      'There is no sheet “July”. There are: “May”, “June”, “Old”, “Rates”, “Empty”.',
    )
  })

  test(`.${extension}: merged cells are filled; hidden rows and columns, errors and lengths are reported`, async () => {
    const lines = [
      heading,
      story('The Lamp'),
      ['The Boat', 'female', '', '14:30', 'He rowed.'],
      story('The Attic', 'fourteen'),
      story('The Quay'),
      story('The Clock', 0),
      story('The Calendar', 0),
    ]
    const file = workbook(
      {
        one: {
          lines,
          change(sheet) {
            sheet['!merges'] = [{ s: { r: 1, c: 2 }, e: { r: 2, c: 2 } }]
            sheet.C2 = { t: 's', v: 'gay' }
            sheet.C5 = { t: 'e', v: 0x17 }
            sheet.D6 = { t: 'n', v: 14.5 / 24, z: 'h:mm' }
            sheet.D7 = { t: 'n', v: 46_156, z: 'yyyy-mm-dd' }
            sheet['!rows'] = [{}, {}, {}, { hidden: true }]
            sheet['!cols'] = [{}, { hidden: true }]
          },
        },
      },
      bookType,
    )
    const { notes, problems, warnings, items } = await read(`b.${extension}`, file)
    expect(notes).toEqual([
      'Column B “Voice” is hidden in the sheet. It is read anyway.',
      'Column C “Categories” has merged cells: 1 cell filled from above.',
      '1 row is hidden in the sheet, and not imported. Show them there, or import hidden rows too.',
    ])
    expect(items[1]).toMatchObject({ title: 'The Boat', categories: ['gay'], duration: 15 })
    expect(problems).toMatchObject([
      { row: 4, field: 'row', message: expect.stringContaining('hidden in the sheet') },
      { row: 5, field: 'categories', column: 'C “Categories”', message: expect.stringContaining('#REF!') },
      { row: 7, column: 'D “Audio Length”', message: expect.stringContaining('"2026-05-14" is a date') },
    ])
    const clock = '"14:30" was read as 14 min 30 s: 15 in whole minutes. Write 15 to be sure.'
    expect(warnings).toEqual([
      `D “Audio Length”: ${clock}`,
      'D “Audio Length”: "fourteen" is not a number of minutes, and was read as 15. Write a number from 1 to 600.',
      `D “Audio Length”: ${clock}`,
    ])
    const all = await read(`b.${extension}`, file, { hiddenRows: true })
    expect(all.problems.map(({ row }) => row)).toEqual([5, 7])
    expect(all.notes.at(-1)).toBe('1 row is hidden in the sheet, and imported anyway.')
  })
}

test('a formula without a calculated value is a problem, and an error in an unused column is not', async () => {
  const file = xlsxOf({
    rows: `<row r="2"><c r="A2" t="inlineStr"><is><t>The Lamp</t></is></c><c r="B2"><f>A2&amp;"!"</f></c><c r="C2" t="e"><v>#N/A</v></c></row>${textRow(3, 'The Boat', 'He rowed.')}`,
  })
  const { problems } = await read('formula.xlsx', file)
  expect(problems).toMatchObject([
    { row: 2, column: 'B “Text”', message: expect.stringContaining('was never calculated') },
  ])
})

test('a file is recognised by its content, whatever its extension', async () => {
  const text = await read('renamed.xls', 'Name;Text\nThe Lamp;She lit it.\n')
  expect(text.rows).toEqual([[2, 'The Lamp']])
  expect(text.notes).toEqual(['This file is named like a workbook, but contains text. It was read as CSV.'])
  const book = await read('renamed.csv', workbook({ one: { lines: [heading, story('The Lamp')] } }))
  expect(book.notes).toEqual(['This file is actually a workbook, and was read as one.'])
  const refused = async (name: string, content: string | Uint8Array) =>
    (await rejectionOf(read(name, content))).message
  expect(await refused('page.xls', '<html><table><tr><td>Name</td></tr></table></html>')).toContain(
    'a web page (HTML) inside',
  )
  expect(await refused('old.xls', '<?xml version="1.0"?><Workbook></Workbook>')).toContain('save it as .xlsx')
  const locked = Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ])
  expect(await refused('locked.xlsx', locked)).toContain('protected by a password')
  expect(await refused('latin.csv', Buffer.from('Name,Text\n\x81\xff,x', 'latin1'))).toContain('UTF-8')
  const western = await read('western.csv', Buffer.from('Name;Text\nCaf\xe9;x\n', 'latin1'))
  expect(western.rows).toEqual([[2, 'Café']])
  expect(western.notes[0]).toContain('read as Windows-1252')
  const wide = await read('wide.csv', Buffer.from('Name\tText\r\nCafé\tx\r\n', 'utf16le'))
  expect(wide.rows).toEqual([[2, 'Café']])
})
