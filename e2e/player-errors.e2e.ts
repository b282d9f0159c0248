import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page, Request, Route } from 'playwright-core'
import { memberPassword, publishTestItem } from '#src/testing/app'
import { join, narrateWithTone, openMemberPage, openPage, openSite, seeToast } from '#src/testing/browser'
import {
  pieceBytes,
  play,
  player,
  pressInPlayer,
  sendInPieces,
  slideTo,
  waitUntilAt,
  waitUntilPlaying,
} from '#src/testing/player'

/** The player's rare errors: the message, the event, and that the position is never lost. */
const site = await openSite({ AGE_GATE: 'off' })
const toneSeconds = 100
const { id } = await publishTestItem(site.services, { title: 'Lantern' })
await narrateWithTone(site.services, id, toneSeconds)

/** A site where visitors may hear the beginning of an item. */
const generous = await openSite({ AGE_GATE: 'off', PREVIEW_SECONDS: '4' })
const previewed = await publishTestItem(generous.services, { title: 'Lantern' })
await narrateWithTone(generous.services, previewed.id, toneSeconds)

const broken = 'This cannot be played right now. Your place is kept.'
const waiting = 'Your browser needs a press before it plays sound.'
const audioAddress = '**/api/premium-audio/*/female'

const isShown = (page: Page, words: string) => player(page).getByText(words, { exact: true }).waitFor()
const isHidden = (page: Page, words: string) =>
  player(page).getByText(words, { exact: true }).waitFor({ state: 'detached' })

/** Seeks to a position, and plays a little from there. */
async function hearFrom(page: Page, seconds: number): Promise<void> {
  await slideTo(page, seconds)
  await waitUntilAt(page, seconds)
}

type ReceivedEvent = {
  eventType: string
  contentId?: string
  contentType?: string
  data?: { context?: string }
}
const errorsOf = (request: Request): ReceivedEvent[] =>
  request.method() === 'POST' && request.url().endsWith('/api/analytics/events')
    ? (request.postDataJSON()?.events ?? []).filter(
        ({ eventType }: ReceivedEvent) => eventType === 'error_occurred',
      )
    : []

/** Returns the next error event that the analytics receive. Call it before the error, and await it after. */
async function nextError(page: Page): Promise<ReceivedEvent | undefined> {
  const request = await page.waitForRequest((each) => errorsOf(each).length > 0)
  return errorsOf(request)[0]
}
const errorOf = (context: string) => ({
  eventType: 'error_occurred',
  contentId: id,
  contentType: 'story',
  data: { error: expect.any(String), context },
})

/** Makes the browser itself reject play() once, with an error of this name. */
async function refusePlays(page: Page): Promise<{ once: (name: string) => Promise<void> }> {
  await page.addInitScript(() => {
    const own = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function play() {
      const name = sessionStorage.getItem('test.refusal')
      if (name === null) return own.call(this)
      sessionStorage.removeItem('test.refusal')
      return Promise.reject(new DOMException('Not now.', name))
    }
  })
  return { once: (name) => page.evaluate((each) => sessionStorage.setItem('test.refusal', each), name) }
}

/** Returns the position that the server has stored. */
async function savedPosition(page: Page): Promise<number> {
  const answer = await page.request.get(`/api/analytics/progress/${id}/story`)
  return ((await answer.json()) as { lastPositionSec: number } | null)?.lastPositionSec ?? 0
}

const failures: [string, (route: Route) => Promise<void>][] = [
  ['the server fails', (route) => route.fulfill({ status: 500 })],
  ['nothing answers', (route) => route.abort('connectionfailed')],
]
for (const [name, fail] of failures)
  test(`a permission check that fails because ${name} is shown, reported, and can be tried again`, async () => {
    const { page } = await openMemberPage(site, '/')
    await play(page, 'Lantern')
    await waitUntilAt(page, 0)
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/api/analytics/progress') && response.ok(),
    )
    await hearFrom(page, 40)
    await saved
    await pressInPlayer(page, 'Stop and close')
    await page.route(audioAddress, (route) =>
      route.request().method() === 'HEAD' ? fail(route) : route.continue(),
    )
    const reported = nextError(page)
    await play(page, 'Lantern')
    await isShown(page, broken)
    expect(await reported).toMatchObject(errorOf('permission-check-error'))
    await page.unroute(audioAddress)
    await pressInPlayer(page, 'Try Again')
    await waitUntilAt(page, 40)
    await isHidden(page, broken)
  })

