import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { stories, users } from '#db/schema'
import {
  browser,
  markupOf,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { refreshRankings } from './refresh'
import { atOnceMax } from './rules'
import type { Creator, TrendingItem } from './schema'
import { addViews } from './testing'

const { app, services } = await testApp()
const { db } = services
const visitor = browser(app)
const ana = await memberBrowser(app, 'ana@example.com')
const operator = await operatorBrowser(app)

const list = (query = ''): Promise<TrendingItem[]> => visitor.json(`/api/content/trending${query}`)
const titles = async (query = '') => (await list(query)).map(({ title }) => title)
const stats = (timeframe: string) => visitor.json(`/api/stats/trending?timeframe=${timeframe}`)
const view = (id: string, count: number, hoursAgo = 0) => addViews(db, id, count, hoursAgo)

test('nothing is trending in a library without views', async () => {
  await publishTestItem(services, { title: 'Unseen' })
  for (const timeframe of ['24h', '7d', '30d', 'all']) {
    expect(await list(`?timeframe=${timeframe}`)).toEqual([])
    expect(await stats(timeframe)).toEqual({
      totalViews: 0,
      totalUpvotes: 0,
      newContent: 1,
      activeCreators: 0,
    })
    expect(await visitor.json(`/api/creators/top?timeframe=${timeframe}`)).toEqual([])
  }
})

describe('a viewed item', () => {
  test('is listed and counted in the timeframes in which it was viewed', async () => {
    const now = await publishTestItem(services, { title: 'Tonight' })
    const tide = await publishTestItem(services, { title: 'Days ago', type: 'flow' })
    const old = await publishTestItem(services, { title: 'Weeks ago' })
    const older = await publishTestItem(services, { title: 'Months ago' })
    await view(now.id, 9)
    await view(tide.id, 5, 72)
    await view(old.id, 3, 24 * 20)
    await view(older.id, 2, 24 * 90)
    expect(await titles('?timeframe=24h')).toEqual(['Tonight'])
    expect(await titles()).toEqual(['Tonight', 'Days ago'])
    expect(await titles('?timeframe=7d')).toEqual(await titles())
    expect(await titles('?timeframe=30d')).toEqual(['Tonight', 'Days ago', 'Weeks ago'])
    expect(await titles('?timeframe=all')).toEqual(['Tonight', 'Days ago', 'Weeks ago', 'Months ago'])
    expect(await titles('?timeframe=all&type=flow')).toEqual(['Days ago'])
    expect(await titles('?timeframe=all&type=story&limit=2')).toEqual(['Tonight', 'Weeks ago'])
    const totals = await Promise.all(
      ['24h', '7d', '30d', 'all'].map(async (each) => (await stats(each)).totalViews),
    )
    expect(totals).toEqual([9, 14, 17, 19])
  })

  test('comes with its views, votes and ratings, but never with its whole text', async () => {
    const { id } = await publishTestItem(services, { title: 'Loved' })
    await view(id, 30)
    await ana.call(`/api/stories/${id}/vote`, { json: { voteType: 'up' } })
    await ana.call(`/api/stories/${id}/feedback`, { json: { rating: 4 } })
    for (const who of [visitor, ana, operator]) {
      const items: TrendingItem[] = await who.json('/api/content/trending')
      const loved = items.find((each) => each.id === id)
      expect(loved).toMatchObject({
        title: 'Loved',
        upvotes: 1,
        downvotes: 0,
        views: 30,
        rating: 4,
        totalRatings: 1,
        isRising: true,
        contentTruncated: true,
      })
      expect(loved?.content.length).toBeLessThanOrEqual(120)
      expect(loved?.createdAt).toBeString()
    }
    expect(await stats('24h')).toMatchObject({ totalUpvotes: 1 })
    expect(await titles('?order=top-rated')).toEqual(['Loved'])
    expect((await titles('?order=most-viewed'))[0]).toBe('Loved')
  })

  test('changes its score at once with a view or a vote', async () => {
    const { id } = await publishTestItem(services, { title: 'Quick' })
    expect(await titles()).not.toContain('Quick')
    await browser(app).call('/api/analytics/progress', {
      json: { contentId: id, contentType: 'story', lastPositionSec: 60, totalSec: 60, completed: true },
    })
    const found = async () => (await list()).find((each) => each.id === id)
    expect(await found()).toMatchObject({ views: 1, upvotes: 0 })
    const before = (await found())?.score ?? 0
    for (let times = 0; times < 2; times += 1)
      await ana.call(`/api/stories/${id}/vote`, { json: { voteType: 'up' } })
    expect((await found())?.score).toBeGreaterThan(before)
  })

  test('leaves lists and totals when it is removed, held or a member’s own', async () => {
    const before = await stats('7d')
    for (const change of [{ status: 'removed' }, { status: 'held' }, { source: 'user_generated' }] as const) {
      const { id } = await publishTestItem(services, { title: 'Gone' })
      await view(id, 50)
      expect(await titles()).toContain('Gone')
      await db.update(stories).set(change).where(eq(stories.id, id))
      expect(await titles()).not.toContain('Gone')
    }
    expect((await stats('7d')).totalViews).toBe(before.totalViews)
  })
})

test('isRising is set in every timeframe except "all"', async () => {
  const { id } = await publishTestItem(services, { title: 'Rising' })
  await view(id, 20)
  await view(id, 5, 24 * 6)
  const of = async (timeframe: string) =>
    (await list(`?timeframe=${timeframe}`)).find((each) => each.id === id)?.isRising
  expect([await of('24h'), await of('7d'), await of('30d'), await of('all')]).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('the top creators are members with shared items, named by their first name only', async () => {
  const { user } = await browser(app).json('/api/auth/register', {
    json: {
      email: 'mara@example.com',
      password: memberPassword,
      firstName: 'Mara',
      lastName: 'Lind',
    },
  })
  const [shared, secret] = [await publishTestItem(services), await publishTestItem(services)]
  const mine = { source: 'user_generated', userId: user.id } as const
  await db
    .update(stories)
    .set({ ...mine, isShared: true })
    .where(eq(stories.id, shared.id))
  await db.update(stories).set(mine).where(eq(stories.id, secret.id))
  await view(shared.id, 4)
  await view(secret.id, 7)
  await ana.call(`/api/stories/${shared.id}/vote`, { json: { voteType: 'up' } })
  const creators: Creator[] = await visitor.json('/api/creators/top?timeframe=30d')
  expect(creators).toEqual([{ name: 'Mara', items: 1, views: 4, upvotes: 1 }])
  expect(await stats('30d')).toMatchObject({ activeCreators: 1 })
  await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, user.id))
  expect(await visitor.json('/api/creators/top?timeframe=all')).toEqual([])
})

test('unknown timeframes, types, orders and limits return 422', async () => {
  for (const query of [
    'timeframe=1h',
    'timeframe=',
    'type=poem',
    'order=newest',
    'limit=0',
    'limit=51',
    'limit=x',
  ])
    expect((await visitor.call(`/api/content/trending?${query}`)).status).toBe(422)
  for (const path of ['/api/stats/trending', '/api/creators/top'])
    expect((await visitor.call(`${path}?timeframe=year`)).status).toBe(422)
})

test('a cached ranking shows current votes, and to each member their own vote', async () => {
  const large = await testApp()
  const [bea, cem] = [
    await memberBrowser(large.app, 'bea@example.com'),
    await memberBrowser(large.app, 'cem@example.com'),
  ]
  const { id } = await publishTestItem(large.services, { title: 'The Lamp' })
  await addViews(large.services.db, id, 3)
  await large.services.db.execute(sql`
    insert into stories (id, slug, title, title_key, content)
    select gen_random_uuid(), 'salt-' || at, 'Salt', 'salt', 'She waited.' from generate_series(0, ${atOnceMax}::int) as at`)
  await large.services.db.execute(sql`analyze stories`)
  await refreshRankings(large.services.db)
  const votesOf = async (who: typeof bea) =>
    JSON.parse(
      /"votes":(\{[^}]*\})/.exec(await markupOf(await who.call('/trending?timeframe=all')))?.[1] ?? '{}',
    )
  expect(await votesOf(bea)).toEqual({ voteType: 'none', upvotes: 0, downvotes: 0 })
  await bea.call(`/api/stories/${id}/vote`, { json: { voteType: 'up' } })
  for (const who of [bea, cem, bea])
    expect(await votesOf(who)).toEqual({ voteType: who === bea ? 'up' : 'none', upvotes: 1, downvotes: 0 })
  const [item] = await cem.json('/api/content/trending?timeframe=all')
  expect(item).toMatchObject({ title: 'The Lamp', upvotes: 1, views: 3 })
})
