import { afterAll, expect, test } from 'bun:test'
import type { Page, Request, Route } from 'playwright-core'
import { closeBrowser, narrateWithTone, openMemberPage, openPage, openSite } from '#src/browser-testing'
import { publishTestItem } from '#src/testing'

/** The player's rare errors (visitor.md §4, §8): what is said, what is told, and that nobody loses their place. */
const site = await openSite({ AGE_GATE: 'off' })
const toneSeconds = 100
const { id } = await publishTestItem(site.parts, { title: 'Lantern' })
await narrateWithTone(site.parts, id, toneSeconds)
afterAll(closeBrowser)

const broken = 'This cannot be played right now. Your place is kept.'
const waiting = 'The browser waits for a press before it lets this sound.'
const audioAddress = '**/api/premium-audio/*/female'

const player = (page: Page) => page.getByRole('region', { name: 'Player' })
const press = (page: Page, name: string) => player(page).getByRole('button', { name, exact: true }).click()
const play = (page: Page) => page.getByRole('button', { name: 'Play Lantern', exact: true }).first().click()
const isSaid = (page: Page, words: string) => player(page).getByText(words, { exact: true }).waitFor()
const isSaidNoMore = (page: Page, words: string) =>
  player(page).getByText(words, { exact: true }).waitFor({ state: 'detached' })
const waitUntilAt = (page: Page, seconds: number) =>
  page.waitForFunction(
    (from) => {
      const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
      return audio && !audio.paused && audio.currentTime >= from && audio.currentTime < from + 15
    },
    seconds,
    { timeout: 60_000 },
  )

/** Moves to a place, and hears a little from there. */
async function hearFrom(page: Page, seconds: number): Promise<void> {
  await player(page).getByLabel('Position').fill(`${seconds}`)
  await waitUntilAt(page, seconds)
}

type ToldEvent = { eventType: string; contentId?: string; contentType?: string; data?: { context?: string } }
const errorsOf = (request: Request): ToldEvent[] =>
  request.method() === 'POST' && request.url().endsWith('/api/analytics/events')
    ? (request.postDataJSON()?.events ?? []).filter(
        ({ eventType }: ToldEvent) => eventType === 'error_occurred',
      )
    : []

/** What the analytics hear next of an error. Call it before the error, and wait for it after. */
async function nextError(page: Page): Promise<ToldEvent | undefined> {
  const request = await page.waitForRequest((each) => errorsOf(each).length > 0, { timeout: 60_000 })
  return errorsOf(request)[0]
}
const errorOf = (context: string) => ({
  eventType: 'error_occurred',
  contentId: id,
  contentType: 'story',
  data: { error: expect.any(String), context },
})

/** The browser itself refuses to play, once, with an error of this name. */
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

/** The place that the server keeps. */
async function keptPosition(page: Page): Promise<number> {
  const answer = await page.request.get(`/api/analytics/progress/${id}/story`)
  return ((await answer.json()) as { lastPositionSec: number } | null)?.lastPositionSec ?? 0
}

const failures: [string, (route: Route) => Promise<void>][] = [
  ['the server fails', (route) => route.fulfill({ status: 500 })],
  ['nothing answers', (route) => route.abort('connectionfailed')],
]
for (const [name, fail] of failures)
  test(`whether it may be heard cannot be asked, since ${name}: it is said, told, and tried again`, async () => {
    const { page } = await openMemberPage(site, '/')
    await play(page)
    await waitUntilAt(page, 0)
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/api/analytics/progress') && response.ok(),
    )
    await hearFrom(page, 40)
    await saved
    await press(page, 'Stop and close')
    await page.route(audioAddress, (route) =>
      route.request().method() === 'HEAD' ? fail(route) : route.continue(),
    )
    const told = nextError(page)
    await play(page)
    await isSaid(page, broken)
    expect(await told).toMatchObject(errorOf('permission-check-error'))
    await page.unroute(audioAddress)
    await press(page, 'Try Again')
    await waitUntilAt(page, 40)
    await isSaidNoMore(page, broken)
  })

test('a browser that lets nothing sound by itself is told of, and a press goes on', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const refuse = await refusePlays(page)
  await page.goto('/')
  await refuse.once('NotAllowedError')
  const told = nextError(page)
  await play(page)
  await isSaid(page, waiting)
  expect(await told).toMatchObject(errorOf('autoplay-blocked'))
  await player(page).locator('.player-note').getByRole('button', { name: 'Play', exact: true }).click()
  await waitUntilAt(page, 0)
  await isSaidNoMore(page, waiting)
  expect(complaints).toEqual([])
})

