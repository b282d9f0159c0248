import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { analyticsEvents, playbackSessions, trackingSessions } from '#db/schema'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { event, listening, sendEvents } from './testing'

const { app, services } = await testApp()
const { db } = services
const story = await publishTestItem(services, { title: 'The Lamp', categories: ['romantic', 'gay'] })
await publishTestItem(services, { title: 'The Ferry', categories: ['bdsm'] })
const operator = await operatorBrowser(app)

const rowsOf = (id: string) =>
  db.execute<{
    anon_id: string
    user_id: string | null
    session_id: string | null
    page: string
    meta: object | null
  }>(sql`select anon_id, user_id::text, session_id, page, meta from analytics_events where id = ${id}::uuid`)
const reads = [
  'summary',
  'behavior',
  'realtime',
  'content',
  'content-trends',
  'searches',
  'conversion',
  'export?figure=conversion',
]

describe('POST /api/analytics/session', () => {
  test('opens a session with consent, and a heartbeat extends it', async () => {
    const visitor = browser(app)
    const opened = await visitor.json('/api/analytics/session', {
      json: {
        consent: true,
        timestamp: new Date().toISOString(),
        referrer: 'https://elsewhere.example/a/b?c',
        utm: { source: 'mail' },
      },
      headers: { 'accept-language': 'de-CH,de;q=0.9', 'user-agent': 'Mozilla/5.0' },
    })
    expect(opened).toEqual({ sessionId: expect.any(String), userId: null })
    const again = await visitor.json('/api/analytics/session', {
      json: { sessionId: opened.sessionId, lastSeen: new Date().toISOString() },
    })
    expect(again.sessionId).toBe(opened.sessionId)
    const [row] = await db.select().from(trackingSessions).where(sql`session_id = ${opened.sessionId}`)
    expect(row).toMatchObject({
      consent: true,
      dnt: false,
      locale: 'de-CH',
      referrer: 'https://elsewhere.example',
      utm: { source: 'mail' },
    })
    expect(row?.ipHash).not.toContain('127.0.0.1')
  })

  test('opens a new session when another visitor sends its id', async () => {
    const { sessionId } = await browser(app).json('/api/analytics/session', { json: { consent: true } })
    const stranger = await browser(app).json('/api/analytics/session', {
      json: { sessionId, lastSeen: 'now' },
    })
    expect(stranger.sessionId).not.toBe(sessionId)
  })

  test('stores nothing and returns no id without consent, with DNT or GPC, and for bots', async () => {
    const before = await db.$count(trackingSessions)
    for (const headers of [{ dnt: '1' }, { 'sec-gpc': '1' }, { 'user-agent': 'Googlebot/2.1' }] as Record<
      string,
      string
    >[]) {
      const visitor = browser(app)
      expect(await visitor.json('/api/analytics/session', { json: { consent: true }, headers })).toEqual({
        sessionId: null,
        userId: null,
      })
      expect(visitor.jar.has('nocturne_tracking')).toBe(false)
    }
    const declining = browser(app)
    expect(await declining.json('/api/analytics/session', { json: { consent: false } })).toEqual({
      sessionId: null,
      userId: null,
    })
    expect(await db.$count(trackingSessions)).toBe(before)
  })
})

test('sessions, events and plays of operators are not counted', async () => {
  const ada = await operatorBrowser(app)
  const before = await db.$count(trackingSessions)
  expect(await ada.json('/api/analytics/session', { json: { consent: true } })).toMatchObject({
    sessionId: null,
  })
  expect(await db.$count(trackingSessions)).toBe(before)
  expect(await ada.json('/api/analytics/events', { json: { events: [event(), event()] } })).toEqual({
    accepted: 0,
    duplicates: 0,
    dropped: { operator: 2 },
  })
  const played = {
    contentId: story.id,
    contentType: 'story',
    lastPositionSec: 60,
    totalSec: 60,
    completed: true,
  }
  expect((await ada.json('/api/analytics/progress', { json: played })).success).toBe(true)
  expect(await db.$count(playbackSessions)).toBe(0)
  const visitor = browser(app)
  await visitor.json('/api/analytics/progress', { json: played })
  expect(await db.$count(playbackSessions)).toBe(1)
})

