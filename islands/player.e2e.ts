import { afterAll, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  closeBrowser,
  findBarriers,
  memberPassword,
  narrateWithTone,
  openMemberPage,
  openPage,
  openSite,
  signIn,
} from '#src/browser-testing'
import { publishTestItem } from '#src/testing'

/** Falling asleep with the player: what comes next, when it is quiet, where one was. */
const site = await openSite({ AGE_GATE: 'off' })
const toneSeconds = 100
for (const title of ['Harbour', 'Orchard', 'Lantern']) {
  const { id } = await publishTestItem(site.parts, { title })
  await narrateWithTone(site.parts, id, toneSeconds)
}
afterAll(closeBrowser)

const player = (page: Page) => page.getByRole('region', { name: 'Player' })
const press = (page: Page, name: string) => player(page).getByRole('button', { name, exact: true }).click()
const play = (page: Page, title: string) =>
  page
    .getByRole('button', { name: `Play ${title}`, exact: true })
    .first()
    .click()
const sound = (page: Page) =>
  page.evaluate(() => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    return { at: audio?.currentTime ?? -1, volume: audio?.volume ?? -1, isPaused: audio?.paused ?? true }
  })
const waitUntilAt = (page: Page, seconds: number) =>
  page.waitForFunction(
    (from) => {
      const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
      return audio && !audio.paused && audio.currentTime >= from && audio.currentTime < from + 15
    },
    seconds,
    { timeout: 30_000 },
  )
/** From wherever they were. */
const waitUntilPlaying = (page: Page) =>
  page.waitForFunction(() => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    return audio && !audio.paused && audio.currentTime > 0
  })
/** As if the item had been heard so far. */
const hearUntil = (page: Page, seconds: number) =>
  page.evaluate((at) => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    if (audio) audio.currentTime = at
  }, seconds)
const slideTo = (page: Page, seconds: number) => player(page).getByLabel('Position').fill(`${seconds}`)
const waitForTitle = (page: Page, title: string) =>
  player(page).locator('.player-title').filter({ hasText: title }).waitFor()

/** As after a press on the page itself: no control has the keys. */
const leaveControls = (page: Page) =>
  page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())

test('one item follows the other, with time to say no', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await press(page, 'Queue, 2 items')
  const queue = page.getByRole('dialog', { name: 'Queue' })
  await queue.getByText('Orchard').waitFor()
  await page.keyboard.press('Escape')
  await hearUntil(page, toneSeconds - 1)
  await player(page).getByText('Playing next: Orchard').waitFor()
  await press(page, 'Cancel')
  await player(page).getByText('Playing next: Orchard').waitFor({ state: 'detached' })
  expect((await sound(page)).isPaused).toBe(true)
  await press(page, 'Play')
  await waitUntilAt(page, 0)
  await hearUntil(page, toneSeconds - 1)
  await waitForTitle(page, 'Orchard')
  await waitUntilAt(page, 0)
  expect(complaints).toEqual([])
})

test('the queue is put in order with the keyboard alone, and outlives a reload', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await press(page, 'Queue, 2 items')
  const queue = page.getByRole('dialog', { name: 'Queue' })
  const rows = queue.locator('.queue-play b')
  await queue.getByText('Orchard').waitFor()
  await queue.getByRole('button', { name: /^Harbour/ }).focus()
  await page.keyboard.press('ArrowUp')
  await queue.getByText('Harbour is now 1 of 2.').waitFor()
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
  expect(await findBarriers(page)).toEqual([])
  await page.reload()
  await press(page, 'Queue, 2 items')
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
  await queue.getByRole('button', { name: 'Remove Harbour from the queue' }).click()
  await queue.getByText('Harbour is out of the queue.').waitFor()
  await queue.getByRole('button', { name: 'Clear' }).click()
  await queue.getByText('Nothing is up next.').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-menu'))).toBe('queue')
})

test('an item is put into the queue from its own page', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await page.getByRole('link', { name: 'Harbour', exact: true }).first().click()
  await page.waitForURL('**/story/harbour')
  await page.getByRole('button', { name: 'Play next' }).click()
  await page.getByText('Harbour plays next.', { exact: true }).waitFor()
  await press(page, 'Queue, 2 items')
  const rows = page.getByRole('dialog', { name: 'Queue' }).locator('.queue-play b')
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
})