test('a play that fails otherwise is an error of its own', async () => {
  const { page } = await openMemberPage(site, '/settings')
  const refuse = await refusePlays(page)
  await page.goto('/')
  await refuse.once('NotSupportedError')
  const told = nextError(page)
  await play(page)
  await isSaid(page, broken)
  expect(await told).toMatchObject(errorOf('play-error'))
  await press(page, 'Try Again')
  await waitUntilAt(page, 0)
})

test('a pause that cannot be ended keeps its place, and trying again goes on from it', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const refuse = await refusePlays(page)
  await page.goto('/')
  await play(page)
  await waitUntilAt(page, 0)
  await hearFrom(page, 50)
  await press(page, 'Pause')
  await refuse.once('InvalidStateError')
  const told = nextError(page)
  await press(page, 'Play')
  await isSaid(page, broken)
  expect(await told).toMatchObject(errorOf('resume-error'))
  await player(page)
    .getByText(/^0:5\d$/)
    .waitFor()
  await press(page, 'Try Again')
  await waitUntilAt(page, 50)
  await isSaidNoMore(page, broken)
  expect(complaints).toEqual([])
})

/** Some nineteen seconds of sound. */
const pieceBytes = 150_000

/** The sound comes piece by piece, so that a failure can meet it in the middle; `fail` says whether it answered. */
async function sendInPieces(
  page: Page,
  fail: (route: Route, startBytes: number) => Promise<boolean>,
): Promise<void> {
  await page.route(audioAddress, async (route) => {
    const request = route.request()
    if (request.method() !== 'GET') return route.continue()
    const start = Number(request.headers().range?.match(/^bytes=(\d+)-/)?.[1] ?? 0)
    if (await fail(route, start)) return
    const headers = { ...request.headers(), range: `bytes=${start}-${start + pieceBytes - 1}` }
    await route.fulfill({ response: await route.fetch({ headers }) })
  })
}

test('a server that fails in the middle is an error of the sound; it goes on from there', async () => {
  const { page } = await openMemberPage(site, '/')
  const breaks = Promise.withResolvers<void>()
  let isBroken = true
  await sendInPieces(page, async (route, startBytes) => {
    if (!isBroken || startBytes < pieceBytes * 2) return false
    await breaks.promise
    await route.fulfill({ status: 502 })
    return true
  })
  await play(page)
  await waitUntilAt(page, 0)
  await hearFrom(page, 20)
  const told = nextError(page)
  breaks.resolve()
  await isSaid(page, broken)
  expect(await told).toMatchObject(errorOf('audio-playback'))
  isBroken = false
  await press(page, 'Try Again')
  await waitUntilAt(page, 20)
  await isSaidNoMore(page, broken)
}, 90_000)

test('a connection that is away for a moment is waited for, without a word', async () => {
  const { page } = await openMemberPage(site, '/')
  let failed = 0
  await sendInPieces(page, async (route, startBytes) => {
    if (startBytes < pieceBytes * 2 || failed > 0) return false
    failed += 1
    await route.abort('connectionreset')
    return true
  })
  await play(page)
  await waitUntilAt(page, 0)
  await hearFrom(page, 70)
  expect(failed).toBe(1)
  expect(await player(page).getByText(broken).count()).toBe(0)
}, 90_000)

test('a place that cannot be saved is warned of in the console, waits, and arrives later', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.route('**/api/analytics/progress', (route) => route.fulfill({ status: 503 }))
  const warned = page.waitForEvent('console', {
    predicate: (message) =>
      message.type() === 'warning' && message.text().startsWith('Progress tracking failed'),
  })
  await play(page)
  await waitUntilAt(page, 0)
  await hearFrom(page, 60)
  await warned
  await page.waitForFunction(() => localStorage.getItem('nocturne.reports')?.includes('"seek"'))
  // Nobody who listens is disturbed by it.
  expect(await player(page).getByText(broken).count()).toBe(0)
  expect(await page.locator('.toast').count()).toBe(0)
  expect(await keptPosition(page)).toBe(0)
  await page.unroute('**/api/analytics/progress')
  await page.reload()
  await page.waitForFunction(() => localStorage.getItem('nocturne.reports') === null)
  expect(await keptPosition(page)).toBeGreaterThanOrEqual(60)
})

test('premium audio asks a visitor to sign in, and tells why', async () => {
  const { page } = await openPage(site)
  await page.goto('/')
  const told = nextError(page)
  await play(page)
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor()
  await isSaid(page, 'This one needs an account. It is free.')
  expect(await told).toMatchObject(errorOf('auth-required'))
})
