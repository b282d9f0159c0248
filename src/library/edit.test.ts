import { afterEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { stories } from '#db/schema'
import { testDatabase } from '#db/testing'
import { addGuideline } from '#src/review/change-guideline'
import { publish } from '#src/story/publish'
import { rejectionOf } from '#src/testing/rejection'
import { editItem } from './edit'
import { changeMeanwhile } from './testing'

const db = await testDatabase()
await addGuideline(db, { ruleType: 'negative_keywords', keywords: ['cruel'], severity: 'high' }, 'Ada')
afterEach(async () => void (await db.execute(sql`truncate stories cascade`)))

const addLamp = () => publish(db, { title: 'The Lamp', content: 'She lit it.', categories: [] })
async function find(id: string) {
  const [item] = await db.select().from(stories).where(eq(stories.id, id))
  return item
}

test('an item removed during an edit stays removed and unchanged', async () => {
  const { id } = await addLamp()
  const removed = { status: 'removed', removedFrom: 'published' } as const
  const editing = changeMeanwhile(db, id, removed, () =>
    editItem(db, id, { content: 'A cruel lamp.' }, 'Ada'),
  )
  expect(await rejectionOf(editing)).toMatchObject({ code: 'not_found' })
  expect(await find(id)).toMatchObject({ status: 'removed', content: 'She lit it.' })
})

test('moderation judges the combined text of two concurrent edits', async () => {
  const { id } = await addLamp()
  const edit = () => editItem(db, id, { title: 'The Boat' }, 'Ada')
  const { warnings } = await changeMeanwhile(db, id, { content: 'A cruel lamp.' }, edit)
  expect(warnings).not.toEqual([])
  expect(await find(id)).toMatchObject({ title: 'The Boat', content: 'A cruel lamp.', status: 'held' })
})
