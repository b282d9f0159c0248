import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from 'xlsx'
import type { ReadingMeasured } from './testing-memory'
import { textRow, type WorkbookParts, xlsxOf } from './testing-workbooks'
import { zipOf } from './testing-zip'

const peakBytesMax = 300 * 1024 * 1024
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nocturne-bombs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Reads a sheet in a separate server, and returns the outcome and the memory used. */
async function measure(name: string, content: string | Uint8Array): Promise<ReadingMeasured> {
  const path = join(folder, name)
  await writeFile(path, content)
  const server = Bun.spawn([process.execPath, join(import.meta.dir, 'testing-memory.ts'), path], {
    env: process.env,
    stdout: 'pipe',
  })
  const measured: ReadingMeasured = JSON.parse(await new Response(server.stdout).text())
  await rm(path)
  return measured
}

function times(count: number, each: (at: number) => string): string {
  let text = ''
  for (let at = 0; at < count; at += 1) text += each(at)
  return text
}
const rowsOf = (count: number, cells: (row: number) => string) =>
  times(count, (at) => `<row r="${at + 2}">${cells(at + 2)}</row>`)
const xlsx = (parts: WorkbookParts) => () => xlsxOf(parts)
const good = textRow(2, 'The Lamp', 'She lit the lamp.')
const laughs = `<!DOCTYPE a [<!ENTITY l0 "lol">${times(20, (at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`)}]>`

/** A small zip whose directory states sizes that are too small. */
function lying(): Uint8Array {
  const zip = Buffer.from(
    xlsxOf({ rows: `<row r="2"><c t="inlineStr"><is><t>${'a'.repeat(60_000_000)}</t></is></c></row>` }),
  )
  for (let at = 0; at + 4 < zip.length; at += 1) {
    const signature = zip.readUInt32LE(at)
    const sizeAt = signature === 0x02014b50 ? at + 24 : signature === 0x04034b50 ? at + 22 : -1
    if (sizeAt > 0) zip.writeUInt32LE(Math.min(zip.readUInt32LE(sizeAt), 2_000), sizeAt)
  }
  return zip
}

const xls = (cells: (row: number) => string[], rows: number) => () =>
  write(
    {
      Sheets: {
        one: utils.aoa_to_sheet([['Name', 'Text'], ...Array.from({ length: rows }, (_, at) => cells(at))]),
      },
      SheetNames: ['one'],
    },
    { type: 'buffer', bookType: 'biff8' },
  )

const ods = (table: string) => () =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml':
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    'styles.xml': '<office:document-styles/>',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table table:name="one">${table}</table:table></office:spreadsheet></office:body></office:document-content>`,
  })
const odsCell = (text: string, repeated = 1) =>
  `<table:table-cell office:value-type="string" table:number-columns-repeated="${repeated}"><text:p>${text}</text:p></table:table-cell>`

