import { expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { contentProgress, favorites, sessions, stories } from '#db/schema'
import { toneMp3 } from '#src/narration/testing'
import { sha256 } from '#src/security/keyed-hash'
import {
  type Browser,
  browser,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

/** No person's data can be read or written by another, whatever ids are sent. */
const { app, services } = await testApp()
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')

const report = (who: Browser, contentId: string, lastPositionSec: number, more = {}) =>
  who.call('/api/analytics/progress', {
    json: { contentId, contentType: 'story', lastPositionSec, totalSec: 100, ...more },
  })
const positionOf = async (who: Browser, contentId: string): Promise<number | null> =>
  (await who.json(`/api/analytics/progress/${contentId}/story`))?.lastPositionSec ?? null

test('positions of two members and two visitors on one item are separate', async () => {
  const { id } = await publishTestItem(services)
  const people = [ana, ben, browser(app), browser(app)]
  for (const [at, who] of people.entries()) expect((await report(who, id, 10 + at)).status).toBe(200)
  expect(await Promise.all(people.map((who) => positionOf(who, id)))).toEqual([10, 11, 12, 13])
  expect(await positionOf(browser(app), id)).toBeNull()
})

test('a user id in a request body is ignored', async () => {
  const { id } = await publishTestItem(services)
  await report(ana, id, 50)
  for (const more of [
    { userId: ana.id },
    { anonId: ana.id },
    { sessionId: ana.id },
    { user: { id: ana.id } },
  ]) {
    expect((await report(ben, id, 5, more)).status).toBe(200)
    expect((await report(browser(app), id, 6, more)).status).toBe(200)
  }
  expect(await positionOf(ana, id)).toBe(50)
  const rows = await db.select().from(contentProgress).where(eq(contentProgress.contentId, id))
  expect(rows.filter(({ userId }) => userId === ana.id)).toHaveLength(1)
})

/** The header that calls from a member's page send. */
const pageOf = async (who: Browser) => {
  const [, owner = ''] = /data-owner="([^"]+)"/.exec(await (await who.call('/stories')).text()) ?? []
  return { 'page-owner': owner }
}

test('a stale page of one member cannot act for another who has signed in since', async () => {
  const { id } = await publishTestItem(services)
  const headers = await pageOf(ana)
  const json = { contentKey: `pre_uploaded:story:${id}` }
  const refused = await ben.call('/api/content-favorites', { json, headers })
  expect(refused.status).toBe(401)
  expect((await refused.json()).code).toBe('sign_in_required')
  expect(await (await ben.call('/api/auth/user', { headers })).json()).toBeNull()
  expect(await ben.json('/api/content-favorites')).toEqual([])
  expect((await ana.call('/api/content-favorites', { json, headers })).ok).toBe(true)
})

