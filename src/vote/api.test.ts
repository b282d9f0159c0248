import { describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { guidelineDecisions, itemDays, itemTotals, stories, storyFeedback, users, votes } from '#db/schema'
import {
  type Browser,
  browser,
  markupOf,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const operator = await operatorBrowser(app)
const visitor = browser(app)
const today = new Date().toISOString().slice(0, 10)

const vote = (who: Browser, id: string, voteType: unknown) =>
  who.call(`/api/stories/${id}/vote`, { json: { voteType } })
const rate = (who: Browser, id: string, json: object) => who.call(`/api/stories/${id}/feedback`, { json })

async function sumsOf(id: string) {
  const [item] = await db.select().from(stories).where(eq(stories.id, id))
  const [day] = await db
    .select()
    .from(itemDays)
    .where(and(eq(itemDays.storyId, id), eq(itemDays.day, today)))
  const [total] = await db.select().from(itemTotals).where(eq(itemTotals.storyId, id))
  return {
    up: item?.upvotes,
    down: item?.downvotes,
    upToday: day?.upvotes ?? 0,
    ratings: total?.ratings ?? 0,
    ratingSum: total?.ratingSum ?? 0,
  }
}

describe('voting', () => {
  test('stores one vote per member and item, and its counts follow every change', async () => {
    const { id } = await publishTestItem(services)
    const steps = [
      ['up', 1, 0],
      ['up', 1, 0],
      ['down', 0, 1],
      ['up', 1, 0],
      ['none', 0, 0],
      ['none', 0, 0],
      ['down', 0, 1],
    ] as const
    for (const [voteType, upvotes, downvotes] of steps) {
      const response = await vote(ana, id, voteType)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ voteType, upvotes, downvotes })
      expect(await sumsOf(id)).toMatchObject({ up: upvotes, down: downvotes, upToday: upvotes })
    }
    expect(await (await vote(ben, id, 'up')).json()).toEqual({ voteType: 'up', upvotes: 1, downvotes: 1 })
  })

  test('counts eight concurrent votes of a member once', async () => {
    const { id } = await publishTestItem(services)
    await Promise.all(Array.from({ length: 8 }, (_, at) => vote(ana, id, at % 2 ? 'up' : 'down')))
    await vote(ana, id, 'up')
    expect(await sumsOf(id)).toMatchObject({ up: 1, down: 0, upToday: 1 })
    expect(await db.select().from(votes).where(eq(votes.storyId, id))).toHaveLength(1)
  })

  test('shows a member’s vote to that member only', async () => {
    const item = await publishTestItem(services)
    await vote(ana, item.id, 'up')
    const page = async (who: Browser) => (await who.call(`/story/${item.slug}`)).text()
    expect(await page(ana)).toContain('"voteType":"up"')
    for (const who of [ben, visitor]) expect(await page(who)).toContain('"voteType":"none"')
  })

  test('rejects an unknown vote type with 422', async () => {
    const { id } = await publishTestItem(services)
    for (const kind of ['sideways', '', null, 1, ['up'], undefined])
      expect((await vote(ana, id, kind)).status).toBe(422)
    expect(await sumsOf(id)).toMatchObject({ up: 0, down: 0 })
  })
})