describe('POST /api/analytics/events', () => {
  test('stores an event under the visitor’s session, and its page without the query string', async () => {
    const visitor = browser(app)
    const sent = event({
      eventType: 'search_performed',
      contentType: 'search',
      page: '/stories?q=secret',
      data: { query: 'moon', resultsCount: 0 },
    })
    expect(await sendEvents(visitor, [sent])).toEqual({ accepted: 1, duplicates: 0, dropped: {} })
    const [row] = await rowsOf(sent.id ?? '')
    expect(row).toMatchObject({ user_id: null, page: '/stories', meta: { query: 'moon', resultsCount: 0 } })
    expect(row?.session_id).toEqual(expect.any(String))
  })

  test('counts a retried batch once, with or without ids from the sender', async () => {
    const visitor = browser(app)
    const { id: _, ...nameless } = event({ data: { page: '/' } })
    const batch = [event(), nameless]
    expect(await sendEvents(visitor, batch)).toEqual({ accepted: 2, duplicates: 0, dropped: {} })
    expect(await sendEvents(visitor, [...batch, batch[0]])).toEqual({
      accepted: 0,
      duplicates: 3,
      dropped: {},
    })
  })

  test('counts concurrent copies of a batch once per visitor', async () => {
    const visitor = browser(app)
    const batch = [event()]
    await sendEvents(visitor, [])
    const answers = await Promise.all([1, 2, 3].map(() => sendEvents(visitor, batch)))
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1)
    expect((await sendEvents(browser(app), batch)).accepted).toBe(1)
  })

  test('takes the member from the session, not from the event', async () => {
    const member = await memberBrowser(app, 'ana@example.com', '10.1.0.1')
    const { id } = member
    const sent = { ...event(), userId: crypto.randomUUID(), anonId: 'somebody' }
    await sendEvents(member, [sent])
    const [row] = await rowsOf(sent.id ?? '')
    expect(row?.user_id).toBe(id)
    expect(row?.anon_id).not.toBe('somebody')
  })

  test.each([
    ['dnt', { dnt: '1' }],
    ['gpc', { 'sec-gpc': '1' }],
    ['bot', { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0)' }],
  ] as [string, Record<string, string>][])(
    'drops the events of a sender with %s and counts them by that reason',
    async (reason, headers) => {
      const before = await db.$count(analyticsEvents)
      expect(
        await browser(app).json('/api/analytics/events', { json: { events: [event(), event()] }, headers }),
      ).toEqual({
        accepted: 0,
        duplicates: 0,
        dropped: { [reason]: 2 },
      })
      expect(await db.$count(analyticsEvents)).toBe(before)
    },
  )

  test('stores no events after consent is withdrawn, until it is given again', async () => {
    const visitor = browser(app)
    await sendEvents(visitor, [event()])
    await visitor.call('/api/analytics/session', { json: { consent: false } })
    const refused = await visitor.json('/api/analytics/events', { json: { events: [event()] } })
    expect(refused.dropped).toEqual({ consent: 1 })
    expect((await sendEvents(visitor, [event()])).accepted).toBe(1)
  })

  test('counts invalid events by reason and still accepts the valid ones of the batch', async () => {
    const { dropped, accepted } = await sendEvents(browser(app), [
      event(),
      { ...event(), eventType: 'made_up' },
      { ...event(), timestamp: 'yesterday' },
      { ...event(), data: { text: 'x'.repeat(2_049) } },
      { ...event(), data: { text: 'a\0b' } },
      { ...event(), data: { text: '\ud800' } },
      { ...event(), contentType: 'story', contentId: 'no-id' },
      { ...event(), positionSec: -1 },
      event({ minutesAgo: -10 }),
      event({ minutesAgo: 8 * 24 * 60 }),
      null,
      7,
      'text',
      [],
    ])
    expect({ dropped, accepted }).toEqual({ accepted: 1, dropped: { invalid: 12, too_old: 1 } })
  })

  test('rejects more than 50 events with 422 and more than 64 KB with 413', async () => {
    const many = { events: Array.from({ length: 51 }, () => event()) }
    expect((await browser(app).call('/api/analytics/events', { json: many })).status).toBe(422)
    const large = { events: Array.from({ length: 50 }, () => event({ data: { text: 'x'.repeat(1_500) } })) }
    expect((await browser(app).call('/api/analytics/events', { json: large })).status).toBe(413)
  })

  test('rate-limits one address and counts its dropped events', async () => {
    const flood = browser(app, '10.9.9.9')
    let limited = 0
    for (let sent = 0; sent < 130; sent += 1) {
      const { dropped } = await flood.json('/api/analytics/events', {
        json: { events: Array.from({ length: 50 }, () => event()) },
      })
      limited += dropped.rate_limited ?? 0
      if (limited > 0) break
    }
    expect(limited).toBeGreaterThan(0)
  })
})

describe('operator analytics endpoints', () => {
  test('reject visitors, members, unknown periods and unknown categories', async () => {
    const member = await memberBrowser(app, 'reader@example.com', '10.1.0.2')
    for (const name of [...reads, `retention/${story.id}`]) {
      expect((await browser(app).call(`/api/analytics/${name}`)).status).toBe(401)
      expect((await member.call(`/api/analytics/${name}`)).status).toBe(401)
      expect((await operator.call(`/api/analytics/${name}`)).status).toBe(200)
    }
    for (const days of ['2', '0', '366', 'x', '7.5'])
      expect((await operator.call(`/api/analytics/summary?days=${days}`)).status).toBe(422)
    expect((await operator.call('/api/analytics/content?category=unknown')).status).toBe(422)
  })
})

