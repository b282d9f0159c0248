import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportRow } from '#src/import/export-rows'
import { writeSheetFiles } from './sheet-files'

const folder = await mkdtemp(join(tmpdir(), 'nocturne-sheets-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const max = { rows: 20, bytes: 100_000 }

/** Returns a page of an export: items with numbers as slugs. */
const pageOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, at): ExportRow => ({ ...row, slug: String(from + at) }))
const row: ExportRow = {
  title: 'Many',
  type: 'story',
  content: '',
  description: '',
  excerpt: '',
  categories: [],
  tags: [],
  contentNotes: [],
  voice: 'female',
  narratorFemale: null,
  narratorMale: null,
  duration: 15,
  isFree: false,
  status: 'draft',
  publishedAt: '',
  id: '',
  slug: '',
}

test('an export with more rows than an import accepts is split into numbered files', async () => {
  const out = join(folder, 'rows.csv')
  const sheet = { head: 'Slug\n', between: '', tail: '', line: ({ slug }: ExportRow) => `${slug}\n` }
  const items = 2 * max.rows + 1
  async function* pages() {
    for (let from = 0; from < items; from += 3) yield pageOf(from, Math.min(3, items - from))
  }
  const { files, ...rest } = await writeSheetFiles(sheet, out, pages(), max)
  expect(rest).toEqual({ items })
  expect(files).toEqual([out, join(folder, 'rows-2.csv'), join(folder, 'rows-3.csv')])
  const sheets = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const lines = sheets.map((text) => text.trim().split('\n').slice(1))
  expect(lines.map(({ length }) => length)).toEqual([max.rows, max.rows, 1])
  expect(lines.flat()).toEqual(Array.from({ length: items }, (_, at) => String(at)))
})

test('an export is split into files no larger than an import accepts', async () => {
  const out = join(folder, 'bytes.json')
  const long = 'x'.repeat(max.bytes / 4)
  const sheet = {
    head: '[\n',
    between: ',\n',
    tail: '\n]\n',
    line: ({ slug }: ExportRow) => `"${slug}${long}"`,
  }
  async function* pages() {
    yield pageOf(1, 4)
  }
  const { files } = await writeSheetFiles(sheet, out, pages(), max)
  expect(files).toHaveLength(2)
  for (const file of files) expect(Bun.file(file).size).toBeLessThanOrEqual(max.bytes)
  const read = await Promise.all(files.map((file) => Bun.file(file).json()))
  expect(read.flat().map((text: string) => text[0])).toEqual(['1', '2', '3', '4'])
})