test('cards and rows have a way into the queue, on a phone and with the keyboard alone', async () => {
  const { page, complaints } = await openMemberPage(site, '/', { viewport: { width: 390, height: 844 } })
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  const more = page.getByRole('button', { name: 'More for Harbour' })
  const next = page.getByRole('menuitem', { name: 'Play next' })
  const last = page.getByRole('menuitem', { name: 'Add to queue' })
  await more.focus()
  await page.keyboard.press('Enter')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await last.evaluate((entry) => entry.matches(':focus'))).toBe(true)
  await page.keyboard.press('Escape')
  expect(await more.evaluate((button) => button.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')
  expect(await next.evaluate((entry) => entry.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('Harbour plays next.', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'More for Lantern' }).count()).toBe(0)

  await page.locator('article.card').filter({ hasText: 'Harbour' }).locator('.favourite').click()
  await page.getByText('Content has been added to your favorites', { exact: true }).waitFor()
  await page.goto('/my-content')
  await page.getByRole('button', { name: 'More for Harbour' }).click()
  await last.click()
  await page.getByText('Harbour is in the queue.', { exact: true }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})

test('nothing follows where the member has turned that off', async () => {
  const { page } = await openMemberPage(site, '/settings')
  await page.getByRole('switch', { name: /Auto-play next content/ }).uncheck()
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await hearUntil(page, toneSeconds - 1)
  const asked = page.waitForResponse((response) => response.url().includes('/next?'))
  await asked
  await page.waitForFunction(() => document.querySelector<HTMLAudioElement>('#player-host audio')?.paused)
  await press(page, 'Queue, 2 items')
  expect(await page.getByRole('switch', { name: /Auto-play next/ }).isChecked()).toBe(false)
  expect(await player(page).getByText('Playing next').count()).toBe(0)
})

test('at the end of the item it grows quiet, and the volume is back for the next play', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await press(page, 'Sleep timer')
  await page.getByRole('radio', { name: /End of this item/ }).check()
  await page.keyboard.press('Escape')
  await hearUntil(page, toneSeconds - 8)
  await page.waitForFunction(() => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    return audio && audio.volume > 0 && audio.volume < 0.45
  })
  await player(page).getByText('The sleep timer has ended. Your place is kept.').waitFor()
  expect(await sound(page)).toMatchObject({ volume: 1, isPaused: true })
  expect(await player(page).getByText('Playing next').count()).toBe(0)
})

test('after minutes it fades and stops; five more can be had, and a reload changes nothing', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.clock.install()
  await page.goto('/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await press(page, 'Sleep timer')
  await page.getByRole('radio', { name: /^5 minutes/ }).check()
  await page.getByRole('button', { name: '5 more minutes' }).click()
  await page.getByRole('radio', { name: /^5 minutes/ }).waitFor()
  await page.clock.fastForward('05:30')
  await player(page).getByRole('button', { name: 'Sleep timer, 5 min left' }).waitFor()
  await page.reload()
  await player(page).getByRole('button', { name: 'Sleep timer, 5 min left' }).waitFor()
  await press(page, 'Play')
  await page.waitForFunction(() => !document.querySelector<HTMLAudioElement>('#player-host audio')?.paused)
  await page.clock.fastForward('04:15')
  await page.waitForFunction(() => {
    const { volume = 1 } = document.querySelector<HTMLAudioElement>('#player-host audio') ?? {}
    return volume > 0 && volume < 1
  })
  await page.clock.fastForward('00:20')
  await player(page).getByText('The sleep timer has ended. Your place is kept.').waitFor()
  expect(await sound(page)).toMatchObject({ volume: 1, isPaused: true })
}, 60_000)

test('a member’s speed goes along to a second device; a visitor’s stays in the browser', async () => {
  const { page, email } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  await press(page, 'Speed, 1 times')
  await page.getByRole('button', { name: '1.5×', exact: true }).click()
  expect((await saved).ok()).toBe(true)
  const phone = await openOn(email, { viewport: { width: 390, height: 844 } })
  await phone.goto('/')
  await play(phone, 'Lantern')
  await phone.waitForFunction(
    () => document.querySelector<HTMLAudioElement>('#player-host audio')?.playbackRate === 1.5,
  )
  await phone.locator('[data-menu=speed]').filter({ hasText: '1.5×' }).waitFor({ state: 'attached' })
}, 60_000)

test('a speed that is chosen while the server is away is kept, and saved when it is back', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await page.route('**/api/user/settings', (route) => route.abort())
  await press(page, 'Speed, 1 times')
  await page.getByRole('button', { name: '1.5×', exact: true }).click()
  await page.locator('[data-menu=speed]').filter({ hasText: '1.5×' }).first().waitFor()
  await page.unroute('**/api/user/settings')
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  await page.reload()
  await play(page, 'Lantern')
  expect((await saved).request().postDataJSON()).toEqual({ playbackSpeed: 1.5 })
  expect(
    await page
      .locator('#player-host audio')
      .evaluate((audio) => audio instanceof HTMLAudioElement && audio.playbackRate),
  ).toBe(1.5)
}, 60_000)