test('blocked autoplay is reported, and pressing Play starts the audio', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const refuse = await refusePlays(page)
  await page.goto('/')
  await refuse.once('NotAllowedError')
  const reported = nextError(page)
  await play(page, 'Lantern')
  await isShown(page, waiting)
  expect(await reported).toMatchObject(errorOf('autoplay-blocked'))
  await player(page).locator('.player-note').getByRole('button', { name: 'Play', exact: true }).click()
  await waitUntilAt(page, 0)
  await isHidden(page, waiting)
  expect(complaints).toEqual([])
})

test('a rejected play() is reported as play-error, and Try Again plays', async () => {
  const { page } = await openMemberPage(site, '/settings')
  const refuse = await refusePlays(page)
  await page.goto('/')
  await refuse.once('NotSupportedError')
  const reported = nextError(page)
  await play(page, 'Lantern')
  await isShown(page, broken)
  expect(await reported).toMatchObject(errorOf('play-error'))
  await pressInPlayer(page, 'Try Again')
  await waitUntilAt(page, 0)
})

test('a failed resume keeps the position, and Try Again resumes there', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const refuse = await refusePlays(page)
  await page.goto('/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await hearFrom(page, 50)
  await pressInPlayer(page, 'Pause')
  await refuse.once('InvalidStateError')
  const reported = nextError(page)
  await pressInPlayer(page, 'Play')
  await isShown(page, broken)
  expect(await reported).toMatchObject(errorOf('resume-error'))
  await player(page)
    .getByText(/^0:5\d$/)
    .waitFor()
  await pressInPlayer(page, 'Try Again')
  await waitUntilAt(page, 50)
  await isHidden(page, broken)
  expect(complaints).toEqual([])
})

test('a session locked during playback asks for the PIN, then resumes at the same position', async () => {
  const { page, context } = await openMemberPage(site, '/')
  const pin = { headers: { 'sec-fetch-site': 'same-origin' }, form: { pin: '2468' } }
  expect((await page.request.post('/settings/pin', pin)).ok()).toBe(true)
  const isLocked = Promise.withResolvers<void>()
  await sendInPieces(page, async (_, startBytes) => {
    if (startBytes >= pieceBytes * 2) await isLocked.promise
    return false
  })
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await hearFrom(page, 20)
  await site.services.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  await context.clearCookies({ name: 'nocturne_open' })
  isLocked.resolve()
  const dialog = page.getByRole('dialog', { name: 'Enter your PIN' })
  await dialog.locator('[name=pin]:focus').waitFor()
  await page.keyboard.type('2468')
  await page.keyboard.press('Enter')
  await waitUntilAt(page, 20)
  await isHidden(page, 'Enter your PIN to continue.')
})

test('a dropped connection is retried without an error message', async () => {
  const { page } = await openMemberPage(site, '/')
  let failed = 0
  await sendInPieces(page, async (route, startBytes) => {
    if (startBytes < pieceBytes * 2 || failed > 0) return false
    failed += 1
    await route.abort('connectionreset')
    return true
  })
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await hearFrom(page, 70)
  expect(failed).toBe(1)
  expect(await player(page).getByText(broken).count()).toBe(0)
})

test('a position that cannot be saved is kept in the browser and sent after a reload', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.route('**/api/analytics/progress', (route) => route.fulfill({ status: 503 }))
  const warned = page.waitForEvent('console', {
    predicate: (message) =>
      message.type() === 'warning' && message.text().startsWith('Progress tracking failed'),
  })
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await hearFrom(page, 60)
  await warned
  await page.waitForFunction(() => localStorage.getItem('nocturne.reports')?.includes('"seek"'))
  // Playback is not interrupted.
  expect(await player(page).getByText(broken).count()).toBe(0)
  expect(await page.locator('.toast').count()).toBe(0)
  expect(await savedPosition(page)).toBe(0)
  await page.unroute('**/api/analytics/progress')
  await page.reload()
  await page.waitForFunction(() => localStorage.getItem('nocturne.reports') === null)
  expect(await savedPosition(page)).toBeGreaterThanOrEqual(60)
})

/** Lists responses that the browser's console shows as errors. */
function listRefused(page: Page): string[] {
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  return refused
}

const reason = 'This one needs an account. It is free.'

