import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { utils, write } from 'xlsx'
import type { Database } from '#db/db'
import { importChanges, stories } from '#db/schema'
import { exportCells, exportHeadings, exportRows } from '#src/import/export-rows'
import { addGuideline } from '#src/review/change-guideline'
import { type ItemDraft, publish } from '#src/story/publish'
import { publishDue } from '#src/story/publish-due'
import { testApp } from '#src/testing/app'
import { toCsv } from '#src/text/csv'
import { importFiles } from './import-files'
import { undoImport } from './undo'

const { services: here } = await testApp()
const { services: there } = await testApp()
const folder = mkdtempSync(join(tmpdir(), 'nocturne-round-trip-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(async () => {
  for (const { db } of [here, there])
    await db.execute(sql`truncate stories, imports, import_changes, audit_log, content_guidelines cascade`)
})

const past = new Date('2025-03-04T05:06:07.089Z')
const toCome = new Date('2199-11-27T20:00:00.500Z')
const library: ItemDraft[] = [
  {
    title: '=HYPERLINK("a,b") | tab',
    content: `'-No,' she said.\n\n“Quotes”, "commas", |pipes| and\nlines; @home. 🌙👩‍❤️‍👩 ${'A word. '.repeat(60)}`,
    description: '+1, "two"\nthree|four',
    excerpt: 'לילה טוב — مساء الخير',
    categories: ['romantic', 'bdsm'],
    tags: ['sea, north', 'say "when"', '[brackets]', 'caf\u00e9'],
    contentNotes: ['grief, and after', 'loss'],
    voice: 'male',
    narratorFemale: 'bella',
    narratorMale: 'josh',
    duration: 600,
    isFree: true,
    publishedAt: past,
  },
  { title: 'Only one | tag', content: '| a |', categories: ['gay'], tags: ['["json"]'], type: 'flow' },
  { title: "'-Already marked", content: '-', categories: [], status: 'draft', publishedAt: past },
  {
    title: 'ليلة 🌊',
    content: 'تحت القمر.',
    categories: ['lesbian'],
    status: 'scheduled',
    publishedAt: toCome,
  },
  { title: 'Early', content: 'It is there.', categories: ['gay'], status: 'published', publishedAt: toCome },
]

const { id, slug, importId, premiumContentId, createdAt, updatedAt, ...restored } = getTableColumns(stories)
const itemsOf = (db: Database) => db.select(restored).from(stories).orderBy(stories.title)

const separators: Record<string, string> = { 'library.csv': ',', 'library.tsv': '\t', 'library.txt': '|' }

async function exported(fileName: string): Promise<{ path: string; fileName: string }> {
  const path = join(folder, fileName)
  const rows = (await Array.fromAsync(exportRows(here.db, {}))).flat()
  const table = [exportHeadings, ...rows.map(exportCells)]
  const separator = separators[fileName]
  if (separator) await Bun.write(path, `\ufeff${toCsv(table, separator)}`)
  else if (fileName.endsWith('.json')) await Bun.write(path, JSON.stringify(rows))
  // The CSV as a spreadsheet program opens and saves it: with the formula guards in its cells.
  else await writeWorkbook(path, Papa.parse<string[]>(toCsv(table), { skipEmptyLines: true }).data)
  return { path, fileName }
}

const writeWorkbook = (path: string, table: unknown[][]) =>
  Bun.write(
    path,
    write(
      { Sheets: { one: utils.aoa_to_sheet(table) }, SheetNames: ['one'] },
      { type: 'buffer', bookType: 'xlsx' },
    ),
  )

const importSheet = (services: typeof here, sheet: { path: string; fileName: string }) =>
  importFiles(services, { sheet, audio: [] }, { isDryRun: false, strict: true, narrate: 'none' }, 'Ada')

for (const fileName of [...Object.keys(separators), 'library.json', 'library.xlsx'])
  test(`${fileName} restores every field in another library and changes nothing in its own`, async () => {
    for (const draft of library) await publish(here.db, draft)
    const sheet = await exported(fileName)
    expect((await importSheet(there, sheet)).result).toMatchObject({ imported: library.length, updated: 0 })
    expect(await itemsOf(there.db)).toEqual(await itemsOf(here.db))
    expect((await importSheet(here, sheet)).result).toMatchObject({ imported: 0, updated: 0, batchId: null })
  })

const importRows = async (rows: object[]) => {
  const path = join(folder, 'rows.json')
  await Bun.write(path, JSON.stringify(rows))
  return importFiles(
    here,
    { sheet: { path, fileName: 'rows.json' }, audio: [] },
    { isDryRun: false, strict: false, narrate: 'none' },
    'Ada',
  )
}
const lamp = { title: 'The Lamp', content: 'She lit the lamp.' }
const statusOf = async (title: string) => {
  const [item] = await here.db.select().from(stories).where(eq(stories.title, title))
  return item && [item.status, item.heldFrom]
}

test('items with the same title are matched by id, and a row without a known id changes neither', async () => {
  const twins = ['The first harbour.', 'The second harbour.']
  for (const content of twins) await publish(here.db, { title: 'Twin Harbour', content, categories: ['gay'] })
  const before = await itemsOf(here.db)
  for (const fileName of ['library.csv', 'library.json']) {
    const { result } = await importSheet(here, await exported(fileName))
    expect(result).toMatchObject({ imported: 0, updated: 0, batchId: null })
  }
  expect(await itemsOf(here.db)).toEqual(before)

  const { result } = await importRows([{ title: 'Twin Harbour', content: 'Another text.', id: 17 }])
  expect(result).toMatchObject({ imported: 0, updated: 0 })
  expect(JSON.stringify(result)).toContain('The library has “Twin Harbour” 2 times,')
  expect(await itemsOf(here.db)).toEqual(before)
})

