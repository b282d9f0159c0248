import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { favorites, stories } from '#db/schema'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const keyOf = (item: { id: string }, type = 'story') => `pre_uploaded:${type}:${item.id}`
const add = (who: Browser, contentKey: unknown) =>
  who.call('/api/content-favorites', { json: { contentKey } })
const remove = (who: Browser, contentKey: string) =>
  who.call(`/api/content-favorites/${encodeURIComponent(contentKey)}`, { method: 'DELETE' })
const listOf = async (who: Browser): Promise<string[]> =>
  (await who.json('/api/content-favorites')).map(({ contentKey }: { contentKey: string }) => contentKey)

test('adding and removing a favourite are idempotent', async () => {
  const key = keyOf(await publishTestItem(services))
  for (let time = 0; time < 3; time += 1) {
    const response = await add(ana, key)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ contentKey: key })
    expect(await listOf(ana)).toEqual([key])
  }
  for (let time = 0; time < 3; time += 1) {
    const response = await remove(ana, key)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true, contentKey: key })
    expect(await listOf(ana)).toEqual([])
  }
})

test('concurrent additions store one favourite', async () => {
  const item = await publishTestItem(services)
  const answers = await Promise.all(Array.from({ length: 8 }, () => add(ana, keyOf(item))))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(await db.select().from(favorites).where(eq(favorites.storyId, item.id))).toHaveLength(1)
  await remove(ana, keyOf(item))
})

test('favourites are listed newest first, each with its time', async () => {
  const keys = []
  for (const title of ['One', 'Two', 'Three']) {
    const key = keyOf(await publishTestItem(services, { title }))
    keys.unshift(key)
    await add(ana, key)
  }
  const list = await ana.json('/api/content-favorites')
  expect(list.map(({ contentKey }: { contentKey: string }) => contentKey)).toEqual(keys)
  for (const { createdAt } of list) expect(new Date(createdAt).toISOString()).toBe(createdAt)
  for (const key of keys) await remove(ana, key)
})

test('a flow cannot be added under the key of a story', async () => {
  const flow = await publishTestItem(services, { title: 'Tide', type: 'flow' })
  expect((await add(ana, keyOf(flow, 'story'))).status).toBe(404)
  expect((await add(ana, keyOf(flow, 'flow'))).status).toBe(200)
  expect(await listOf(ana)).toEqual([keyOf(flow, 'flow')])
  await remove(ana, keyOf(flow, 'flow'))
})

describe('rejected request', () => {
  test('returns 401 for visitors and operators', async () => {
    const key = keyOf(await publishTestItem(services))
    for (const who of [browser(app), await operatorBrowser(app)]) {
      for (const response of [
        await who.call('/api/content-favorites'),
        await add(who, key),
        await remove(who, key),
      ]) {
        expect(response.status).toBe(401)
        expect(await response.json()).toMatchObject({ success: false, code: 'sign_in_required' })
      }
    }
  })

  const id = '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57'
  test.each([
    ...[
      'x',
      'story',
      `story:${id}`,
      `:story:${id}`,
      `pre_uploaded::${id}`,
      'pre_uploaded:story:',
      'pre_uploaded:story:1',
    ],
    ...[
      `pre_uploaded:poem:${id}`,
      `uploaded:story:${id}`,
      `pre_uploaded:story:${id}:x`,
      `pre_uploaded:story:${id}0`,
    ],
    ...[
      ` pre_uploaded:story:${id}`,
      `PRE_UPLOADED:story:${id}`,
      "pre_uploaded:story:' or true --",
      'x'.repeat(200),
    ],
  ])('returns 422 for the malformed content key %p', async (key) => {
    for (const response of [await add(ana, key), await remove(ana, key)]) {
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ code: 'invalid', fields: [{ path: 'contentKey' }] })
    }
  })

  test.each([[undefined], [null], [5], [''], [[]], [{}], ['x'.repeat(201)]])(
    'returns 422 when contentKey is %p',
    async (key) => {
      const response = await add(ana, key)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ fields: [{ path: 'contentKey' }] })
    },
  )

  test('returns 404 for an item that does not exist or is not published', async () => {
    expect((await add(ana, `pre_uploaded:story:${id}`)).status).toBe(404)
    for (const status of ['draft', 'scheduled', 'held', 'removed'] as const) {
      expect((await add(ana, keyOf(await publishTestItem(services, { status })))).status).toBe(404)
    }
    expect(await listOf(ana)).toEqual([])
  })
})

test('a removed item leaves the favourites and returns when it is restored', async () => {
  const item = await publishTestItem(services)
  await add(ana, keyOf(item))
  await db.update(stories).set({ status: 'removed' }).where(eq(stories.id, item.id))
  expect(await listOf(ana)).toEqual([])
  await db.update(stories).set({ status: 'published' }).where(eq(stories.id, item.id))
  expect(await listOf(ana)).toEqual([keyOf(item)])
  await remove(ana, keyOf(item))
})

describe('favourites of other members', () => {
  test('can be neither seen nor changed', async () => {
    const [shared, mine] = [await publishTestItem(services), await publishTestItem(services)]
    await add(ana, keyOf(shared))
    await add(ana, keyOf(mine))
    await add(ben, keyOf(shared))
    expect(await listOf(ben)).toEqual([keyOf(shared)])
    await remove(ben, keyOf(mine))
    await remove(ben, keyOf(shared))
    expect(await listOf(ben)).toEqual([])
    expect((await listOf(ana)).sort()).toEqual([keyOf(mine), keyOf(shared)].sort())
    const page = async (who: Browser) => (await who.call(`/story/${shared.slug}`)).text()
    expect(await page(ana)).toContain('"isFavorite":true')
    expect(await page(ben)).toContain('"isFavorite":false')
    for (const item of [shared, mine]) await remove(ana, keyOf(item))
  })

  test('cannot include a member’s private items, only shared ones', async () => {
    const { id: userId } = ana
    const own = await publishTestItem(services)
    await db.update(stories).set({ source: 'user_generated', userId }).where(eq(stories.id, own.id))
    const key = `user_generated:story:${own.id}`
    expect((await add(ben, key)).status).toBe(404)
    expect((await add(ana, key)).status).toBe(200)
    expect((await add(ana, keyOf(own))).status).toBe(404)
    await db.update(stories).set({ isShared: true }).where(eq(stories.id, own.id))
    expect((await add(ben, key)).status).toBe(200)
    await db.update(stories).set({ isShared: false }).where(eq(stories.id, own.id))
    expect([await listOf(ben), await listOf(ana)]).toEqual([[], [key]])
    await remove(ben, key)
    await remove(ana, key)
  })
})