describe('rating', () => {
  test('stores one changeable rating per member and item, and returns the mean', async () => {
    const { id } = await publishTestItem(services)
    const answer = await (await rate(ana, id, { rating: 5, comments: ' Warm. ', tags: ['The voice'] })).json()
    expect(answer).toEqual({
      rating: 5,
      comments: 'Warm.',
      tags: ['The voice'],
      averageRating: 5,
      totalRatings: 1,
    })
    expect(await (await rate(ben, id, { rating: 2 })).json()).toMatchObject({
      averageRating: 3.5,
      totalRatings: 2,
    })
    const changed = await (await rate(ana, id, { rating: 4 })).json()
    expect(changed).toMatchObject({ comments: 'Warm.', tags: ['The voice'], averageRating: 3 })
    expect(await sumsOf(id)).toMatchObject({ ratings: 2, ratingSum: 6 })
    const emptied = await (await rate(ana, id, { rating: 4, comments: '', tags: [] })).json()
    expect(emptied).toMatchObject({ comments: '', tags: [] })
  })

  test('rejects ratings other than whole numbers from 1 to 5, and comments or tags that are too long', async () => {
    const { id } = await publishTestItem(services)
    for (const rating of [0, 6, -1, 2.5, '5', null, undefined])
      expect((await rate(ana, id, { rating })).status).toBe(422)
    for (const json of [
      { rating: 3, comments: 'x'.repeat(1_001) },
      { rating: 3, tags: Array(11).fill('x') },
      { rating: 3, tags: ['x'.repeat(41)] },
      { rating: 3, tags: 'The voice' },
    ])
      expect((await rate(ana, id, json)).status).toBe(422)
    expect(await sumsOf(id)).toMatchObject({ ratings: 0 })
  })

  test('rejects a comment or tag that a guideline blocks, stores nothing and records the decision', async () => {
    const { id } = await publishTestItem(services)
    await operator.call('/api/content-guidelines', {
      json: { keywords: 'zeppelins', severity: 'blocking', description: 'No airships' },
    })
    for (const words of [{ comments: 'So many zeppelins in it.' }, { tags: ['zeppelins'] }]) {
      const response = await rate(ana, id, { rating: 5, ...words })
      expect(response.status).toBe(422)
      const { code, fields } = await response.json()
      expect(code).toBe('guideline_blocked')
      expect(fields[0].path).toBe(Object.keys(words)[0])
    }
    expect(await sumsOf(id)).toMatchObject({ ratings: 0 })
    const records = await db
      .select()
      .from(guidelineDecisions)
      .where(eq(guidelineDecisions.source, 'feedback'))
    expect(records).toHaveLength(2)
  })

  test('is listed for operators without the member’s identity', async () => {
    const { id } = await publishTestItem(services)
    await rate(ana, id, { rating: 5, comments: 'The ending stayed.' })
    const list = await operator.json(`/api/stories/${id}/feedback`)
    expect(list).toEqual([expect.objectContaining({ rating: 5, comments: 'The ending stayed.' })])
    expect(JSON.stringify(list)).not.toContain(ana.id)
    for (const who of [visitor, ana]) expect((await who.call(`/api/stories/${id}/feedback`)).status).toBe(401)
  })
})

