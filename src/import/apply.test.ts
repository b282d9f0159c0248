import { expect, test } from 'bun:test'
import { and, eq, ne } from 'drizzle-orm'
import { stories } from '#db/schema'
import { testDatabase } from '#db/testing'
import { rowOfObject } from '#src/import/rows/read-rows'
import { changeMeanwhile } from '#src/library/testing'
import { addGuideline } from '#src/review/change-guideline'
import { publish } from '#src/story/publish'
import { applyImport } from './apply'
import { decodeRows } from './decode-rows'
import { undoImport } from './undo'

const db = await testDatabase()

async function importItem(item: { title: string; content: string; excerpt?: string }) {
  const rows = await decodeRows(db, [rowOfObject(item, 1)], 'Ada')
  return applyImport(
    db,
    { kind: 'items', fileName: null, rows, audio: [], strict: true, narrate: 'none' },
    'Ada',
  )
}
async function find(id: string) {
  const [item] = await db.select().from(stories).where(eq(stories.id, id))
  return item
}

test('undo restores an edit that was committed while the import waited', async () => {
  const lamp = { title: 'The Lamp', content: 'She lit the lamp.' }
  const { id } = await publish(db, { ...lamp, excerpt: 'First.', categories: [] })
  const { batchId } = await changeMeanwhile(db, id, { excerpt: 'By hand.' }, () =>
    importItem({ ...lamp, excerpt: 'Of the sheet.' }),
  )
  expect(await find(id)).toMatchObject({ excerpt: 'Of the sheet.' })
  await undoImport(db, batchId ?? '', 'Ada')
  expect(await find(id)).toMatchObject({ excerpt: 'By hand.' })
})

test('a row whose item is removed while the import waits creates a new item', async () => {
  await addGuideline(db, { ruleType: 'negative_keywords', keywords: ['cruel'], severity: 'high' }, 'Ada')
  const { id } = await publish(db, { title: 'The Boat', content: 'He rowed.', categories: [] })
  await changeMeanwhile(db, id, { status: 'removed', removedFrom: 'published' }, () =>
    importItem({ title: 'The Boat', content: 'He rowed a cruel night.' }),
  )
  expect(await find(id)).toMatchObject({ status: 'removed', content: 'He rowed.' })
  const others = await db
    .select()
    .from(stories)
    .where(and(eq(stories.title, 'The Boat'), ne(stories.id, id)))
  expect(others).toMatchObject([{ status: 'held' }])
})