/** Each with its error message, or `null` if it is read normally. */
const bombs: [what: string, name: string, make: () => string | Uint8Array, words: string | null][] = [
  [
    'a shared string of 30,000 characters in 20,000 rows',
    'a.xlsx',
    xlsx({
      strings: `<si><t>${'x'.repeat(30_000)}</t></si>`,
      rows: rowsOf(19_990, () => '<c t="s"><v>0</v></c><c t="s"><v>0</v></c>'),
    }),
    'more than 64 MB of text',
  ],
  [
    'three million shared strings',
    'a.xlsx',
    xlsx({ strings: '<si><t>x</t></si>'.repeat(2_900_000), rows: good }),
    'unpacks to',
  ],
  [
    'a million different shared strings',
    'a.xlsx',
    xlsx({ strings: times(1_000_000, (at) => `<si><t>${(at * 7919) % 999_983}</t></si>`), rows: good }),
    null,
  ],
  [
    'a shared string of 600,000 rich-text runs',
    'a.xlsx',
    xlsx({
      strings: `<si>${times(600_000, (at) => `<r><t>${at % 9973}</t></r>`)}</si>`,
      rows: rowsOf(2, () => '<c t="s"><v>0</v></c>'),
    }),
    'characters|memory',
  ],
  [
    'half a million cell styles',
    'a.xlsx',
    xlsx({
      rows: rowsOf(20_000, (row) => times(20, (at) => `<c s="${row * 20 + at}"><v>${row}</v></c>`)),
      parts: {
        'xl/styles.xml': `<styleSheet><cellXfs>${times(500_000, (at) => `<xf numFmtId="${at}"/>`)}</cellXfs></styleSheet>`,
      },
    }),
    null,
  ],
  [
    'megabytes of number formats',
    'a.xlsx',
    xlsx({
      rows: good,
      parts: {
        'xl/styles.xml': `<styleSheet><numFmts>${times(20_000, (at) => `<numFmt numFmtId="${at}" formatCode="${times(200, (each) => `${(at * 7_919 + each * 104_729) % 99_991}`)}"/>`)}</numFmts></styleSheet>`,
      },
    }),
    null,
  ],
  [
    '400,000 merged ranges that overlap',
    'a.xlsx',
    xlsx({
      rows: good,
      behindRows: `<mergeCells>${times(400_000, (at) => `<mergeCell ref="A${at + 1}:XFD1048576"/>`)}</mergeCells>`,
    }),
    null,
  ],
  [
    'a cell in the last possible row and column',
    'a.xlsx',
    xlsx({ rows: `${good}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>` }),
    'more than 20,000 rows',
  ],
  [
    'a cell in the last possible column of every row',
    'a.xlsx',
    xlsx({ rows: rowsOf(20_000, (row) => `<c r="XFD${row}"><v>1</v></c>`) }),
    '16,384 columns',
  ],
  [
    'a million empty, styled rows',
    'a.xlsx',
    xlsx({ rows: good + times(800_000, (at) => `<row r="${at + 3}" s="1"/>`) }),
    null,
  ],
  [
    'a million and a half cells',
    'a.xlsx',
    xlsx({ rows: rowsOf(7_500, () => times(199, (at) => `<c><v>${at}</v></c>`)) }),
    null,
  ],
  ['5,000 sheets', 'a.xlsx', xlsx({ rows: good, sheets: 5_000 }), 'parts'],
  [
    'XML a million levels deep',
    'a.xlsx',
    xlsx({ rows: times(1_000_000, (at) => `<a${(at * 7_919) % 99_991}>`) }),
    'could not be read',
  ],
  [
    'XML entities that expand exponentially',
    'a.xlsx',
    xlsx({ declared: laughs, rows: textRow(2, '&l20;', '&l20;') }),
    'could not be read',
  ],
  [
    'an XML attribute of 40 MB',
    'a.xlsx',
    xlsx({ rows: `${good}<row r="3" x="${times(40_000, (at) => `${at * 7_919}`).repeat(110)}"/>` }),
    null,
  ],
  [
    'a cell with 40 MB of text',
    'a.xlsx',
    xlsx({
      rows: textRow(2, 'The Lamp', times(50_000, (at) => `word${at % 9973}`).repeat(100)),
    }),
    '2,000,000 characters',
  ],
  [
    'formulas in every cell',
    'a.xlsx',
    xlsx({
      rows: rowsOf(8_000, (row) =>
        times(20, () => `<c t="str"><f>REPT("x",32767)&amp;A${row}</f><v>x</v></c>`),
      ),
    }),
    null,
  ],
  [
    '300,000 cell comments',
    'a.xlsx',
    xlsx({
      rows: good,
      parts: {
        'xl/comments1.xml': `<comments>${times(300_000, (at) => `<comment ref="A${at}"><text><t>${at}</t></text></comment>`)}</comments>`,
      },
    }),
    null,
  ],
  [
    'a zip inside two other zips',
    'a.xlsx',
    () => zipOf({ 'a.xlsx': zipOf({ 'a.xlsx': xlsxOf({ rows: good }) }) }),
    'could not be read',
  ],
  [
    'a worksheet of 60 MB of zeros',
    'a.xlsx',
    () => zipOf({ 'xl/worksheets/sheet1.xml': new Uint8Array(60_000_000) }),
    'unpacks to 58 MB',
  ],
  ['a zip directory that understates sizes', 'a.xlsx', lying, 'could not be read'],
  ['a gzip file named .xlsx', 'a.xlsx', () => Bun.gzipSync(new Uint8Array(20_000_000)), 'not a spreadsheet'],
  [
    'an .xls of 100,000 strings',
    'a.xls',
    xls((row) => Array.from({ length: 40 }, (_, at) => `${row * 40 + at} ${'x'.repeat(300)}`), 2_500),
    'memory',
  ],
  [
    'an .xls of 60 MB of invalid bytes',
    'a.xls',
    () =>
      Buffer.concat([
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        new Uint8Array(60_000_000).fill(9),
      ]),
    'could not be read',
  ],
  [
    'an .ods row repeated a million times',
    'a.ods',
    ods(
      `<table:table-row>${odsCell('Name')}${odsCell('Text')}</table:table-row><table:table-row table:number-rows-repeated="1048575">${odsCell('x'.repeat(1_000), 1_000)}</table:table-row>`,
    ),
    'Save it as CSV UTF-8',
  ],
  [
    'an .ods cell repeated a billion times',
    'a.ods',
    ods(`<table:table-row>${odsCell('Name', 1_000_000_000)}</table:table-row>`),
    'Save it as CSV UTF-8',
  ],
  ['a CSV field of 60 MB', 'a.csv', () => `Name,Text\na,"${'x'.repeat(60_000_000)}"`, '2,000,000 characters'],
  ['a CSV of a million columns', 'a.csv', () => `Name,Text\n${'a,'.repeat(1_000_000)}\n`, 'columns'],
  [
    'a CSV row of 60 million commas',
    'a.csv',
    () => `Name,Text\n${','.repeat(60_000_000)}\n`,
    '2,000,000 characters',
  ],
  [
    'a CSV of 60 million quotes',
    'a.csv',
    () => `Name,Text\n${'"'.repeat(60_000_001)}\n`,
    '2,000,000 characters',
  ],
  [
    'a CSV of two million short lines',
    'a.csv',
    () => `Name,Text\n${'--b\r\n'.repeat(2_000_000)}`,
    'more than 20,000 rows',
  ],
  [
    'a CSV of eight million lines in UTF-16',
    'a.csv',
    () => Buffer.from(`\ufeffName,Text\n${'Ü,ü\n'.repeat(8_000_000)}`, 'utf16le'),
    'more than 20,000 rows',
  ],
  ['a pasted text of 60 million pipes', 'a.txt', () => '|'.repeat(60_000_000), 'memory'],
  ['a JSON ten million levels deep', 'a.json', () => `[{"title":${'['.repeat(10_000_000)}`, 'memory'],
  [
    'a JSON of 30,000 nested lists',
    'a.json',
    () => `[{"title":${'['.repeat(30_000)}${']'.repeat(30_000)},"content":"x"}]`,
    null,
  ],
  [
    'a JSON of twenty million lists',
    'a.json',
    () => `[{"content":[${'[],'.repeat(20_000_000)}[]]}]`,
    'memory',
  ],
  [
    'a JSON string of 60 MB',
    'a.json',
    () => `[{"content":"${'x'.repeat(60_000_000)}"}]`,
    'memory|characters',
  ],
  ['a CSV larger than 64 MB', 'a.csv', () => `Name,Text\n${'a,b\n'.repeat(20_000_000)}`, 'larger than 64 MB'],
  [
    'a JSON object of a million keys',
    'a.json',
    () => `[{${times(1_000_000, (at) => `"n${at}":1,`)}"title":"x"}]`,
    'columns|memory',
  ],
]