test('a second row for the same item is not applied, even if only the first states its id', async () => {
  const { id: solo } = await publish(here.db, { title: 'Solo', content: 'One.', categories: ['gay'] })
  const rows = [{ content: 'First.', id: solo }, { content: 'Second.' }].map((row) => ({
    title: 'Solo',
    ...row,
  }))
  expect((await importRows(rows)).result).toMatchObject({ updated: 1, imported: 0 })
  const [item] = await itemsOf(here.db)
  expect(item?.content).toBe('First.')
})

test('ids of another program are ignored', async () => {
  const { result } = await importRows([{ id: 3 }, { id: '#N/A', ...lamp }])
  expect(result).toMatchObject({ imported: 1 })
  expect(JSON.stringify(result)).not.toContain('There is no text')
})

test('an invalid status, free mark, time or narrator is reported with row, field and fix', async () => {
  const { plan } = await importRows([
    { ...lamp, status: 'maybe', free: 'perhaps', publishedAt: '2026-02-30' },
    { ...lamp, title: 'Two', status: 'scheduled' },
    { ...lamp, title: 'Three', status: 'removed' },
    { ...lamp, title: 'Four', narratorFemale: 'josh' },
  ])
  expect(plan.problems.map(({ row, field, message }) => `${row} ${field}: ${message}`)).toEqual([
    '1 status: "maybe" is not a status. Write draft, scheduled or published.',
    '1 isFree: "perhaps" is neither yes nor no. Write yes where visitors may hear it, or no.',
    '1 publishedAt: "2026-02-30" is not a time. Write it as 2026-11-27 20:00, in UTC, or as 2026-11-27T20:00:00+01:00.',
    '2 publishedAt: A scheduled item needs its time. Write it under Published At, such as 2026-11-27 20:00, in UTC.',
    '3 status: Removed items are not imported. Write draft or published, or leave the row out.',
    '4 narratorFemale: "josh" is not a female narrator. Write one of rachel, bella, elli, serena, domi, nova.',
  ])
  expect(await here.db.$count(stories)).toBe(0)
})

test('an item with a past time is published, and one with a future time is scheduled', async () => {
  await importRows([
    { ...lamp, status: 'scheduled', publishedAt: '2025-03-04 05:06' },
    { ...lamp, title: 'Later', publishedAt: '2199-11-27' },
    { ...lamp, title: 'Plain' },
  ])
  expect([await statusOf('The Lamp'), await statusOf('Later'), await statusOf('Plain')]).toEqual([
    ['published', null],
    ['scheduled', null],
    ['published', null],
  ])
  expect(await publishDue(here.db)).toBe(0)
})

test('a guideline holds imported rows, which remember their intended status', async () => {
  await addGuideline(
    here.db,
    { ruleType: 'negative_keywords', keywords: ['lamp'], categories: [], severity: 'high', description: '' },
    'Ada',
  )
  await importRows([
    { ...lamp, status: 'published' },
    { ...lamp, title: 'Later', status: 'scheduled', publishedAt: toCome.toISOString() },
    { title: 'Kept', content: 'She waits.', status: 'held', publishedAt: toCome.toISOString() },
  ])
  expect([await statusOf('The Lamp'), await statusOf('Later'), await statusOf('Kept')]).toEqual([
    ['held', 'published'],
    ['held', 'scheduled'],
    ['held', 'scheduled'],
  ])
  await importRows([{ ...lamp, status: 'draft' }])
  expect(await statusOf('The Lamp')).toEqual(['held', 'draft'])
})

test('undo restores status, free mark and time, except where they were edited since', async () => {
  await publish(here.db, { ...lamp, categories: ['gay'], status: 'draft', publishedAt: past })
  await publish(here.db, { ...lamp, title: 'Other', categories: ['gay'] })
  const before = await itemsOf(here.db)
  const { result } = await importRows([
    { ...lamp, status: 'published', free: 'yes', publishedAt: '2026-01-01', tags: 'sea' },
    { ...lamp, title: 'Other', tags: 'sea' },
  ])
  expect(result).toMatchObject({ updated: 2 })
  expect(await statusOf('The Lamp')).toEqual(['published', null])
  await here.db.update(stories).set({ status: 'draft', isFree: true }).where(eq(stories.title, 'Other'))
  expect(await here.db.$count(importChanges)).toBe(2)
  await undoImport(here.db, result?.batchId ?? '', 'Ada')
  expect(await itemsOf(here.db)).toEqual(
    before.map((item) => (item.title === 'Other' ? { ...item, status: 'draft', isFree: true } : item)),
  )
})

test('a serial date of a spreadsheet is read as a time', async () => {
  const path = join(folder, 'days.xlsx')
  // 27 November 2026, 20:15, as days since 1899.
  await writeWorkbook(path, [
    ['Name', 'Text', 'Published At', 'Free'],
    ['The Lamp', 'She lit it.', 46_353 + 20.25 / 24, true],
  ])
  await importSheet(here, { path, fileName: 'days.xlsx' })
  expect(await here.db.select({ at: stories.publishedAt, isFree: stories.isFree }).from(stories)).toEqual([
    { at: new Date('2026-11-27T20:15:00Z'), isFree: true },
  ])
})