test('today’s views, listeners, milestones, engagement and last two minutes are live, by category', async () => {
  const fresh = await testApp()
  const item = await publishTestItem(fresh.services, { title: 'The Lamp', categories: ['romantic', 'gay'] })
  const second = await publishTestItem(fresh.services, { title: 'The Ferry', categories: ['bdsm'] })
  const ada = await operatorBrowser(fresh.app)
  const [one, two, three] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => browser(fresh.app, address))
  if (!one || !two || !three) throw new Error('unreachable')
  await sendEvents(one, [...listening(item.id, 1), ...listening(item.id, 0.6)])
  await sendEvents(two, listening(item.id, 0.3))
  await sendEvents(three, [
    event({
      eventType: 'read_start',
      contentId: second.id,
      contentType: 'story',
      positionSec: 0,
      totalSec: 100,
    }),
    event({
      eventType: 'read_complete',
      contentId: second.id,
      contentType: 'story',
      positionSec: 95,
      totalSec: 100,
      minutesAgo: 0.2,
    }),
    event({
      eventType: 'search_performed',
      contentType: 'search',
      data: { query: ' The  MOON ', resultsCount: 0 },
    }),
  ])
  expect(await ada.json('/api/analytics/summary?days=1')).toEqual({
    totalUsers: 3,
    activeUsers: 3,
    sessionsPerUser: 1,
    totalContentViews: 3,
    totalAudioPlays: 2,
    totalStoriesRead: 1,
    avgSessionDuration: expect.any(Number),
    avgCompletionRate: 66.7,
    totalSessions: 3,
    totalEvents: 10,
  })
  expect(await ada.json('/api/analytics/summary?days=7&category=gay')).toMatchObject({
    totalUsers: 2,
    totalContentViews: 2,
    totalEvents: 7,
  })
  const content = await ada.json('/api/analytics/content?days=365')
  expect(content).toHaveLength(2)
  expect(content[0]).toEqual({
    contentId: item.id,
    contentTitle: 'The Lamp',
    category: 'romantic',
    rating: 0,
    totalViews: 2,
    totalCompletions: 1,
    uniqueListeners: 2,
    favoritesCount: 0,
    avgEngagementTime: expect.any(Number),
    completed25: 2,
    completed50: 1,
    completed75: 1,
    completed100: 1,
  })
  expect(await ada.json('/api/analytics/content?category=bdsm')).toMatchObject([
    { contentTitle: 'The Ferry', category: 'bdsm' },
  ])
  const behavior = await ada.json('/api/analytics/behavior?days=7')
  expect(behavior.dailyActiveUsers).toHaveLength(7)
  expect(behavior.dailyActiveUsers.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), count: 3 })
  expect(
    behavior.sessionDurations.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
  ).toBe(3)
  expect(behavior.topEvents[0]).toEqual({ eventType: 'audio_play', count: 3 })
  const realtime = await ada.json('/api/analytics/realtime')
  expect(realtime.currentActiveUsers).toBe(3)
  expect(realtime.recentEvents).toHaveLength(8)
  expect(realtime.activeContent).toContainEqual({
    contentTitle: 'The Ferry',
    contentType: 'story',
    eventType: 'read_complete',
    activeUsers: 1,
  })
  const trends = await ada.json('/api/analytics/content-trends?days=30')
  expect(trends.days).toHaveLength(30)
  expect(trends.items[0]).toEqual({
    contentId: item.id,
    contentTitle: 'The Lamp',
    views: 2,
    previousViews: 0,
  })
  expect(await ada.json('/api/analytics/searches')).toEqual([
    { query: 'the moon', searches: 1, withoutResult: 1 },
  ])
  const retention = await ada.json(`/api/analytics/retention/${item.id}`)
  expect(retention.curve.map(({ count }: { count: number }) => count)).toEqual([
    2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1,
  ])
  expect(retention.curve.at(-1).second / retention.curve.at(1).second).toBe(10)
  expect(retention.startPages).toEqual([{ page: '/stories', starts: 3 }])
  const exported = async (query: string) =>
    (await (await ada.call(`/api/analytics/export?figure=${query}`)).text()).trim().split('\r\n')
  expect(await exported('searches')).toContain('"the moon","1","1"')
  expect(await exported(`retention&item=${item.id}`)).toHaveLength(12)
  expect(await exported(`starts&item=${item.id}`)).toContain('"/stories","3"')
  expect(await exported('conversion')).toHaveLength(2)
  expect((await ada.call('/api/analytics/export?figure=retention')).status).toBe(422)
  const page = async (query: string) => (await ada.call(`/analytics?${query}`)).text()
  expect(await page('tab=behavior')).toMatch(/Searches without a result.*the moon.*From preview to account/s)
  expect(await page(`tab=content&item=${item.id}`)).toMatch(
    /Where people stop: The Lamp.*Of 2 views, 1 came to the end.*Where listening begins/s,
  )

  // The next read includes one more event. If updating the rollups was slow, only a later read does.
  await sendEvents(two, [event()])
  const totalEvents = async () => (await ada.json('/api/analytics/summary?days=1')).totalEvents
  await until(async () => (await totalEvents()) !== 10)
  expect(await totalEvents()).toBe(11)
})
