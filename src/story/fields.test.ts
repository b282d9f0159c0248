import { expect, test } from 'bun:test'
import { applyImport } from '#src/import/apply'
import { decodeRows } from '#src/import/decode-rows'
import { exportCells, exportHeadings, exportRows } from '#src/import/export-rows'
import { rowOfObject } from '#src/import/rows/read-rows'
import { columnName, fieldOfColumn, sheetFields } from '#src/import/rules'
import { undoImport } from '#src/import/undo'
import { findLibraryItem } from '#src/library/queries'
import { operatorBrowser, testApp } from '#src/testing/app'
import { definitionOf, lineFields, listFields, textFields, yesNoFields } from './fields'

const { app, services } = await testApp()
const { db } = services
const ada = await operatorBrowser(app)

/** A value as the API accepts and returns it, and the same value in a cell. */
type Sample = { value: unknown; cell: string }
const samples: Record<string, [Sample, Sample]> = {
  line: [
    { value: 'moonlit', cell: 'moonlit' },
    { value: 'sunlit', cell: 'sunlit' },
  ],
  list: [
    { value: ['gay', 'bdsm'], cell: 'gay, bdsm' },
    { value: ['romantic'], cell: 'romantic' },
  ],
  yesNo: [
    { value: true, cell: 'yes' },
    { value: false, cell: 'no' },
  ],
}
const plain = [
  ...lineFields.map((field) => ({ field, sample: samples.line })),
  ...textFields.map((field) => ({ field, sample: samples.line })),
  ...listFields.map((field) => ({ field, sample: samples.list })),
  ...yesNoFields.map((field) => ({ field, sample: samples.yesNo })),
].filter(({ field }) => field !== 'title')

for (const { field, sample: [first, second] = [] } of plain)
  test(`${field} is edited, exported, imported by its column and undone`, async () => {
    const made = await ada.json('/api/premium-content', {
      json: { title: `With ${field}`, content: 'She lit the lamp.' },
    })
    const path = `/api/premium-content/${made.id}`
    const current = async (): Promise<unknown> => (await findLibraryItem(db, made.id))?.[field]
    expect(await ada.json(path, { method: 'PUT', json: { [field]: first?.value } })).toMatchObject({
      [field]: first?.value,
    })

    const [row] = (await Array.fromAsync(exportRows(db, { q: field }))).flat()
    expect(row && exportCells(row)[exportHeadings.indexOf(columnName(field))]).toBe(first?.cell)

    const cells = { Name: made.title, Text: 'She lit the lamp.', [columnName(field)]: second?.cell }
    const { batchId } = await applyImport(
      db,
      {
        kind: 'items',
        fileName: null,
        rows: await decodeRows(db, [rowOfObject(cells, 1)], 'Ada'),
        audio: [],
        strict: true,
        narrate: 'none',
      },
      'Ada',
    )
    expect(await current()).toEqual(second?.value)
    await undoImport(db, batchId ?? '', 'Ada')
    expect(await current()).toEqual(first?.value)
  })

test('exported columns keep their order', () => {
  expect(exportHeadings.join(', ')).toStartWith(
    'Name, Type, Voice, Categories, Tags, Short Description, Excerpt, Text, Audio Length, Content Notes, Narrator Female, Narrator Male, Status, Free, Published At',
  )
  expect(exportHeadings.slice(-2)).toEqual(['Slug', 'Id'])
})

test('each column name belongs to one field', () => {
  for (const field of sheetFields)
    for (const name of definitionOf(field).columns) expect(fieldOfColumn(name)).toBe(field)
})