describe('access to voting and rating', () => {
  test('returns 401 to visitors and operators, and stores nothing', async () => {
    const { id } = await publishTestItem(services)
    for (const who of [visitor, operator])
      for (const response of [await vote(who, id, 'up'), await rate(who, id, { rating: 5 })]) {
        expect(response.status).toBe(401)
        expect(await response.json()).toMatchObject({ success: false, code: 'sign_in_required' })
      }
    expect(await sumsOf(id)).toMatchObject({ up: 0, ratings: 0 })
  })

  test('returns 404 for an item that the member cannot open', async () => {
    const own = await publishTestItem(services)
    await db.update(stories).set({ source: 'user_generated', userId: ben.id }).where(eq(stories.id, own.id))
    const hidden = [own.id, 'not-an-id', '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57']
    for (const status of ['draft', 'scheduled', 'held', 'removed'] as const)
      hidden.push((await publishTestItem(services, { status })).id)
    for (const id of hidden) {
      expect((await vote(ana, id, 'up')).status).toBe(404)
      expect((await rate(ana, id, { rating: 5 })).status).toBe(404)
    }
  })

  test('returns 403 for a cross-site vote', async () => {
    const { id } = await publishTestItem(services)
    const response = await ana.call(`/api/stories/${id}/vote`, {
      json: { voteType: 'up' },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(response.status).toBe(403)
  })
})

describe('voting and rating without JavaScript', () => {
  test('stores a vote and a rating, and redirects to the item', async () => {
    const item = await publishTestItem(services)
    const voted = await ana.call(`/vote/${item.id}`, { form: { voteType: 'up' } })
    expect([voted.status, voted.headers.get('location')]).toEqual([303, `/story/${item.slug}#opinion`])
    const body = new URLSearchParams('rating=4&tags=The+voice&tags=The+pace&comments=Soft')
    const rated = await ana.call(`/rate/${item.id}`, { body, method: 'POST' })
    expect(rated.status).toBe(303)
    expect(await sumsOf(item.id)).toMatchObject({ up: 1, ratings: 1, ratingSum: 4 })
    const [stored] = await db.select().from(storyFeedback).where(eq(storyFeedback.storyId, item.id))
    expect(stored).toMatchObject({ comments: 'Soft', tags: ['The voice', 'The pace'] })
  })

  test('redirects to the page of the button, and never to another site', async () => {
    const { id } = await publishTestItem(services)
    const to = async (next: string) =>
      (await ana.call(`/vote/${id}`, { form: { voteType: 'up', next } })).headers.get('location')
    expect(await to('/trending?timeframe=24h')).toBe('/trending?timeframe=24h')
    expect(await to('//elsewhere.example')).toBe('/')
  })

  test('shows a rejected rating again with its values and the reason', async () => {
    const item = await publishTestItem(services)
    await operator.call('/api/content-guidelines', {
      json: { keywords: 'steamships', severity: 'blocking', description: 'No ships' },
    })
    const body = new URLSearchParams('rating=4&tags=The+voice&comments=Two <b>steamships</b>.')
    const response = await ana.call(`/rate/${item.id}`, { body, method: 'POST' })
    expect([response.status, response.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
    const page = await markupOf(response)
    expect(page).toContain('Two &lt;b&gt;steamships&lt;/b&gt;.</textarea>')
    expect(page).toMatch(/<details class="notes" open="">/)
    expect(page).toMatch(/name="rating"[^>]*checked=""[^>]*value="4"|value="4"[^>]*checked=""/)
    expect(page).toMatch(/checked=""[^>]*value="The voice"|value="The voice"[^>]*checked=""/)
    expect(page).toContain('No ships')
    expect(await sumsOf(item.id)).toMatchObject({ ratings: 0 })
  })

  test('redirects a visitor to sign-in and then back to the item', async () => {
    const item = await publishTestItem(services)
    for (const [path, form] of [
      [`/vote/${item.id}`, { voteType: 'up' }],
      [`/rate/${item.id}`, { rating: '5' }],
    ] as const) {
      const response = await visitor.call(path, { form })
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(`/sign-in?next=%2Fstory%2F${item.slug}`)
    }
    expect(await sumsOf(item.id)).toMatchObject({ up: 0, ratings: 0 })
  })
})

describe('stored counts', () => {
  test('stay exact when a member is deleted', async () => {
    const { id } = await publishTestItem(services)
    const cleo = await memberBrowser(app, 'cleo@example.com')
    for (const who of [ana, cleo]) {
      await vote(who, id, 'up')
      await rate(who, id, { rating: 4 })
    }
    await db.delete(users).where(eq(users.id, cleo.id))
    expect(await sumsOf(id)).toEqual({ up: 1, down: 0, upToday: 1, ratings: 1, ratingSum: 4 })
  })

  test('stay exact when an item is deleted and when one statement changes many votes', async () => {
    const [one, two] = [await publishTestItem(services), await publishTestItem(services)]
    for (const { id } of [one, two]) for (const who of [ana, ben]) await vote(who, id, 'up')
    await db.execute(
      sql`update votes set vote_type = 'down' where story_id in (${one.id}::uuid, ${two.id}::uuid)`,
    )
    for (const { id } of [one, two]) expect(await sumsOf(id)).toMatchObject({ up: 0, down: 2, upToday: 0 })
    await db.delete(stories).where(eq(stories.id, one.id))
    expect(await db.select().from(itemDays).where(eq(itemDays.storyId, one.id))).toEqual([])
    expect(await sumsOf(two.id)).toMatchObject({ down: 2 })
  })

  test('stay exact when a visitor’s views are merged into a member’s at sign-in', async () => {
    const { id } = await publishTestItem(services)
    const guest = browser(app)
    const report = (who: Browser) =>
      who.call('/api/analytics/progress', {
        json: { contentId: id, contentType: 'story', lastPositionSec: 60, totalSec: 60, completed: true },
      })
    await report(guest)
    await report(guest)
    await report(ana)
    const viewsOf = async () => {
      const [day] = await db.select().from(itemDays).where(eq(itemDays.storyId, id))
      const [total] = await db.select().from(itemTotals).where(eq(itemTotals.storyId, id))
      return [day?.views, total?.views]
    }
    expect(await viewsOf()).toEqual([2, 2])
    await guest.call('/api/auth/login', {
      json: { email: 'ana@example.com', password: memberPassword },
    })
    expect(await viewsOf()).toEqual([1, 1])
  })
})
