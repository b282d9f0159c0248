import { expect, test } from 'bun:test'
import { AppError } from '#src/app-error'
import { rejectionOf } from '#src/testing/rejection'
import { type ChosenRows, chooseRows } from './choose-rows'
import { decodePieces, findEncoding } from './decode-text'
import { readRows as readRaw } from './read-rows'

/** The rows as they are imported without choices. */
const readRows = (...given: Parameters<typeof readRaw>): ChosenRows => chooseRows(readRaw(...given))

const refusalOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  return 'nothing was refused'
}

test('a paste is split on tabs or pipes and trimmed, and short lines are skipped and counted', () => {
  const { rows, skipped } = readRows(
    'paste',
    'Name | Category | Tags | Story\nThe Lamp | romantic | sea, night | She lit it.\nonly | three | columns\n\nThe Boat\tgay\tsea\tHe rowed | alone.\n',
  )
  expect(skipped).toBe(1)
  // The heading, the short line and the empty one count as lines of the paste too.
  expect(rows.map(({ row }) => row)).toEqual([2, 5])
  expect(rows.map((row) => row.cells)).toEqual([
    { title: 'The Lamp', categories: 'romantic', tags: 'sea, night', content: 'She lit it.' },
    { title: 'The Boat', categories: 'gay', tags: 'sea', content: 'He rowed | alone.' },
  ])
})

test('an empty paste and one without a valid line are rejected with the expected format', () => {
  expect(refusalOf(() => readRows('paste', '  \n '))).toContain('No data provided')
  expect(refusalOf(() => readRows('paste', 'one | two\nthree'))).toContain('Name | Category | Tags | Story')
})

test('CSV may have a BOM, quoted commas and line breaks, and columns in any order and case', () => {
  const { rows } = readRows('csv', '\ufeffTEXT,name,Ignored\n"She said ""now"",\nand went.",The Door,x\n')
  expect(rows).toMatchObject([
    { row: 2, cells: { content: 'She said "now",\nand went.', title: 'The Door' } },
  ])
})

test('column names match their aliases, ignoring case and punctuation', () => {
  const { rows } = readRows(
    'csv',
    'Title,Story,Short Description,Audio Length (minutes),Categories,linkedAudioMale\nA,B,C,12,romantic,a.mp3\n',
  )
  expect(rows[0]?.cells).toEqual({
    title: 'A',
    content: 'B',
    description: 'C',
    duration: '12',
    categories: 'romantic',
    linkedAudioMale: 'a.mp3',
  })
})

test('CSV with an open quote, unknown columns, 5,000 columns or no rows is rejected with the fix', () => {
  expect(refusalOf(() => readRows('csv', 'Name,Text\n"never closed,x\n'))).toContain('not closed')
  expect(refusalOf(() => readRows('csv', 'foo,bar\n1,2\n'))).toContain('Name them Name, Voice')
  expect(refusalOf(() => readRows('csv', `Name,Text\n${'x,'.repeat(5_000)}\n`))).toContain('5,001 columns')
  expect(refusalOf(() => readRows('csv', ''))).toContain('empty')
})

test('JSON may be a list or hold one, and anything else is rejected', () => {
  expect(readRows('json', '[{"title":"A","content":"B","tags":["x","y"]}]').rows[0]?.cells).toEqual({
    title: 'A',
    content: 'B',
    tags: ['x', 'y'],
  })
  expect(readRows('json', '{"items":[{"Title":"A","Story":"B"}]}').rows[0]?.cells).toEqual({
    title: 'A',
    content: 'B',
  })
  expect(refusalOf(() => readRows('json', '{"title":'))).toContain('Parse error')
  expect(refusalOf(() => readRows('json', '42'))).toContain('list of items')
  expect(refusalOf(() => readRows('json', '["text"]'))).toContain('Row 1')
})

test('UTF-8, UTF-16 and Windows-1252 are detected across chunk boundaries, and others rejected', async () => {
  async function* inPieces(bytes: Iterable<number>) {
    const all = [...bytes]
    for (let at = 0; at < all.length; at += 3) yield Uint8Array.from(all.slice(at, at + 3))
  }
  const read = async (bytes: Iterable<number>) => {
    const encoding = await findEncoding(inPieces(bytes))
    return [encoding, (await Array.fromAsync(decodePieces(inPieces(bytes), encoding))).join('')]
  }
  expect(await read(Buffer.from('Caé月'))).toEqual(['utf-8', 'Caé月'])
  expect(await read([0xff, 0xfe, 0x41, 0x00, 0x42, 0x00])).toEqual(['utf-16le', 'AB'])
  expect(await read([0xfe, 0xff, 0x00, 0x41, 0x00, 0x42])).toEqual(['utf-16be', 'AB'])
  // "She said “Café” – for 5 €" as spreadsheet programs write it in plain CSV.
  expect(await read([0x93, 0x43, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x96, 0x20, 0x80])).toEqual([
    'windows-1252',
    '“Café” – €',
  ])
  for (const bytes of [
    [0x41, 0x81, 0x42, 0xff],
    [0x50, 0x4f, 0x00, 0xff],
    [...Buffer.from('éèü'), 0xff],
  ])
    expect((await rejectionOf(read(bytes))).message).toContain('UTF-8')
})

