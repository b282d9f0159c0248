import { expect, test } from 'bun:test'
import { AppError } from '#src/app-error'
import { decodeText, readRows } from './read-rows'

const refusalOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  return 'nothing was refused'
}

test('a paste is split on tabs or pipes and trimmed, and short lines are counted, not guessed', () => {
  const { rows, skipped } = readRows(
    'paste',
    'Name | Category | Tags | Story\nThe Lamp | romantic | sea, night | She lit it.\nonly | three | columns\n\nThe Boat\tgay\tsea\tHe rowed | alone.\n',
  )
  expect(skipped).toBe(1)
  // The heading, the short line and the empty one are lines of the paste too.
  expect(rows.map(({ row }) => row)).toEqual([2, 5])
  expect(rows.map((row) => row.cells)).toEqual([
    { title: 'The Lamp', categories: 'romantic', tags: 'sea, night', content: 'She lit it.' },
    { title: 'The Boat', categories: 'gay', tags: 'sea', content: 'He rowed | alone.' },
  ])
})

test('an empty paste and one without a valid line say what is expected', () => {
  expect(refusalOf(() => readRows('paste', '  \n '))).toContain('No data provided')
  expect(refusalOf(() => readRows('paste', 'one | two\nthree'))).toContain('Name | Category | Tags | Story')
})

test('a CSV may hold quotes, commas and new lines in its cells, a BOM, and columns in any order and case', () => {
  const { rows } = readRows('csv', '\ufeffTEXT,name,Ignored\n"She said ""now"",\nand went.",The Door,x\n')
  expect(rows).toEqual([{ row: 1, cells: { content: 'She said "now",\nand went.', title: 'The Door' } }])
})

test('column names are known by their aliases, without case and signs', () => {
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

test('a CSV with an open quote, unknown columns, 5,000 columns or no rows is refused with the fix', () => {
  expect(refusalOf(() => readRows('csv', 'Name,Text\n"never closed,x\n'))).toContain('not closed')
  expect(refusalOf(() => readRows('csv', 'foo,bar\n1,2\n'))).toContain('Name them Name, Voice')
  expect(refusalOf(() => readRows('csv', `Name,Text\n${'x,'.repeat(5_000)}\n`))).toContain('5,001 columns')
  expect(refusalOf(() => readRows('csv', ''))).toContain('empty')
})

test('JSON may be a list or hold one, and anything else is refused', () => {
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

test('bytes that are not UTF-8 are refused instead of garbled, wherever the pieces end', async () => {
  async function* inPieces(...bytes: number[]) {
    for (let at = 0; at < bytes.length; at += 3) yield Uint8Array.from(bytes.slice(at, at + 3))
  }
  const latin = await decodeText(inPieces(0x43, 0x61, 0x66, 0xe9)).catch((error: Error) => error.message)
  expect(latin).toContain('UTF-8')
  expect(await decodeText(inPieces(0x43, 0x61, 0xc3, 0xa9, 0xe6, 0x9c, 0x88))).toBe('Ca\u00e9\u6708')
  expect(await decodeText(inPieces(0xff, 0xfe, 0x41, 0x00, 0x42, 0x00))).toBe('AB')
})