test('a long jump is taken back, by its button and by a key', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 2)
  await slideTo(page, 80)
  await player(page).getByText('Moved to 1:20.').waitFor()
  await press(page, 'Undo')
  await waitUntilAt(page, 2)
  await slideTo(page, 60)
  await player(page).getByText('Moved to 1:00.').waitFor()
  await leaveControls(page)
  await page.keyboard.press('u')
  await waitUntilAt(page, 2)
  expect(await player(page).getByText('Moved to').count()).toBe(0)
})

test('after a long pause it goes on a little further back, and says so', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.clock.install()
  await page.goto('/')
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await slideTo(page, 60)
  await waitUntilAt(page, 60)
  await pauseAndSave(page)
  await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.clock.fastForward('06:00')
  const { at } = await sound(page)
  await press(page, 'Play')
  await player(page).getByText('Back 5 seconds, to find the thread again.').waitFor()
  await waitUntilAt(page, at - 5)
  expect((await sound(page)).at).toBeLessThan(at + 3)
})

/** The system's buttons cannot be pressed from here: what the page hands to the system is kept, and called. */
async function keepLockScreen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept = new Map<string, MediaSessionActionHandler | null>()
    const own = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession)
    navigator.mediaSession.setActionHandler = (action, handler) => {
      kept.set(action, handler)
      own(action, handler)
    }
    document.addEventListener('lock-screen', (event) => {
      const { detail } = event as CustomEvent<MediaSessionActionDetails>
      kept.get(detail.action)?.(detail)
    })
  })
}
const pressOnLockScreen = (page: Page, detail: MediaSessionActionDetails) =>
  page.evaluate((of) => document.dispatchEvent(new CustomEvent('lock-screen', { detail: of })), detail)
const lockScreen = (page: Page) =>
  page.evaluate(() => ({
    title: navigator.mediaSession.metadata?.title ?? null,
    state: navigator.mediaSession.playbackState,
  }))

test('the lock screen shows what plays, and its buttons do what the bar does', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  await keepLockScreen(page)
  await page.goto('/')
  await play(page, 'Lantern')
  await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await page.waitForFunction(() => navigator.mediaSession.playbackState === 'playing')
  expect(await lockScreen(page)).toEqual({ title: 'Lantern', state: 'playing' })
  await pressOnLockScreen(page, { action: 'pause' })
  await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await lockScreen(page)).state).toBe('paused')
  await pressOnLockScreen(page, { action: 'seekto', seekTime: 30 })
  await pressOnLockScreen(page, { action: 'play' })
  await waitUntilAt(page, 30)
  await pressOnLockScreen(page, { action: 'seekforward' })
  await waitUntilAt(page, 45)
  await pressOnLockScreen(page, { action: 'seekbackward', seekOffset: 40 })
  await waitUntilAt(page, 5)
  await pressOnLockScreen(page, { action: 'nexttrack' })
  await waitForTitle(page, 'Orchard')
  expect((await lockScreen(page)).title).toBe('Orchard')
  await pressOnLockScreen(page, { action: 'previoustrack' })
  await waitForTitle(page, 'Lantern')
  await pressOnLockScreen(page, { action: 'stop' })
  await player(page).waitFor({ state: 'detached' })
  expect(await lockScreen(page)).toEqual({ title: null, state: 'none' })
  expect(complaints).toEqual([])
})

test('two devices that disagree are both offered, and nothing moves by itself', async () => {
  const { page: here, email, complaints } = await openMemberPage(site, '/')
  await play(here, 'Lantern')
  await waitUntilAt(here, 0)
  await slideTo(here, 12)
  await waitUntilAt(here, 14)
  await pauseAndSave(here)

  const phone = await openOn(email, {
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Mobile/15E148',
    viewport: { width: 390, height: 844 },
  })
  await phone.goto('/')
  await play(phone, 'Lantern')
  await waitUntilAt(phone, 12)
  expect(await phone.getByText('Where were we?').count()).toBe(0)
  await slideTo(phone, 75)
  await waitUntilAt(phone, 77)
  await pauseAndSave(phone)

  await here.reload()
  const offer = here.getByRole('region', { name: 'Where were we?' })
  await offer.getByText(/Resume at 1:1\d \(phone\) or 0:1\d \(here\)\?/).waitFor()
  expect((await sound(here)).isPaused).toBe(true)
  expect(await findBarriers(here)).toEqual([])
  await press(here, 'Play')
  await waitUntilAt(here, 75)
  await offer.getByRole('button', { name: /here/ }).click()
  // Heard on from there: a pause where nothing moved is not told.
  await waitUntilAt(here, 17)
  await offer.waitFor({ state: 'detached' })
  await pauseAndSave(here)
  await here.reload()
  await player(here).getByRole('button', { name: 'Play', exact: true }).waitFor()
  await press(here, 'Play')
  await waitUntilAt(here, 12)
  expect(await offer.count()).toBe(0)
  expect(complaints).toEqual([])
}, 90_000)

