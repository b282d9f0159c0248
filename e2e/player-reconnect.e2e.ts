import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishTestItem } from '#src/testing/app'
import {
  islandsAwake,
  narrateWithTone,
  openMemberPage,
  openSite,
  seeToast,
  stopTimers,
} from '#src/testing/browser'
import {
  pieceBytes,
  play,
  player,
  pressInPlayer,
  readSound,
  sendInPieces,
  slideTo,
  waitUntilAt,
  waitUntilPlaying,
} from '#src/testing/player'
import { until } from '#src/testing/until'

/** Playback that loses its connection, and resumes by itself. */
const site = await openSite({ AGE_GATE: 'off' })
const toneSeconds = 100
const [lantern, orchard] = [
  await publishTestItem(site.services, { title: 'Lantern' }),
  await publishTestItem(site.services, { title: 'Orchard' }),
]
for (const { id } of [lantern, orchard]) await narrateWithTone(site.services, id, toneSeconds)

const waiting = 'Waiting for the connection. Your place is kept.'
const broken = 'This cannot be played right now. Your place is kept.'
const isShown = (page: Page, words: string) => player(page).getByText(words, { exact: true }).waitFor()
const isHidden = (page: Page, words: string) =>
  player(page).getByText(words, { exact: true }).waitFor({ state: 'detached' })

/** The state that the lock screen shows. */
const lockScreen = (page: Page) => page.evaluate(() => navigator.mediaSession.playbackState)

/**
 * Plays Lantern up to a little after 20 seconds. `breakDown` makes the server answer 502 to everything about its audio,
 * `repair` makes it work again. `asked` counts the HEAD requests since.
 */
async function playUntilLoss(page: Page) {
  const connection = { isBroken: false, isAudioBroken: false, asked: 0 }
  const breaks = Promise.withResolvers<void>()
  await sendInPieces(page, async (route, startBytes) => {
    if (startBytes >= pieceBytes * 2) await breaks.promise
    if (!connection.isBroken && !connection.isAudioBroken) return false
    await route.fulfill({ status: 502 })
    return true
  })
  await page.route(`**/api/premium-audio/${lantern.id}/female`, async (route) => {
    if (route.request().method() !== 'HEAD') return route.fallback()
    connection.asked += 1
    if (connection.isBroken) return route.fulfill({ status: 502 })
    await route.continue()
  })
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await slideTo(page, 20)
  await waitUntilAt(page, 20)
  return Object.assign(connection, {
    breakDown(): void {
      Object.assign(connection, { isBroken: true, asked: 0 })
      breaks.resolve()
    },
    repair: () => Object.assign(connection, { isBroken: false, isAudioBroken: false }),
    breakAudioOnly(): void {
      connection.isAudioBroken = true
      breaks.resolve()
    },
  })
}

/** Comes back to the network, and waits until what the page requests for that has left it. */
async function comeBackOnline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    dispatchEvent(new Event('online'))
    await fetch('/help', { method: 'HEAD' })
  })
}

/** Collects the types of the events that the analytics receive, except pages and progress. */
function listEvents(page: Page): string[] {
  const events: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/analytics/events'))
      events.push(
        ...(request.postDataJSON()?.events ?? []).map(({ eventType }: { eventType: string }) => eventType),
      )
  })
  return events
}

/** Does what Firefox does at the end of what is loaded: it sets the time to the duration and fires an end. */
const endLikeFirefox = (page: Page) =>
  page.evaluate((seconds) => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    if (!audio) return
    audio.pause()
    Object.defineProperty(audio, 'currentTime', { value: seconds, configurable: true, writable: true })
    for (const name of ['playing', 'timeupdate', 'pause', 'ended']) audio.dispatchEvent(new Event(name))
  }, toneSeconds)

/** Fails as Firefox does, with a code of MediaError, while the element plays on. */
const failLikeFirefox = (page: Page, code: number) =>
  page.evaluate((code) => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    if (!audio) return
    Object.defineProperty(audio, 'error', { value: { code, message: 'lost' }, configurable: true })
    audio.addEventListener('emptied', () => {
      Reflect.deleteProperty(audio, 'error')
      Reflect.deleteProperty(audio, 'currentTime')
    })
    audio.dispatchEvent(new Event('error'))
  }, code)

test('a server that fails during playback is waited for, reported once, and playback resumes by itself', async () => {
  const { page } = await openMemberPage(site, '/')
  const events = listEvents(page)
  const connection = await playUntilLoss(page)
  connection.breakDown()
  await isShown(page, waiting)
  await player(page).getByRole('button', { name: 'Try Again', exact: true }).waitFor()
  expect(await lockScreen(page)).toBe('paused')
  expect(await player(page).getByRole('alert').count()).toBe(0)
  expect(await page.locator('#announcer').textContent()).toBe(waiting)
  // A few attempts that fail.
  await until(() => connection.asked >= 3)
  connection.repair()
  await waitUntilAt(page, 20)
  await waitUntilPlaying(page, 20)
  await isHidden(page, waiting)
  await pressInPlayer(page, 'Pause')
  await until(() => events.filter((each) => each === 'audio_pause').length === 2)
  expect(events.filter((each) => each === 'error_occurred')).toHaveLength(1)
  expect(events).not.toContain('audio_complete')
})

