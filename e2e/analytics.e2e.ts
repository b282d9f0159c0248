import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { memberPassword, publishTestItem } from '#src/testing/app'
import { narrateWithTone, openPage, openSite } from '#src/testing/browser'
import { until } from '#src/testing/until'

/** Each event (docs/behaviour/analytics.md) with its data, in the page's data layer and in the database. */
const site = await openSite()
const asking = await openSite({ CONSENT_DEFAULT: 'ask' })
const { db } = site.services
const toneSeconds = 40
let story = { id: '', slug: '' }
let flow = { id: '', slug: '' }

beforeAll(async () => {
  story = await publishTestItem(site.services, {
    title: 'The Night Ferry',
    content: `${'Dark water all around. '.repeat(30)}\n\n`.repeat(20),
  })
  flow = await publishTestItem(site.services, { title: 'Slow Breathing', type: 'flow', isFree: true })
  await narrateWithTone(site.services, flow.id, toneSeconds)
  await publishTestItem(asking.services, { title: 'The Night Ferry' })
})

type Row = {
  event_type: string
  content_type: string | null
  content_id: string | null
  position_sec: number | null
  total_sec: number | null
  delta_ms: number
  page: string
  meta: object | null
  user_id: string | null
  session_id: string | null
  copies: number
}

/** Waits until an event of this type is in the database, of one person if `person` is given. */
async function arrived(eventType: string, page: Page): Promise<Row> {
  return until(async () => {
    const [row] = await db.execute<Row>(sql`
      select event_type, content_type, content_id, position_sec, total_sec, delta_ms, page, meta, user_id::text, session_id
      from analytics_events where event_type = ${eventType} and session_id = ${await sessionOf(page)} order by timestamp desc limit 1`)
    return row
  })
}

const sessionOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('nocturne.session') ?? '')
const layer = (page: Page) => page.evaluate(() => window.dataLayer ?? [])
const heard = async (page: Page, event: string) =>
  (await layer(page)).filter((each) => 'event' in each && each.event === event)
const waitUntilHeard = (page: Page, event: string) =>
  page.waitForFunction(
    (name) => (window.dataLayer ?? []).some((each) => 'event' in each && each.event === name),
    event,
  )

test('a search filtered while typing records one event, with the final query', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  // Typed within the page, because each text has to follow the results of the one before it within 1.5 s.
  await page.getByLabel('Search stories').evaluate(async (field: HTMLInputElement) => {
    field.focus()
    for (const words of ['fe', 'ferr', 'ferry']) {
      const shown = new Promise((resolve) =>
        document.addEventListener('nocturne:navigated', resolve, { once: true }),
      )
      field.value = words
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await shown
    }
  })
  await arrived('search_performed', page)
  const rows = await db.execute<{ event_type: string; query: string | null }>(sql`
    select event_type, meta ->> 'query' as query from analytics_events
    where event_type in ('page_view', 'search_performed') and session_id = ${await sessionOf(page)} order by event_type`)
  expect([...rows]).toEqual([
    { event_type: 'page_view', query: null },
    { event_type: 'search_performed', query: 'ferry' },
  ])
  expect(complaints).toEqual([])
})