test('playing premium audio asks a visitor to join, says why, and sends no request that fails', async () => {
  const { page, complaints } = await openPage(site)
  const refused = listRefused(page)
  await page.goto('/')
  const reported = nextError(page)
  await play(page, 'Lantern')
  const dialog = page.getByRole('dialog', { name: 'Join Nocturne FREE!' })
  await dialog.getByText(reason, { exact: true }).waitFor()
  expect(await page.locator('.toast').count()).toBe(0)
  await player(page).getByText(reason, { exact: true }).waitFor({ state: 'hidden' })
  expect(await reported).toMatchObject(errorOf('auth-required'))
  expect(refused).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await isShown(page, reason)
  await pressInPlayer(page, 'Sign in')
  await dialog.getByText(reason, { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a page opened as a visitor plays after signing in elsewhere', async () => {
  const { page } = await openPage(site)
  await page.goto('/')
  await join(site, page)
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
})

test('a visitor hears a preview, is asked to join, and continues from there after joining', async () => {
  const { page, complaints } = await openPage(generous)
  const refused = listRefused(page)
  await page.goto('/')
  await play(page, 'Lantern')
  await isShown(page, 'The first 4 seconds. The rest is free with an account.')
  const dialog = page.getByRole('dialog', { name: 'Join Nocturne FREE!' })
  await dialog.getByText(reason, { exact: true }).waitFor()
  expect(refused).toEqual([])
  await dialog.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Create Account' }).click()
  await waitUntilAt(page, 4)
  expect(complaints).toEqual([])
})

/** Dismisses the toast, unless its five seconds are over. */
async function dismissToast(page: Page): Promise<void> {
  const toast = page.locator('.toast')
  await toast
    .getByRole('button', { name: 'Dismiss' })
    .evaluateAll((buttons) => buttons.map((button) => button instanceof HTMLElement && button.click()))
  await toast.waitFor({ state: 'detached' })
}

test('a navigation that fails or returns a proxy’s error page does not interrupt playback', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  const link = page.getByRole('link', { name: 'Read Stories' }).first()
  const proxy = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }
  for (const answer of [(route: Route) => route.fulfill(proxy), (route: Route) => route.abort()]) {
    await page.route('**/stories', answer)
    await link.click()
    await seeToast(page, 'Playback continues. Please try again in a moment.')
    await dismissToast(page)
    await page.unroute('**/stories')
  }
  expect(new URL(page.url()).pathname).toBe('/')
  await waitUntilPlaying(page, 0.5)
  await link.click()
  await page.waitForURL('**/stories')
  await pressInPlayer(page, 'Pause')
  await page.route('**/my-content', (route) => route.fulfill(proxy))
  await page.getByRole('link', { name: 'My Content' }).first().click()
  await page.getByText('502 Bad Gateway').waitFor()
})

test('a navigation that fails does not end an item whose audio is loading', async () => {
  const { page } = await openMemberPage(site, '/')
  const loading = Promise.withResolvers<void>()
  await page.route('**/api/premium-audio/**', async (route) => {
    if (route.request().method() === 'GET') await loading.promise
    await route.continue()
  })
  await play(page, 'Lantern')
  await player(page).locator('.player-title').filter({ hasText: 'Lantern' }).waitFor()
  await page.route('**/stories', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await page.getByRole('link', { name: 'Read Stories' }).first().click()
  await seeToast(page, 'Your place is kept. Please try again in a moment.')
  loading.resolve()
  await waitUntilPlaying(page)
  expect(new URL(page.url()).pathname).toBe('/')
})

test('a filter, Back or reload that fails leaves the playback, the list and presses in it unharmed', async () => {
  const { page } = await openMemberPage(site, '/stories')
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await page.waitForURL(({ pathname }) => pathname === '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  const isLost = () => seeToast(page, 'Playback continues. Please try again in a moment.')
  const proxy = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }
  const lost = Promise.withResolvers<void>()
  await page.route(/:\d+\/(stories)?(\?.*)?$/, async (route) => {
    await lost.promise
    await route.fulfill(proxy)
  })
  const categories = page.getByRole('navigation', { name: 'Categories' })
  await categories.getByRole('link', { name: 'Romantic' }).click()
  await page.getByRole('main').locator('.skeleton').first().waitFor()
  lost.resolve()
  await isLost()
  await dismissToast(page)
  await page.getByRole('main').locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate(() => history.back())
  await isLost()
  expect(new URL(page.url()).pathname).toBe('/')
  await dismissToast(page)
  await page.evaluate(() =>
    document.dispatchEvent(
      new CustomEvent('nocturne:visit', { detail: { url: location.href, isReload: true }, cancelable: true }),
    ),
  )
  const heart = page.getByRole('main').locator('.favourite').first()
  await heart.click()
  await heart.and(page.locator('[aria-pressed=true]')).waitFor()
  await page.unrouteAll()
  await waitUntilPlaying(page, 0.5)
  await page.evaluate(() => history.back())
  await page.waitForURL('**/stories')
  await waitUntilPlaying(page, 0.5)
})