test('a server that only answers HEAD is tried again with pauses', async () => {
  const { page } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  await stopTimers(page)
  connection.breakAudioOnly()
  await isShown(page, waiting)
  const { asked } = connection
  await page.clock.runFor(1_000)
  await until(() => connection.asked > asked)
  await isShown(page, waiting)
  expect(await lockScreen(page)).toBe('paused')
  connection.repair()
  await until(async () => {
    await page.clock.runFor(2_000)
    return (await lockScreen(page)) === 'playing'
  })
  await waitUntilAt(page, 20)
})

test('Try Again does not wait, and a failed one waits again', async () => {
  const { page } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  await stopTimers(page)
  connection.breakDown()
  await isShown(page, waiting)
  const { asked } = connection
  await pressInPlayer(page, 'Try Again')
  await until(() => connection.asked > asked)
  await isShown(page, waiting)
  connection.repair()
  await pressInPlayer(page, 'Try Again')
  await waitUntilAt(page, 20)
  await isHidden(page, waiting)
})

test('playback resumes at once when the browser is online again', async () => {
  const { page, context } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  await stopTimers(page)
  await context.setOffline(true)
  connection.breakDown()
  await isShown(page, waiting)
  connection.repair()
  await context.setOffline(false)
  await waitUntilAt(page, 20)
  await isHidden(page, waiting)
})

test('a pause ends the waiting, and Play resumes where playback stopped', async () => {
  const { page } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  await stopTimers(page)
  connection.breakDown()
  await isShown(page, waiting)
  await pressInPlayer(page, 'Pause')
  await isHidden(page, waiting)
  expect(await player(page).locator('.player-note').count()).toBe(0)
  connection.repair()
  const { asked } = connection
  await page.clock.runFor('01:00')
  await comeBackOnline(page)
  expect(connection.asked).toBe(asked)
  await pressInPlayer(page, 'Play')
  await waitUntilAt(page, 20)
})

test('another tab that plays ends the waiting', async () => {
  const { page, context } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  connection.breakDown()
  await isShown(page, waiting)
  const other = await context.newPage()
  await other.goto('/')
  await islandsAwake(other)
  await play(other, 'Orchard')
  await isHidden(page, waiting)
  connection.repair()
  const { asked } = connection
  await comeBackOnline(page)
  expect(connection.asked).toBe(asked)
  expect((await readSound(page)).isPaused).toBe(true)
})

test('another item ends the waiting', async () => {
  const { page } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  await stopTimers(page)
  connection.breakDown()
  await isShown(page, waiting)
  connection.repair()
  await play(page, 'Orchard')
  await waitUntilPlaying(page)
  await page.clock.runFor('01:00')
  await comeBackOnline(page)
  await player(page).getByText('Orchard').first().waitFor()
  expect((await readSound(page)).isPaused).toBe(false)
})

test('a page that cannot be loaded does not end the waiting, and the message says that the place is kept', async () => {
  const { page } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  connection.breakDown()
  await isShown(page, waiting)
  await page.route('**/stories', (route) => route.abort())
  await page.getByRole('link', { name: 'Read Stories' }).first().click()
  await seeToast(page, 'Your place is kept. Please try again in a moment.')
  connection.repair()
  await waitUntilPlaying(page, 20)
})

test('leaving quickly ends the waiting', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.route('**/leave', (route) => route.fulfill({ status: 204 }))
  const connection = await playUntilLoss(page)
  await stopTimers(page)
  connection.breakDown()
  await isShown(page, waiting)
  await page.getByRole('link', { name: 'Leave quickly' }).click()
  await page.locator('html[hidden]').waitFor({ state: 'attached' })
  connection.repair()
  const { asked } = connection
  await page.clock.runFor('01:00')
  await comeBackOnline(page)
  expect(connection.asked).toBe(asked)
})

test('the waiting ends after five minutes, and nothing begins to play by itself after that', async () => {
  const { page, context } = await openMemberPage(site, '/')
  const connection = await playUntilLoss(page)
  await stopTimers(page)
  connection.breakDown()
  await isShown(page, waiting)
  await until(async () => {
    await page.clock.runFor(31_000)
    return (await player(page).getByText(broken, { exact: true }).count()) > 0
  })
  expect(connection.asked).toBeLessThanOrEqual(20)
  connection.repair()
  const { asked } = connection
  await context.setOffline(true)
  await context.setOffline(false)
  await page.clock.runFor('01:00')
  expect(connection.asked).toBe(asked)
  await pressInPlayer(page, 'Try Again')
  await waitUntilAt(page, 20)
})

test('the loaded part plays on as in Firefox, and its end is no end of the item', async () => {
  const { page } = await openMemberPage(site, '/')
  const events = listEvents(page)
  const connection = await playUntilLoss(page)
  connection.isBroken = true
  await failLikeFirefox(page, 2)
  const { at } = await readSound(page)
  await waitUntilPlaying(page, at + 2)
  expect(await lockScreen(page)).toBe('playing')
  expect(await player(page).getByText(waiting).count()).toBe(0)
  await endLikeFirefox(page)
  await isShown(page, waiting)
  await player(page)
    .getByText(/^0:[2-5]\d$/)
    .waitFor()
  connection.breakDown()
  connection.repair()
  await waitUntilPlaying(page, at + 1)
  await isHidden(page, waiting)
  await pressInPlayer(page, 'Pause')
  await until(() => events.filter((each) => each === 'audio_pause').length === 2)
  expect(events).not.toContain('audio_complete')
})

test('audio that cannot be decoded is not waited for', async () => {
  const { page } = await openMemberPage(site, '/')
  await playUntilLoss(page)
  await failLikeFirefox(page, 3)
  await isShown(page, broken)
  expect(await player(page).getByText(waiting).count()).toBe(0)
})
