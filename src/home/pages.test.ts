import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { libraryChanged } from '#src/story/library-changed'
import { type Browser, browser, markupOf, memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { addViews } from '#src/trending/testing'
import { dayWords, greetingAt } from '#src/ui/local-time'
import { textAround } from './text-around'

const { app, services } = await testApp()
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const home = async (who: Browser) => markupOf(await who.call('/home'))
const stopAt = (who: Browser, contentId: string, lastPositionSec: number, more = {}) =>
  who.call('/api/analytics/progress', {
    json: { contentId, contentType: 'story', lastPositionSec, totalSec: 100, ...more },
  })

test('visitors see new items until there are views, then popular ones, and the sign-up', async () => {
  const item = await publishTestItem(services, { title: 'The Ferry' })
  const before = await home(browser(app))
  expect(before).toContain('On the shelf tonight')
  expect(before).toContain('The Ferry')
  await addViews(db, item.id, 3)
  const after = await home(browser(app, '10.0.0.9'))
  for (const words of ['Sign Up Free', '3 of 3 free stories are left without one.'])
    expect(after).toContain(words)
  for (const title of ['The Pier', 'The Quay'])
    await addViews(db, (await publishTestItem(services, { title })).id, 3)
  await until(async () => (await home(browser(app))).includes('id="popular">Popular tonight'))
  const reader = browser(app, '10.0.0.11')
  for (const path of ['/story/the-pier', '/story/the-quay']) await reader.call(path)
  expect(await home(reader)).toContain('1 of 3 free stories is left without one.')
  expect(await home(ana)).toContain('3 views')
})

test('a member who has begun nothing sees an empty state and new items', async () => {
  const page = await home(ben)
  expect(page).toContain('Nothing started yet')
  expect(page).toContain('New on the shelf')
})

test('begun items are listed newest first, with the interrupted sentence', async () => {
  const [one, two] = [
    await publishTestItem(services, {
      title: 'First',
      content: 'She waited. Then he came. They sat down. It rained.',
    }),
    await publishTestItem(services, { title: 'Second' }),
  ]
  await stopAt(ana, two.id, 30)
  await stopAt(ana, one.id, 45)
  const page = await home(ana)
  expect(page).toMatch(/class="resume".*First.*She waited\. Then he came\..*Also started.*Second/s)
  expect(await home(ben)).not.toContain('class="resume"')

  await stopAt(ana, one.id, 100, { completed: true })
  expect(await home(ana)).toMatch(/class="resume".*Second/s)
  await db.update(stories).set({ status: 'removed' }).where(eq(stories.id, two.id))
  expect(await home(ana)).toContain('Nothing started yet')
})

test('new items are those since the previous visit, and a visit lasts some hours', async () => {
  const cleo = await memberBrowser(app, 'cleo@example.com')
  expect(await home(cleo)).toContain('New on the shelf')
  const yesterday = Date.now() - 24 * 3_600_000
  cleo.jar.set('nocturne_evening', `0000000000000.${yesterday}`)
  await publishTestItem(services, { title: 'Since yesterday' })
  for (let look = 0; look < 2; look += 1) {
    const page = await home(cleo)
    expect(page).toMatch(/New since <time dateTime="[^"]+" data-local="day">yesterday</)
    expect(page).toContain('Since yesterday')
  }
  cleo.jar.set('nocturne_evening', `0000000000000.${Date.now() - 4 * 3_600_000}`)
  await db.update(stories).set({ publishedAt: new Date(yesterday) })
  await libraryChanged(db)
  expect(await home(cleo)).not.toContain('New since')
  for (const forged of ['x', '9999999999999.9999999999999', '1.2', "0000000000000.' or 1"]) {
    cleo.jar.set('nocturne_evening', forged)
    expect((await cleo.call('/home')).status).toBe(200)
  }
})

test('the story generator page is a teaser without a form', async () => {
  const page = await markupOf(await browser(app).call('/story-generator'))
  expect(page).toContain('Coming Soon')
  expect(page.match(/<main.*<\/main>/s)?.[0]).not.toMatch(/<(form|textarea)/)
})

test.each([
  ['', 0.5, ''],
  ['One line.', 0, 'One line.'],
  ['One line.', 1, 'One line.'],
  ['She waited. He came.', 0.3, 'She waited.'],
  ['“Come in.” He came.', 0.2, '“Come in.”'],
  ['no end to it and no stop', 0.5, 'no end to it…'],
  [
    `${'The rain went on. '.repeat(8)}“What is it?” “Waiting, with the lamp turned low and the door ajar, for whoever comes up from the harbour.” He sat.`,
    0.95,
    '“What is it?” “Waiting, with the lamp turned low and the door ajar, for whoever comes up from the harbour.”',
  ],
  [
    `${'and on it went '.repeat(20)}. Then it ended.`,
    0.5,
    '…it went and on it went and on it went and on it went and on it went and on it went and on it went and on it…',
  ],
])('textAround(%p, %p) is %p', (text, share, words) => {
  expect(textAround(text, share)).toBe(words)
})

test.each([
  ['2026-11-21T23:30:00Z', 'UTC', 'earlier today'],
  ['2026-11-21T23:30:00Z', 'Asia/Tokyo', 'yesterday'],
  ['2026-11-20T12:00:00Z', 'UTC', 'yesterday'],
  ['2026-11-17T12:00:00Z', 'UTC', 'Tuesday'],
  ['2026-11-14T12:00:00Z', 'UTC', '14 Nov'],
])('on a Saturday night %p in %s is shown as %p', (date, zone, words) => {
  const now = new Date(zone === 'UTC' ? '2026-11-21T23:59:00Z' : '2026-11-22T16:00:00Z')
  expect(dayWords(new Date(date), now, zone)).toBe(words)
})

test('the greeting follows the hour', () => {
  expect([4, 5, 11, 12, 17, 18, 23].map(greetingAt)).toEqual([
    'Good evening',
    'Good morning',
    'Good morning',
    'Good afternoon',
    'Good afternoon',
    'Good evening',
    'Good evening',
  ])
})

test('a long excerpt is cut before a word, to two lines', () => {
  const words = textAround('The sea was calm and the harbour was full of light, '.repeat(80), 0.5)
  expect(words).toStartWith('…')
  expect(words).toEndWith('light,…')
  expect(words.length).toBeLessThanOrEqual(111)
})