/** Text with typographic quotes and dashes, which need two bytes per character in memory. */
const evening = Array.from({ length: 20_000 }, (_, at) => [
  `Story number ${at}`,
  'female',
  'romantic, man and woman',
  'sea, night',
  `About story ${at} and the lamp’s wick`,
  '14',
  'story',
  `She lit the lamp’s wick — and waited, number ${at}. `.repeat(36),
])
const heading = ['Name', 'Voice', 'Categories', 'Tags', 'Short Description', 'Audio Length', 'Type', 'Text']
const right: [name: string, make: () => string | Uint8Array][] = [
  [
    'evening.csv',
    () => [heading, ...evening].map((line) => line.map((cell) => `"${cell}"`).join(',')).join('\n'),
  ],
  [
    'evening.xlsx',
    () =>
      xlsxOf({
        strings: evening
          .flat()
          .map((text) => `<si><t>${text}</t></si>`)
          .join(''),
        rows: rowsOf(20_000, (row) => times(8, (at) => `<c t="s"><v>${(row - 2) * 8 + at}</v></c>`)),
      }),
  ],
  ['evening.xls', () => xls((row) => evening[row]?.slice(0, 7) ?? [], 20_000)()],
]
for (const [name, make] of right) {
  test(`20,000 rows of eight columns from ${name} are read within the memory limit`, async () => {
    const measured = await measure(name, make())
    expect(measured).toMatchObject({ code: null, rows: 20_000 })
    expect(measured.peakBytes).toBeLessThan(peakBytesMax)
  })
}

for (const [what, name, make, words] of bombs) {
  test(`${what} (${name}) stays under 300 MB and is read or rejected with an explanation`, async () => {
    const measured = await measure(name, make())
    expect(measured.peakBytes).toBeLessThan(peakBytesMax)
    if (words === null && measured.code === null) return expect(measured.words).toBe('')
    // On a busy machine the limit of memory or of time may be reached first.
    const accepted = new RegExp([words, 'memory', 'longer to read'].filter(Boolean).join('|'))
    expect(measured).toMatchObject({
      code: expect.stringMatching(/^(invalid|too_large)$/),
      words: expect.stringMatching(accepted),
    })
  })
}