test('row numbers match the spreadsheet despite titles, blank lines and multi-line cells', () => {
  const { rows, notes } = readRows(
    'csv',
    'Stories of November\n\nName,Text\nThe Lamp,"She lit it,\nand waited."\n\nThe Boat,He rowed.\n',
  )
  expect(rows.map(({ row, cells }) => [row, cells.title])).toEqual([
    [4, 'The Lamp'],
    [6, 'The Boat'],
  ])
  expect(notes).toEqual(['Left out above the headings: row 1 (“Stories of November”).'])
})

for (const [separator, line] of [
  [';', 'The Lamp;14,5;romantic, gay;"Lit; then out."'],
  ['\t', 'The Lamp\t14,5\tromantic, gay\t"Lit; then out."'],
] as const)
  test(`CSV separated by ${JSON.stringify(separator)} may contain commas, with or without Excel’s sep= line`, () => {
    const heading = ['Name', 'Audio Length', 'Categories', 'Text'].join(separator)
    for (const stated of ['', `sep=${separator}\r\n`]) {
      const { rows } = readRows('csv', `${stated}${heading}\r\n${line}\r\n`)
      expect(rows.map(({ row, cells }) => ({ row, ...cells }))).toEqual([
        {
          row: stated ? 3 : 2,
          title: 'The Lamp',
          duration: '14,5',
          categories: 'romantic, gay',
          content: 'Lit; then out.',
        },
      ])
    }
  })

test('an unknown column is reported with a suggestion, and read as the operator chooses', () => {
  const raw = readRaw('csv', 'Titel,Texte,Mood,Story,,Id\nThe Lamp,She lit it.,calm,Another.,odd,7\n')
  // No item is imported without its name because of a misspelt heading, unless an operator decides so.
  expect(refusalOf(() => chooseRows(raw))).toBe(
    'Column A “Titel” is not known, and no other is Name. Did you mean Name? Say what it is, or that it is left out.',
  )
  const nameless = chooseRows(raw, { columns: { A: '' } })
  expect(nameless.notes).toEqual([
    'Column E has no heading and is left out. Give it a heading to read it.',
    'Columns B “Texte”, C “Mood” are unknown and left out.',
    'No column is Name: new items are called “Untitled”.',
  ])
  expect(nameless.rows[0]?.cells).toEqual({ content: 'Another.', id: '7' })
  const chosen = chooseRows(raw, { columns: { titel: 'Name', B: 'Text', Mood: '' } })
  expect(chosen.rows[0]).toMatchObject({
    cells: { title: 'The Lamp', content: 'She lit it.' },
    columns: { title: 'A “Titel”', content: 'B “Texte”' },
  })
  expect(chosen.notes).toHaveLength(1)
  expect(refusalOf(() => chooseRows(raw, { columns: { Tytle: 'Name' } }))).toContain(
    'No column is headed “Tytle”',
  )
  expect(refusalOf(() => chooseRows(raw, { columns: { Titel: 'Nome' } }))).toContain('is not a known column')
  expect(refusalOf(() => readRows('csv', 'Titel,Texte\nA,B\n'))).toBe(
    'No column of this file is known: "Titel", "Texte". "Titel" may be Name. "Texte" may be Text. Name them Name, Voice, Categories, Short Description, Audio Length, Text, or say what they are.',
  )
})

test('an unknown name in JSON is reported, and read as the operator chooses', () => {
  const raw = readRaw('json', '[{"titel":"The Lamp","content":"She lit it.","extra":{"a":1}}]')
  expect(refusalOf(() => chooseRows(raw))).toContain('Column “titel” is not known')
  const { rows, notes } = chooseRows(raw, { columns: { titel: 'Name' } })
  expect(notes).toEqual(['Column “extra” is unknown and left out.'])
  expect(rows[0]?.cells).toEqual({ title: 'The Lamp', content: 'She lit it.' })
})