test('a call from a stale page keeps the cookies of the member signed in since', async () => {
  const eve = await memberBrowser(app, 'eve@example.com')
  await eve.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
  await eve.call('/stories')
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now() - interval '2 days'` })
    .where(eq(sessions.userId, eve.id))
  const before = [...eve.jar.keys()]
  const response = await eve.call('/api/auth/user', { headers: await pageOf(ana) })
  expect(await response.json()).toBeNull()
  expect([...eve.jar.keys()]).toEqual(before)
  expect(response.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=2592000')])
})

test('signing out on a stale page keeps the session of the member signed in since', async () => {
  const fay = await memberBrowser(app, 'fay@example.com')
  const headers = await pageOf(ana)
  const signOuts = [
    ['/api/auth/logout', { method: 'POST', headers }],
    ['/sign-out', { form: { next: '/stories', owner: headers['page-owner'] } }],
  ] as const
  for (const [path, request] of signOuts) {
    expect((await fay.call(path, request)).status).toBeLessThan(400)
    expect(await fay.json('/api/auth/user')).toMatchObject({ email: 'fay@example.com' })
  }
  await fay.call('/sign-out', { form: { owner: (await pageOf(fay))['page-owner'] } })
  expect(await fay.json('/api/auth/user')).toBeNull()
})

test('a visitor cookie forged from a member’s id reads none of their positions', async () => {
  const { id } = await publishTestItem(services)
  await report(ana, id, 70)
  for (const value of [ana.id, `${ana.id}.`, `${ana.id}.x`, sha256(ana.id)]) {
    const stranger = browser(app)
    stranger.jar.set('nocturne_visitor', value)
    expect(await positionOf(stranger, id)).toBeNull()
  }
})

test('a visitor’s position moves to the member who joins, and their old cookie no longer reads it', async () => {
  const { id } = await publishTestItem(services)
  const visitor = browser(app)
  await report(visitor, id, 33)
  const cookie = visitor.jar.get('nocturne_visitor') ?? ''
  await visitor.call('/api/auth/register', {
    json: { email: 'cleo@example.com', password: memberPassword },
  })
  expect(await positionOf(visitor, id)).toBe(33)
  const nextOnThisBrowser = browser(app)
  nextOnThisBrowser.jar.set('nocturne_visitor', cookie)
  expect(await positionOf(nextOnThisBrowser, id)).toBeNull()
})

test('a private item is hidden from lists and pages of others, and its audio is denied to them', async () => {
  const { id, slug } = await publishTestItem(services, { title: 'Only mine' })
  const operator = await operatorBrowser(app)
  const form = new FormData()
  form.set('audioFile', new File([await toneMp3(1)], 'mine.mp3'))
  expect((await operator.call(`/api/premium-content/${id}/upload-audio`, { body: form })).status).toBe(200)
  await db.update(stories).set({ source: 'user_generated', userId: ana.id }).where(eq(stories.id, id))

  for (const who of [ben, browser(app)]) {
    for (const path of [
      '/',
      '/stories',
      '/stories?q=only',
      '/api/content',
      '/api/content?q=only',
      '/api/stories',
      '/sitemap.xml',
      '/api/content?source=user_generated',
    ]) {
      expect(await (await who.call(path)).text()).not.toMatch(/only mine|only-mine/i)
    }
    for (const path of [`/story/${slug}`, `/api/content/${id}`])
      expect((await who.call(path)).status).toBe(404)
    expect((await who.call(`/api/premium-audio/${id}/female`)).status).toBe(who === ben ? 404 : 403)
  }
  expect((await ana.call(`/api/premium-audio/${id}/female`)).status).toBe(200)
})

test('signing out ends only the member’s own session', async () => {
  const before = (await db.select().from(sessions).where(eq(sessions.userId, ana.id))).length
  await ben.call('/api/auth/logout', {
    method: 'POST',
    json: { userId: ana.id, sid: ana.jar.get('nocturne_session') },
  })
  expect(await db.select().from(sessions).where(eq(sessions.userId, ana.id))).toHaveLength(before)
  expect(await ana.json('/api/auth/user')).toMatchObject({ email: 'ana@example.com' })
  expect(await ben.json('/api/auth/user')).toBeNull()
})

test('My Content shows each member’s own dates on shared cards, and no other member’s items', async () => {
  const [fay, gus] = [
    await memberBrowser(app, 'saved-first@example.com'),
    await memberBrowser(app, 'saved-later@example.com'),
  ]
  const { id } = await publishTestItem(services, { title: 'Lamp <nocturne-own></nocturne-own> Light' })
  for (const who of [fay, gus])
    await who.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${id}` } })
  const draft = { title: 'Fay alone', content: 'She wrote it for herself.', categories: ['romantic'] }
  expect((await fay.call('/api/user/content', { json: draft })).ok).toBe(true)
  const timeOf = async (userId: string) => {
    const [row] = await db
      .select()
      .from(favorites)
      .where(and(eq(favorites.userId, userId), eq(favorites.storyId, id)))
    return row?.createdAt.toISOString()
  }
  const times = [await timeOf(fay.id), await timeOf(gus.id)]
  expect(times[0]).not.toBe(times[1])
  for (const [at, who] of [fay, gus, fay, gus].entries()) {
    const html = await (await who.call('/my-content')).text()
    expect(html).toContain('Lamp &lt;nocturne-own&gt;&lt;/nocturne-own&gt; Light')
    expect(html).toContain(`dateTime="${times[at % 2]}"`)
    expect(html).not.toContain(`${times[(at + 1) % 2]}`)
    expect(html.includes('Fay alone')).toBe(who === fay)
  }
})

test('a cached list shows each member only their own favourites and positions', async () => {
  // Three members who hide nothing, so that they get the same cached list.
  const [cleo, dora, emil] = [
    await memberBrowser(app, 'hearts@example.com'),
    await memberBrowser(app, 'no-hearts@example.com'),
    await memberBrowser(app, 'begun@example.com'),
  ]
  const { id } = await publishTestItem(services, { title: 'The Ferry at Dusk' })
  const saved = await publishTestItem(services, { title: 'Salt Air' })
  await publishTestItem(services, { title: 'The Newest' })
  const heart = { contentKey: `pre_uploaded:story:${saved.id}` }
  expect((await cleo.call('/api/content-favorites', { json: heart })).ok).toBe(true)
  await report(cleo, id, 60)
  await report(emil, id, 25)
  const marksOf = async (who: Browser, path: string) => {
    const html = await (await who.call(path)).text()
    expect(html).toContain('The Ferry at Dusk')
    expect(html).not.toContain('<nocturne-cards')
    return {
      hearts: html.match(/"isFavorite":true/g)?.length ?? 0,
      places: [...html.matchAll(/Left off at ([^<]*)/g)].map(([, place]) => place),
      owner: /data-owner="([^"]*)"/.exec(html)?.[1],
    }
  }
  const visitor = browser(app)
  // Text that looks like the placeholder of the cards stays text.
  const search = `/stories?q=${encodeURIComponent('the" <nocturne-cards></nocturne-cards>')}`
  expect(await (await cleo.call(search)).text()).not.toContain('<nocturne-cards')
  for (const path of ['/stories', '/']) {
    const placesAt = (place: string) => (path === '/stories' ? [place] : [])
    const first = await marksOf(dora, path)
    expect(first).toMatchObject({ hearts: 0, places: [] })
    const own = await marksOf(cleo, path)
    expect(own).toMatchObject({ hearts: 1, places: placesAt('60 %') })
    const other = await marksOf(emil, path)
    expect(other).toMatchObject({ hearts: 0, places: placesAt('25 %') })
    expect(new Set([first.owner, own.owner, other.owner]).size).toBe(3)
    const nobody = { hearts: 0, places: [], owner: '' }
    const people = [dora, cleo, emil, visitor, cleo, emil, dora]
    expect(await Promise.all(people.map((who) => marksOf(who, path)))).toEqual([
      first,
      own,
      other,
      nobody,
      own,
      other,
      first,
    ])
  }
})