test('page views, searches and reading record events with their data', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  expect(await arrived('page_view', page)).toMatchObject({
    content_type: 'page',
    page: '/stories',
    meta: { path: '/stories' },
  })
  expect(await heard(page, 'identify')).toEqual([{ event: 'identify', userId: null, isAnonymous: true }])
  await waitUntilHeard(page, 'content_view')

  await page.getByLabel('Search stories').fill('zeppelin')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No stories found' }).waitFor()
  expect(await arrived('search_performed', page)).toMatchObject({
    content_type: 'search',
    meta: { query: 'zeppelin', resultsCount: 0 },
  })

  await page.getByRole('link', { name: 'Clear Filters' }).first().click()
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).click()
  const reader = page.locator('dialog.reader[open]')
  await reader.getByRole('heading', { name: 'The Night Ferry' }).waitFor()
  const about = { content_type: 'story', content_id: story.id, meta: { title: 'The Night Ferry' } }
  expect(await arrived('read_start', page)).toMatchObject(about)
  await waitUntilHeard(page, 'content_open')
  await reader.locator('.story-text p').last().scrollIntoViewIfNeeded()
  const complete = await arrived('read_complete', page)
  expect(complete).toMatchObject(about)
  expect(complete.delta_ms).toBeGreaterThanOrEqual(0)
  expect((complete.position_sec ?? 0) / (complete.total_sec ?? 1)).toBeGreaterThanOrEqual(0.9)
  for (const name of ['content_milestone', 'scroll_depth'])
    expect((await heard(page, name)).map((each) => ('percent' in each ? each.percent : null))).toEqual([
      25, 50, 75,
    ])
  expect(await heard(page, 'content_read')).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('playing, pausing, resuming and completing record events with their data', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/?type=flow')
  await page
    .locator('article.card')
    .filter({ hasText: 'Slow Breathing' })
    .getByRole('button', { name: /^Play/ })
    .click()
  await page.waitForFunction(() =>
    Array.from(document.querySelectorAll('audio')).some((each) => each.currentTime > 0.2),
  )
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  const about = {
    content_type: 'flow',
    content_id: flow.id,
    meta: { title: 'Slow Breathing', voice: 'female' },
  }
  expect(await arrived('audio_play', page)).toMatchObject(about)
  await waitUntilHeard(page, 'content_play')
  expect(await arrived('audio_progress', page)).toMatchObject(about)
  await page.evaluate(() => document.querySelector('audio')?.pause())
  expect(await arrived('audio_pause', page)).toMatchObject(about)
  await waitUntilHeard(page, 'content_pause')
  await page.evaluate(() => {
    const audio = document.querySelector('audio')
    if (!audio) throw new Error('There is no audio.')
    audio.currentTime = audio.duration - 2
    return audio.play()
  })
  const complete = await arrived('audio_complete', page)
  expect(complete).toMatchObject(about)
  expect(complete.total_sec).toBeCloseTo(toneSeconds, 0)
  expect(
    (await heard(page, 'content_milestone')).map((each) => ('percent' in each ? each.percent : null)),
  ).toEqual([25, 50, 75])
  expect(await heard(page, 'content_complete')).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('sharing, joining and favourites record events, and signing out makes the visitor anonymous', async () => {
  const { page, context } = await openPage(site)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/story/${story.slug}`)
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  await page.getByRole('button', { name: /share/i }).first().click()
  expect(await arrived('story_shared', page)).toMatchObject({
    content_id: story.id,
    content_type: 'story',
    meta: { shareMethod: 'copy' },
  })

  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await page.getByRole('dialog', { name: 'Welcome Back!' }).getByRole('link', { name: 'Join free' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join Nocturne FREE!' })
  await dialog.getByLabel('Email').fill('mara@example.com')
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Create Account' }).click()
  const joined = await arrived('user_register', page)
  expect(joined).toMatchObject({ content_type: 'auth', meta: { method: 'email' } })
  expect(joined.user_id).toEqual(expect.any(String))
  await waitUntilHeard(page, 'identify')
  await page.waitForFunction(
    (id) => (window.dataLayer ?? []).some((each) => 'userId' in each && each.userId === id),
    joined.user_id,
  )

  await page.locator('article.card .favourite').first().click()
  expect(await arrived('story_favorited', page)).toMatchObject({
    content_id: expect.any(String),
    content_type: 'story',
    user_id: joined.user_id,
  })

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForFunction(() =>
    (window.dataLayer ?? []).some((each) => 'event' in each && each.event === 'reset'),
  )
  expect((await layer(page)).filter((each) => 'event' in each && each.event === 'identify')).toEqual([
    { event: 'identify', userId: null, isAnonymous: true },
  ])
})

test('a narration that cannot be played records an error event with its context', async () => {
  const { page } = await openPage(site)
  await page.route('**/api/premium-audio/**', (route) => route.fulfill({ status: 403, body: '{}' }))
  await page.goto('/?type=flow')
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  await page
    .locator('article.card')
    .filter({ hasText: 'Slow Breathing' })
    .getByRole('button', { name: /^Play/ })
    .click()
  const { meta } = await arrived('error_occurred', page)
  expect(meta).toMatchObject({
    context: expect.stringMatching(/auth-required|audio-playback|play-error/),
    error: expect.any(String),
  })
})

test('events recorded offline survive a navigation and are sent once', async () => {
  const { page, context } = await openPage(site)
  await page.goto('/stories')
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  await arrived('page_view', page)
  const sessionId = await sessionOf(page)
  const count = async () =>
    Number(
      (
        await db.execute<{ n: number }>(
          sql`select count(*) as n from analytics_events where session_id = ${sessionId}`,
        )
      )[0]?.n,
    )
  const before = await count()
  await context.setOffline(true)
  for (let n = 0; n < 12; n += 1)
    await page.evaluate(
      (at) =>
        window.nocturneSink?.('search_performed', { data: { query: `offline ${at}`, resultsCount: 1 } }),
      n,
    )
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((name) => name.startsWith('nocturne.events.')),
  )
  await context.setOffline(false)
  await page.goto('/')
  await until(async () => (await count()) >= before + 13)
  expect(await count()).toBe(before + 13)
})

test('an event recorded while leaving the page is sent beside a batch in flight', async () => {
  const { page } = await openPage(site)
  await page.goto('/stories')
  await arrived('page_view', page)
  const sessionId = await sessionOf(page)
  await page.evaluate(() => {
    // Simulates a browser that does not report the page as hidden when it is left, and a connection that does not
    // answer.
    addEventListener('visibilitychange', (event) => event.stopImmediatePropagation(), { capture: true })
    Object.assign(window, { fetch: () => new Promise(() => {}) })
    const search = (query: string) =>
      window.nocturneSink?.('search_performed', { data: { query, resultsCount: 1 } })
    for (let n = 0; n < 10; n += 1) search(`under way ${n}`)
    addEventListener('pagehide', () => search('leaving'))
  })
  await page.goto('about:blank')
  const words = () =>
    db.execute<{ query: string }>(
      sql`select meta->>'query' as query from analytics_events where session_id = ${sessionId} and event_type = 'search_performed'`,
    )
  await until(async () => (await words()).length === 11)
  expect((await words()).map(({ query }) => query)).toContain('leaving')
})

test.each([
  ['DNT', { dnt: '1' }, 'doNotTrack', '1'],
  ['Global Privacy Control', { 'sec-gpc': '1' }, 'globalPrivacyControl', true],
] as const)('with %s no events are sent and no session is opened', async (_, headers, name, value) => {
  const { page, context } = await openPage(site, { extraHTTPHeaders: headers })
  await context.addInitScript(
    ([property, answer]) => Object.defineProperty(navigator, property, { get: () => answer }),
    [name, value] as const,
  )
  const sent: string[] = []
  page.on('request', (request) => {
    if (/analytics\/(session|events)/.test(request.url())) sent.push(request.url())
  })
  await page.goto('/stories')
  await page.waitForFunction(() =>
    (window.dataLayer ?? []).some((each) => 'event' in each && each.event === 'page_view'),
  )
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(sent).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('nocturne.consent'))).toBe(null)
})

test('nothing is tracked before consent where the site asks, and the privacy page can withdraw it', async () => {
  const { page, complaints } = await openPage(asking)
  const sent: string[] = []
  page.on('request', (request) => {
    if (/analytics\/(session|events)/.test(request.url())) sent.push(request.postData() ?? '')
  })
  await page.goto('/stories')
  const notice = page.getByRole('region', { name: 'Counting visits' })
  await notice.waitFor()
  expect(sent).toEqual([])
  await notice.getByRole('button', { name: 'Agree' }).click()
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  await notice.waitFor({ state: 'detached' })
  await page.goto('/privacy')
  expect(await notice.count()).toBe(0)
  await page.getByText('Your visits are counted, as described above.').waitFor()
  await page.getByRole('button', { name: 'Do not count my visits' }).click()
  await page.getByText('Your visits are not counted.').waitFor()
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session') === null)
  expect(
    await page.evaluate(() =>
      Object.keys(localStorage).filter((name) => name.startsWith('nocturne.events.')),
    ),
  ).toEqual([])
  const sentBefore = sent.length
  await page.getByRole('link', { name: 'Read Stories' }).first().click()
  await page.getByRole('heading', { name: 'Read Stories' }).waitFor()
  expect(sent.slice(sentBefore).filter((body) => !body.includes('"consent":false'))).toEqual([])
  await page.goto('/privacy')
  await page.getByRole('button', { name: 'Count my visits' }).click()
  await page.waitForFunction(() => sessionStorage.getItem('nocturne.session'))
  expect(complaints).toEqual([])
})