async function openOn(email: string, options: BrowserContextOptions): Promise<Page> {
  const { page } = await openPage(site, options)
  await signIn(page, email)
  return page
}

async function pauseAndSave(page: Page): Promise<void> {
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/analytics/progress') && response.ok(),
  )
  await press(page, 'Pause')
  await saved
}

test('what could not be sent waits in the browser, and is sent once', async () => {
  const { page, context } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 1)
  await page.waitForFunction(() => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    return audio && audio.buffered.length > 0 && audio.buffered.end(0) > 60
  })
  await context.setOffline(true)
  await slideTo(page, 40)
  await waitUntilAt(page, 42)
  await press(page, 'Pause')
  await page.waitForFunction(() => localStorage.getItem('nocturne.reports')?.includes('"pause"'))
  const sent: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/analytics/progress'))
      sent.push(request.postDataJSON().lastPositionSec)
  })
  await context.setOffline(false)
  await page.waitForFunction(() => localStorage.getItem('nocturne.reports') === null)
  await page.reload()
  await player(page)
    .getByText(/^0:4\d$/)
    .waitFor()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toBeGreaterThanOrEqual(40)
})

test('a visitor who joins keeps the place that was heard, and gets the favourite that was asked for', async () => {
  const free = await publishTestItem(site.parts, { title: 'Samples', isFree: true })
  await narrateWithTone(site.parts, free.id, toneSeconds)
  const { page } = await openPage(site)
  await page.goto('/')
  await play(page, 'Samples')
  await waitUntilAt(page, 0)
  await slideTo(page, 50)
  await waitUntilAt(page, 52)
  await pauseAndSave(page)
  await page.locator('article.card').filter({ hasText: 'Orchard' }).locator('.favourite').click()
  await page.getByRole('dialog', { name: 'Welcome Back!' }).getByRole('link', { name: 'Join free' }).click()
  const joining = page.getByRole('dialog', { name: /^Join .* FREE!$/ })
  await joining.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await joining.getByLabel('Password').fill(memberPassword)
  await joining.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('Content has been added to your favorites', { exact: true }).waitFor()
  await player(page)
    .getByText(/^0:5\d$/)
    .waitFor()
  const kept = await page.request.get(`/api/analytics/progress/${free.id}/story`)
  expect((await kept.json()).lastPositionSec).toBeGreaterThanOrEqual(50)
  const favorites = await page.request.get('/api/content-favorites')
  expect(await favorites.json()).toHaveLength(1)
})

test('a row, a card and the bar are one player: what one of them does, all of them show', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.locator('article.card').filter({ hasText: 'Orchard' }).locator('.favourite').click()
  await page.getByText('Content has been added to your favorites', { exact: true }).waitFor()
  await play(page, 'Orchard')
  await waitUntilPlaying(page)
  await page.getByRole('link', { name: 'My Content' }).first().click()
  await page.waitForURL('**/my-content')
  const row = page.locator('#main').getByRole('button', { name: 'Pause Orchard' }).first()
  await row.click()
  await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await sound(page)).isPaused).toBe(true)
  await press(page, 'Play')
  await row.waitFor()
  expect(await page.locator('audio').count()).toBe(1)
})

test('single keys command the player until they are turned off', async () => {
  const { page } = await openMemberPage(site, '/settings')
  await page.getByRole('switch', { name: /Single-key shortcuts/ }).uncheck()
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await leaveControls(page)
  await page.keyboard.press('k')
  await waitUntilAt(page, (await sound(page)).at + 0.3)
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('switch', { name: /Single-key shortcuts/ }).check()
  await leaveControls(page)
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/analytics/progress'))
  await page.keyboard.press('k')
  await saved
  expect((await sound(page)).isPaused).toBe(true)
})
