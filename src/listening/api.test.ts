import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contentProgress, stories } from '#db/schema'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const visitor = browser(app)
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const operator = await operatorBrowser(app)
const { id: userId }: { id: string } = await ana.json('/api/auth/user')

const isOfAna = { source: 'user_generated', userId } as const
const items: [string, Partial<typeof stories.$inferInsert>, number, number, number, number][] = [
  // Who reports: a visitor, Ana, Ben, an operator.
  ['published', { status: 'published' }, 200, 200, 200, 200],
  ['a draft', { status: 'draft' }, 404, 404, 404, 200],
  ['removed', { status: 'removed' }, 404, 404, 404, 200],
  ['Ana’s own', isOfAna, 404, 200, 404, 200],
  ['Ana’s own, held', { ...isOfAna, status: 'held' }, 404, 200, 404, 200],
  ['shared by Ana', { ...isOfAna, isShared: true }, 200, 200, 200, 200],
]

for (const [what, item, ...statuses] of items)
  test(`a position is saved of an item that its listener may open: ${what}`, async () => {
    const { id } = await publishTestItem(services)
    await db.update(stories).set(item).where(eq(stories.id, id))
    for (const [at, who] of [visitor, ana, ben, operator].entries()) {
      const json = { contentId: id, contentType: 'story', lastPositionSec: 50 }
      const { status } = await who.call('/api/analytics/progress', { json })
      expect([at, status]).toEqual([at, statuses[at] ?? 0])
    }
    const saved = await db.$count(contentProgress, eq(contentProgress.contentId, id))
    expect(saved).toBe(statuses.filter((status) => status === 200).length)
  })

test('an item that may not be opened is answered as one that does not exist', async () => {
  const { id } = await publishTestItem(services)
  await db.update(stories).set({ status: 'draft' }).where(eq(stories.id, id))
  const report = async (contentId: string) => {
    const { requestId, ...answer } = await visitor.json('/api/analytics/progress', {
      json: { contentId, contentType: 'story', lastPositionSec: 50 },
    })
    return answer
  }
  expect(await report(id)).toEqual(await report('019c0000-0000-7000-8000-000000000000'))
})

test('who has begun an item keeps their place in it, also while it is out of the library', async () => {
  const { id } = await publishTestItem(services)
  const report = (who: typeof ana, lastPositionSec: number) =>
    who.call('/api/analytics/progress', { json: { contentId: id, contentType: 'story', lastPositionSec } })
  await report(ana, 50)
  await db.update(stories).set({ status: 'draft' }).where(eq(stories.id, id))
  expect([(await report(ana, 90)).status, (await report(ben, 90)).status]).toEqual([200, 404])
  const [kept] = await db.select().from(contentProgress).where(eq(contentProgress.contentId, id))
  expect(kept?.lastPositionSec).toBe(90)
})
