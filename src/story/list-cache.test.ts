import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { publishTestItem, testApp } from '#src/testing/app'
import { clearListCaches } from './list-cache'
import { listItems } from './list-items'

const { services } = await testApp()
const { db } = services

test('an item is the same object in all lists until it changes', async () => {
  for (const title of ['The Harbour', 'The Loft']) await publishTestItem(services, { title })
  const itemsOf = async (q?: string) => (await listItems(db, { type: 'story', q }, 'none')).items
  const [loft, harbour] = await itemsOf()
  expect((await itemsOf('loft'))[0]).toBe(loft)

  await db
    .update(stories)
    .set({ description: 'Above the sail maker.' })
    .where(eq(stories.id, loft?.id ?? ''))
  clearListCaches(db)
  const [changed, same] = await itemsOf()
  expect(same).toBe(harbour)
  expect(changed).toMatchObject({ id: loft?.id, description: 'Above the sail maker.' })
  expect((await itemsOf('loft'))[0]).toBe(changed)
})
