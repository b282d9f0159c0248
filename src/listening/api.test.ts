import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contentProgress, devicePositions, stories } from '#db/schema'
import { newVisitorsADay } from '#src/story/meter-rules'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { reportsPerMinuteMax } from './rules'

const { app, services } = await testApp()
const { db } = services
const visitor = browser(app)
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const operator = await operatorBrowser(app)
const { id: userId } = ana

const isOfAna = { source: 'user_generated', userId } as const
const items: [string, Partial<typeof stories.$inferInsert>, number, number, number, number][] = [
  // The status for each reporter: a visitor, Ana, Ben, an operator.
  ['published', { status: 'published' }, 200, 200, 200, 200],
  ['a draft', { status: 'draft' }, 404, 404, 404, 200],
  ['removed', { status: 'removed' }, 404, 404, 404, 200],
  ['Ana’s own', isOfAna, 404, 200, 404, 200],
  ['Ana’s own, held', { ...isOfAna, status: 'held' }, 404, 200, 404, 200],
  ['shared by Ana', { ...isOfAna, isShared: true }, 200, 200, 200, 200],
]

for (const [what, item, ...statuses] of items)
  test(`saving a position requires access to the item: ${what}`, async () => {
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

test('progress in an inaccessible item gets the same answer as in an unknown item', async () => {
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

test('listeners who began an item can still save positions after it is unpublished', async () => {
  const { id } = await publishTestItem(services)
  const report = (who: typeof ana, lastPositionSec: number) =>
    who.call('/api/analytics/progress', { json: { contentId: id, contentType: 'story', lastPositionSec } })
  await report(ana, 50)
  await db.update(stories).set({ status: 'draft' }).where(eq(stories.id, id))
  expect([(await report(ana, 90)).status, (await report(ben, 90)).status]).toEqual([200, 404])
  const [kept] = await db.select().from(contentProgress).where(eq(contentProgress.contentId, id))
  expect(kept?.lastPositionSec).toBe(90)
})

describe('rate limit of progress reports from one address', () => {
  const reportOf = (contentId: string, deviceId = 'tab') => ({
    json: { contentId, contentType: 'story', lastPositionSec: 50, totalSec: 100, deviceId, sequence: 1 },
  })
  const countSaved = async (contentId: string) => [
    await db.$count(contentProgress, eq(contentProgress.contentId, contentId)),
    await db.$count(devicePositions, eq(devicePositions.contentId, contentId)),
  ]

  test('refuses new visitors over the daily limit once, then accepts the cookie sent with the 429', async () => {
    const { id } = await publishTestItem(services)
    const report = (who: typeof visitor) => who.call('/api/analytics/progress', reportOf(id))
    const newcomer = () => browser(app, '10.20.0.1')
    for (let at = 0; at < newVisitorsADay; at += 1) expect((await report(newcomer())).status).toBe(200)
    const late = newcomer()
    const refused = await report(late)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.json()).toMatchObject({
      code: 'throttled',
      message: expect.stringContaining('cookie'),
    })
    expect(await countSaved(id)).toEqual([newVisitorsADay, newVisitorsADay])

    const reader = newcomer()
    await reader.call(`/api/content/${id}`)
    const known = await memberBrowser(app, 'known@example.com', '10.20.0.1')
    const statuses = [await report(late), await report(reader), await report(known)].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([200, 200, 200])
    expect(await countSaved(id)).toEqual([newVisitorsADay + 3, newVisitorsADay + 3])
  })

  test('applies per minute to members too, and not to other addresses', async () => {
    const { id } = await publishTestItem(services)
    const known = await memberBrowser(app, 'flood@example.com', '10.20.0.2')
    const report = async (who: typeof visitor, contentId: string) =>
      (await who.call('/api/analytics/progress', reportOf(contentId))).status
    const statuses: number[] = []
    // Reports for two minutes and one more, so that at least one minute's limit is used up. Reports of an unknown item
    // count too.
    while (!statuses.includes(429) && statuses.length <= 2 * reportsPerMinuteMax)
      statuses.push(await report(known, 'nothing'))
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(reportsPerMinuteMax)
    expect([await report(known, id), await report(ana, id)]).toEqual([429, 200])
    expect(await countSaved(id)).toEqual([1, 1])
  })
})
