import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { stories } from '#db/schema'
import { memberPassword, publishTestItem } from '#src/testing/app'
import {
  holdBack,
  join,
  narrateWithTone,
  openMemberPage,
  openPage,
  openSite,
  seeFocus,
  signIn,
  stopTimers,
} from '#src/testing/browser'
import { findBarriers } from '#src/testing/find-faults'
import type { Complaints } from '#src/testing/page-log'
import {
  hearUntil,
  play,
  player,
  pressInPlayer,
  readSound,
  slideTo,
  waitUntilAt,
  waitUntilPlaying,
} from '#src/testing/player'
import { until } from '#src/testing/until'

/** Falling asleep with the player: the next item, the sleep timer, the last position. */
const site = await openSite({ AGE_GATE: 'off' })
const toneSeconds = 100
for (const title of ['Harbour', 'Orchard', 'Lantern']) {
  const { id } = await publishTestItem(site.services, { title })
  await narrateWithTone(site.services, id, toneSeconds)
}

const waitForTitle = (page: Page, title: string) =>
  player(page).locator('.player-title').filter({ hasText: title }).waitFor()

/** Removes the focus from controls, as a press on the page itself does. */
const leaveControls = (page: Page) =>
  page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())

test('the next item plays after a countdown that can be cancelled', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Queue, 2 items')
  const queue = page.getByRole('dialog', { name: 'Queue' })
  await queue.getByText('Orchard').waitFor()
  await page.keyboard.press('Escape')
  await stopTimers(page)
  await hearUntil(page, toneSeconds - 1)
  await player(page).getByText('Playing next: Orchard').waitFor()
  await pressInPlayer(page, 'Cancel')
  await player(page).getByText('Playing next: Orchard').waitFor({ state: 'detached' })
  await page.clock.runFor('00:06')
  expect((await readSound(page)).isPaused).toBe(true)
  await page.clock.resume()
  await pressInPlayer(page, 'Play')
  await waitUntilAt(page, 0)
  await hearUntil(page, toneSeconds - 1)
  await waitForTitle(page, 'Orchard')
  await waitUntilAt(page, 0)
  expect(complaints).toEqual([])
})

test('the next item of the last fetched queue plays when the server is unreachable', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Queue, 2 items')
  await page.getByRole('dialog', { name: 'Queue' }).getByText('Orchard').waitFor()
  await page.keyboard.press('Escape')
  await page.route('**/api/content/*/next?**', (route) => route.abort())
  await hearUntil(page, toneSeconds - 1)
  await player(page).getByText('Playing next: Orchard').waitFor()
  await waitForTitle(page, 'Orchard')
  await waitUntilAt(page, 0)
})

test('the queue is reordered and emptied by keyboard, and survives a reload', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Queue, 2 items')
  const queue = page.getByRole('dialog', { name: 'Queue' })
  const rows = queue.locator('.queue-play b')
  await queue.getByText('Orchard').waitFor()
  await seeFocus(queue.getByRole('button', { name: /^Orchard/ }))
  await queue.getByRole('button', { name: /^Harbour/ }).focus()
  await page.keyboard.press('ArrowUp')
  await queue.getByText('Harbour is now 1 of 2.').waitFor()
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
  expect(await findBarriers(page)).toEqual([])
  const nextItems = '**/api/content/*/next?*'
  const release = await holdBack(page, nextItems)
  await page.reload()
  await pressInPlayer(page, 'Queue, 2 items')
  await rows.first().waitFor()
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
  await queue.getByRole('button', { name: 'Remove Harbour from the queue' }).press('Enter')
  await queue.getByText('Harbour was removed from the queue.').waitFor()
  await seeFocus(queue.getByRole('button', { name: /^Orchard/ }))
  await queue.getByRole('button', { name: 'Clear' }).press('Enter')
  await queue.getByText('Nothing is up next.').waitFor()
  // The server's late answer does not fill the queue again.
  const answer = page.waitForResponse(nextItems)
  await release()
  await (await answer).finished()
  await seeFocus(queue)
  expect(await queue.getByText('Nothing is up next.').count()).toBe(1)
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-menu'))).toBe('queue')
})

test('removing the last queue entry focuses the queue, and a moved entry does not steal the focus later', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Queue, 2 items')
  const queue = page.getByRole('dialog', { name: 'Queue' })
  await queue.getByRole('button', { name: 'Move Harbour up' }).press('Enter')
  await seeFocus(queue.getByRole('button', { name: /^Harbour/ }))
  const remove = (title: string) => queue.getByRole('button', { name: `Remove ${title} from the queue` })
  await remove('Orchard').focus()
  await waitUntilAt(page, (await readSound(page)).at + 1)
  await seeFocus(remove('Orchard'))
  await remove('Orchard').press('Enter')
  await seeFocus(queue.getByRole('button', { name: /^Harbour/ }))
  await remove('Harbour').press('Enter')
  await queue.getByText('Nothing is up next.').waitFor()
  await page.locator('.queue:focus').waitFor()
  expect(complaints).toEqual([])
})

test('Play next on an item’s page puts it first in the queue', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await page.getByRole('link', { name: 'Harbour', exact: true }).first().click()
  await page.waitForURL('**/story/harbour')
  await page.getByRole('button', { name: 'Play next' }).click()
  await page.getByText('Harbour plays next.', { exact: true }).waitFor()
  await pressInPlayer(page, 'Queue, 2 items')
  const rows = page.getByRole('dialog', { name: 'Queue' }).locator('.queue-play b')
  expect(await rows.allTextContents()).toEqual(['Harbour', 'Orchard'])
})

test('cards and rows have a queue menu, on a phone and by keyboard', async () => {
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
  await page.getByRole('button', { name: 'More for Lantern' }).waitFor({ state: 'detached' })

  await page.locator('article.card').filter({ hasText: 'Harbour' }).locator('.favourite').click()
  await page.getByText('Content has been added to your favorites', { exact: true }).waitFor()
  await page.goto('/my-content')
  await page.getByRole('button', { name: 'More for Harbour' }).click()
  await last.click()
  await page.getByText('Harbour is in the queue.', { exact: true }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})

test('nothing plays next when auto-play is off in the settings', async () => {
  const { page } = await openMemberPage(site, '/settings')
  await page.getByRole('switch', { name: /Auto-play next content/ }).uncheck()
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  const nextResponse = page.waitForResponse((response) => response.url().includes('/next?'))
  await hearUntil(page, toneSeconds - 1)
  await nextResponse
  await page.waitForFunction(() => document.querySelector<HTMLAudioElement>('#player-host audio')?.paused)
  await pressInPlayer(page, 'Queue, 2 items')
  expect(await page.getByRole('switch', { name: /Auto-play next/ }).isChecked()).toBe(false)
  expect(await player(page).getByText('Playing next').count()).toBe(0)
})

test('auto-play turned off in the player stays off after a late response, and is saved once possible', async () => {
  const { page } = await openMemberPage(site, '/')
  const release = await holdBack(page, /\/next\?/)
  await page.route('**/api/user/settings', (route) => route.abort())
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await player(page).locator('[data-menu=queue]').first().click()
  const autoPlay = page.getByRole('switch', { name: /Auto-play next/ })
  const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/user/settings'))
  await autoPlay.uncheck()
  await refused
  const answered = page.waitForResponse(/\/next\?/)
  await release()
  await (await answered).finished()
  await player(page).getByText('Harbour').first().waitFor()
  expect(await autoPlay.isChecked()).toBe(false)
  await page.unrouteAll()
  await hearUntil(page, toneSeconds - 1)
  await (await page.waitForResponse('**/api/user/settings')).finished()
  await page.waitForFunction(() => document.querySelector<HTMLAudioElement>('#player-host audio')?.paused)
  expect(await player(page).getByText('Playing next').count()).toBe(0)
  await page.goto('/settings')
  expect(await page.getByRole('switch', { name: /Auto-play next content/ }).isChecked()).toBe(false)
})

test('auto-play chosen in the settings overrides an earlier choice in the player that was not saved', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.route('**/api/user/settings', (route) => route.abort())
  await play(page, 'Lantern')
  await player(page).locator('[data-menu=queue]').first().click()
  await player(page).getByText('Harbour').first().waitFor()
  const autoPlay = page.getByRole('switch', { name: /Auto-play next/ })
  const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/user/settings'))
  await autoPlay.uncheck()
  await refused
  await page.unrouteAll()
  await page.goto('/settings')
  for (const choose of ['uncheck', 'check'] as const) {
    const saved = page.waitForResponse('**/api/user/settings')
    await page.getByRole('switch', { name: /Auto-play next content/ })[choose]()
    await (await saved).finished()
  }
  await page.goto('/')
  await play(page, 'Lantern')
  await player(page).locator('[data-menu=queue]').first().click()
  await player(page).getByText('Harbour').first().waitFor()
  expect(await autoPlay.isChecked()).toBe(true)
})

test('a sleep timer for the end of the item fades out, stops, and restores the volume', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Sleep timer')
  await page.getByRole('radio', { name: /End of this item/ }).check()
  await page.keyboard.press('Escape')
  await hearUntil(page, toneSeconds - 8)
  await page.waitForFunction(() => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    return audio && audio.volume > 0 && audio.volume < 0.45
  })
  await player(page).getByText('The sleep timer has ended with this item.').waitFor()
  expect(await readSound(page)).toMatchObject({ volume: 1, isPaused: true })
  expect(await player(page).getByText('Playing next').count()).toBe(0)
  await pressInPlayer(page, 'Play on')
  await waitForTitle(page, 'Orchard')
  await waitUntilPlaying(page)
})

test('a sleep timer in minutes can be extended, survives a reload, fades out and stops', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.clock.install()
  await page.goto('/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Sleep timer')
  await page.getByRole('radio', { name: /^5 minutes/ }).check()
  await page.getByRole('button', { name: '5 more minutes' }).click()
  await page.getByRole('radio', { name: /^5 minutes/ }).waitFor()
  await page.clock.fastForward('05:30')
  await player(page).getByRole('button', { name: 'Sleep timer, 5 min left' }).waitFor()
  await page.reload()
  await player(page).getByRole('button', { name: 'Sleep timer, 5 min left' }).waitFor()
  await pressInPlayer(page, 'Play')
  await waitUntilPlaying(page)
  const endsAtMs = await page.evaluate(() =>
    Number(sessionStorage.getItem('nocturne.sleep')?.split(' ').at(-1)),
  )
  // In the middle of the twenty seconds over which the volume fades.
  await page.clock.pauseAt(endsAtMs - 10_000)
  await page.waitForFunction(() => {
    const { volume = 1 } = document.querySelector<HTMLAudioElement>('#player-host audio') ?? {}
    return volume > 0 && volume < 1
  })
  await page.clock.fastForward('00:20')
  await player(page).getByText('The sleep timer has ended. Your place is kept.').waitFor()
  expect(await readSound(page)).toMatchObject({ volume: 1, isPaused: true })
})

const slept = 'The sleep timer has ended. Your place is kept.'

async function playWithSleepTimer(page: Page): Promise<void> {
  await page.clock.install()
  await page.goto('/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Sleep timer')
  await page.getByRole('radio', { name: /^5 minutes/ }).check()
  await page.keyboard.press('Escape')
}

test('a sleep timer that ends during the countdown prevents the next item', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await playWithSleepTimer(page)
  await stopTimers(page)
  await hearUntil(page, toneSeconds - 1)
  await player(page).getByText('Playing next: Orchard').waitFor()
  await page.clock.fastForward('05:00')
  await player(page).getByText(slept).waitFor()
  await page.clock.runFor('00:06')
  await waitForTitle(page, 'Lantern')
  expect(await readSound(page)).toMatchObject({ volume: 1, isPaused: true })
  expect(complaints).toEqual([])
})

test.each([
  { move: 'the slider', to: 40, press: (page: Page) => slideTo(page, 40) },
  { move: 'a skip', to: 15, press: (page: Page) => pressInPlayer(page, 'Forward 15 seconds') },
])(
  'moving within the heard item by $move during the countdown prevents the next item',
  async ({ to, press }) => {
    const { page, complaints } = await openMemberPage(site, '/')
    await play(page, 'Lantern')
    await waitUntilAt(page, 0)
    await stopTimers(page)
    await hearUntil(page, toneSeconds - 1)
    await player(page).getByText('Playing next: Orchard').waitFor()
    await press(page)
    await page.clock.runFor('00:06')
    await until(async () => (await readSound(page)).at === to)
    await waitForTitle(page, 'Lantern')
    expect(await readSound(page)).toMatchObject({ at: to, isPaused: true })
    expect(await player(page).getByText('Playing next').count()).toBe(0)
    expect(complaints).toEqual([])
  },
)

test('a sleep timer that ends while an item is loading stops it, and Play on starts it', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await playWithSleepTimer(page)
  const release = await holdBack(page, '**/api/premium-audio/**')
  await play(page, 'Orchard')
  await waitForTitle(page, 'Orchard')
  await page.clock.fastForward('05:00')
  await player(page).getByText(slept).waitFor()
  const answered = page.waitForResponse((answer) => answer.request().method() === 'HEAD')
  await release()
  await answered
  expect((await readSound(page)).isPaused).toBe(true)
  await pressInPlayer(page, 'Play on')
  await waitUntilPlaying(page)
  expect(complaints).toEqual([])
})

test('a member’s playback speed applies on a second device', async () => {
  const { page, email } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  await pressInPlayer(page, 'Speed, 1 times')
  await page.getByRole('button', { name: '1.5×', exact: true }).click()
  expect((await saved).ok()).toBe(true)
  const phone = await openOn(email, { viewport: { width: 390, height: 844 } })
  await phone.goto('/')
  await play(phone, 'Lantern')
  await phone.waitForFunction(
    () => document.querySelector<HTMLAudioElement>('#player-host audio')?.playbackRate === 1.5,
  )
  await phone.locator('[data-menu=speed]').filter({ hasText: '1.5×' }).waitFor({ state: 'attached' })
})

test('a speed chosen while the server is unreachable is saved after a reload', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await page.route('**/api/user/settings', (route) => route.abort())
  await pressInPlayer(page, 'Speed, 1 times')
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
})

test('a speed not yet saved stays with its member when another member’s page changes theirs', async () => {
  const { page, context } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await join(site, page)
  const own = await context.newPage()
  await own.goto('/')
  await own.route('**/api/user/settings', (route) => route.abort())
  await play(own, 'Lantern')
  await waitUntilAt(own, 0)
  await pressInPlayer(own, 'Speed, 1 times')
  await own.getByRole('button', { name: '1.5×', exact: true }).click()
  await pressInPlayer(page, 'Speed, 1 times')
  await page.getByRole('button', { name: '2×', exact: true }).click()
  await own.unroute('**/api/user/settings')
  const saved = own.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  await own.reload()
  await play(own, 'Lantern')
  expect((await saved).request().postDataJSON()).toEqual({ playbackSpeed: 1.5 })
})

test('Undo and the key u return from a long seek', async () => {
  const { page } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 2)
  await slideTo(page, 80)
  await player(page).getByText('Moved to 1:20.').waitFor()
  await pressInPlayer(page, 'Undo')
  await waitUntilAt(page, 2)
  await slideTo(page, 60)
  await player(page).getByText('Moved to 1:00.').waitFor()
  await leaveControls(page)
  await page.keyboard.press('u')
  await waitUntilAt(page, 2)
  await player(page).getByText('Moved to').waitFor({ state: 'detached' })
})

test('a position corrected while paused is saved', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await playUntil(page, 20)
  const { at } = await readSound(page)
  // On a busy machine the element's position can change after the pause without a seek.
  await hearUntil(page, at - 1.5)
  await until(async () => Math.abs((await savedPosition(page)) - (at - 1.5)) < 0.2)
  expect((await readSound(page)).isPaused).toBe(true)
  expect(complaints).toEqual([])
})

test('a position chosen before the audio has loaded survives leaving the page', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await page.route('**/api/premium-audio/**', (route) =>
    route.request().method() === 'GET' ? new Promise(() => {}) : route.continue(),
  )
  const asked = page.waitForRequest(
    (request) => request.url().includes('/api/premium-audio/') && request.method() === 'GET',
  )
  await play(page, 'Lantern')
  await asked
  await slideTo(page, 40)
  await player(page).getByText('0:40', { exact: true }).waitFor()
  // The slider counts as released after a moment without a move.
  await page.waitForFunction(
    () => document.querySelector<HTMLAudioElement>('#player-host audio')?.currentTime === 40,
  )
  await page.reload()
  await player(page).getByText('0:40', { exact: true }).waitFor()
  await until(async () => (await savedPosition(page)) === 40)
  expect(complaints).toEqual([])
})

test('a position chosen while an item is starting is the one it plays from', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  for (const { start, seconds, words } of [
    { start: () => play(page, 'Lantern'), seconds: 40, words: 'Moved to 0:40.' },
    // It starts again at its saved position.
    { start: () => pressInPlayer(page, 'Play'), seconds: 80, words: 'Moved to 1:20.' },
  ]) {
    const release = await holdBack(page, '**/api/premium-audio/**')
    await start()
    await slideTo(page, seconds)
    await player(page).getByText(words).waitFor()
    await release()
    await waitUntilPlaying(page)
    expect((await readSound(page)).at).toBeGreaterThanOrEqual(seconds)
    // A pause at an unchanged position is not reported.
    await waitUntilPlaying(page, seconds + 2)
    await pauseAndSave(page)
    await page.reload()
    await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  }
  expect(complaints).toEqual([])
})

test('a position chosen while the audio is loading is the one it plays from', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await pauseAtOneMinute(page)
  await pressInPlayer(page, 'Stop and close')
  const loading = Promise.withResolvers<void>()
  await page.route('**/api/premium-audio/**', async (route) => {
    if (route.request().method() === 'GET') await loading.promise
    await route.continue()
  })
  await play(page, 'Lantern')
  await until(async () => (await readSound(page)).at > 59)
  await slideTo(page, 20)
  await player(page).getByText('Moved to 0:20.').waitFor()
  loading.resolve()
  await waitUntilPlaying(page)
  const { at } = await readSound(page)
  expect(at).toBeGreaterThanOrEqual(20)
  expect(at).toBeLessThan(55)
  expect(complaints).toEqual([])
})

test('a skip while an item is starting leaves its saved position', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await pauseAtOneMinute(page)
  await pressInPlayer(page, 'Stop and close')
  const release = await holdBack(page, '**/api/premium-audio/**')
  await play(page, 'Lantern')
  await pressInPlayer(page, 'Forward 15 seconds')
  await release()
  await waitUntilAt(page, 59)
  expect(complaints).toEqual([])
})

async function pauseAtOneMinute(page: Page): Promise<void> {
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await slideTo(page, 60)
  await waitUntilAt(page, 60)
  await pauseAndSave(page)
}

test('resuming after a long pause goes back 5 seconds and says so', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.clock.install()
  await page.goto('/')
  await pauseAtOneMinute(page)
  await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.clock.fastForward('06:00')
  const { at } = await readSound(page)
  const movesTo = page
    .locator('#player-host audio')
    .evaluate(
      (audio: HTMLAudioElement) =>
        new Promise<number>((resolve) =>
          audio.addEventListener('seeking', () => resolve(audio.currentTime), { once: true }),
        ),
    )
  await pressInPlayer(page, 'Play')
  await player(page).getByText('Back 5 seconds, to find the thread again.').waitFor()
  expect(Math.abs((await movesTo) - (at - 5))).toBeLessThan(1)
  await waitUntilPlaying(page, at - 5)
})

test('a device whose clock is hours ahead resumes at its position after a reload', async () => {
  const { page } = await openMemberPage(site, '/')
  await page.clock.install({ time: Date.now() + 7 * 3_600_000 })
  await page.goto('/')
  await pauseAtOneMinute(page)
  await page.reload()
  await player(page)
    .getByText(/^1:0\d$/)
    .waitFor()
  await pressInPlayer(page, 'Play')
  await waitUntilPlaying(page)
  expect((await readSound(page)).at).toBeGreaterThanOrEqual(59)
  expect(await lockScreen(page)).toEqual({ title: 'Lantern', state: 'playing' })
})

/**
 * Captures the handlers that the page registers, to call them, because the system's buttons cannot be pressed from
 * here.
 */
async function captureLockScreen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const handlers = new Map<string, MediaSessionActionHandler | null>()
    const own = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession)
    navigator.mediaSession.setActionHandler = (action, handler) => {
      handlers.set(action, handler)
      own(action, handler)
    }
    document.addEventListener('lock-screen', (event) => {
      const { detail } = event as CustomEvent<MediaSessionActionDetails>
      handlers.get(detail.action)?.(detail)
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

test('the lock screen shows the item, and its buttons control the player', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  await captureLockScreen(page)
  await page.goto('/')
  await play(page, 'Lantern')
  await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await waitUntilPlaying(page)
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

test('pausing from the media session stops an item that is still loading', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  await captureLockScreen(page)
  await page.goto('/')
  const release = await holdBack(page, '**/api/premium-audio/**')
  await play(page, 'Lantern')
  await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor()
  await pressOnLockScreen(page, { action: 'pause' })
  await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  await release()
  await pressInPlayer(page, 'Play')
  await waitUntilPlaying(page)
  expect(complaints).toEqual([])
})

test('conflicting positions of two devices are both offered, and nothing plays until a press', async () => {
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
  await slideTo(phone, 45)
  await waitUntilAt(phone, 47)
  await pauseAndSave(phone)

  await here.reload()
  const offer = here.getByRole('region', { name: 'Where were we?' })
  await offer.getByText(/Resume at 0:[45]\d \(phone\) or 0:1\d \(here\)\?/).waitFor()
  expect((await readSound(here)).isPaused).toBe(true)
  expect(await findBarriers(here)).toEqual([])
  await pressInPlayer(here, 'Play')
  // Early in the audio, which must not end before the press, however slow the machine is.
  await waitUntilAt(here, 45)
  await offer.getByRole('button', { name: /here/ }).click()
  // Let it play on from there, because a pause at an unchanged position is not reported.
  await waitUntilAt(here, 17)
  await offer.waitFor({ state: 'detached' })
  await pauseAndSave(here)
  await here.reload()
  await player(here).getByRole('button', { name: 'Play', exact: true }).waitFor()
  await pressInPlayer(here, 'Play')
  await waitUntilAt(here, 12)
  expect(await offer.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('resuming asks when another device went further, and saves nothing until answered', async () => {
  const { page: here, email, complaints } = await openMemberPage(site, '/')
  await playUntil(here, 20)
  const phone = await openOn(email, {
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Mobile/15E148',
    viewport: { width: 390, height: 844 },
  })
  await phone.goto('/')
  await play(phone, 'Lantern')
  await waitUntilAt(phone, 18)
  await slideTo(phone, 70)
  await waitUntilAt(phone, 72)
  await pauseAndSave(phone)

  // A press on Play waits a second for the saved position, and by this clock it never passes.
  await stopTimers(here)
  const requests = countRequests(here, 'GET')
  const written = countRequests(here, 'POST')
  await pressInPlayer(here, 'Play')
  const offer = here.getByRole('region', { name: 'Where were we?' })
  await offer.getByText(/Resume at 1:1\d \(phone\) or 0:2\d \(here\)\?/).waitFor()
  expect((await readSound(here)).isPaused).toBe(true)
  expect(requests()).toBe(1)
  expect(written()).toBe(0)
  await here.clock.resume()
  await offer.getByRole('button', { name: /phone/ }).click()
  await waitUntilAt(here, 73)
  await offer.waitFor({ state: 'detached' })
  await pauseAndSave(here)
  expect(complaints).toEqual([])
})

test('Play on the lock screen asks when another device went further, and saves the chosen position', async () => {
  const { page: here, email } = await openMemberPage(site, '/settings')
  await captureLockScreen(here)
  await here.goto('/')
  await playUntil(here, 20)
  const other = await openOn(email, {})
  await other.goto('/')
  await play(other, 'Lantern')
  await waitUntilAt(other, 18)
  await slideTo(other, 70)
  await waitUntilAt(other, 72)
  await pauseAndSave(other)

  await stopTimers(here)
  const written = countRequests(here, 'POST')
  await pressOnLockScreen(here, { action: 'play' })
  const offer = here.getByRole('region', { name: 'Where were we?' })
  await offer.getByText(/Resume at 1:1\d \(another computer\) or 0:2\d \(here\)\?/).waitFor()
  expect((await readSound(here)).isPaused).toBe(true)
  expect(written()).toBe(0)
  await here.clock.resume()
  await offer.getByRole('button', { name: /here/ }).click()
  await waitUntilAt(here, 22)
  await pauseAndSave(here)
  const lastPositionSec = await savedPosition(here)
  expect(lastPositionSec).toBeLessThan(40)
})

test('a position from another device is kept while offline, and offered when back online', async () => {
  const { page: here, email } = await openMemberPage(site, '/')
  await playUntil(here, 20)
  const other = await openOn(email, {})
  await other.goto('/')
  await play(other, 'Lantern')
  await waitUntilAt(other, 18)
  await slideTo(other, 70)
  await waitUntilAt(other, 72)
  await pauseAndSave(other)

  await here.route('**/api/analytics/progress**', (route) => route.abort())
  await pressInPlayer(here, 'Play')
  await waitUntilAt(here, 23)
  await pressInPlayer(here, 'Pause')
  await here.unroute('**/api/analytics/progress**')
  await here.evaluate(() => dispatchEvent(new Event('online')))
  const offer = here.getByRole('region', { name: 'Where were we?' })
  await offer.getByText(/Resume at 1:1\d/).waitFor()
  expect(await savedPosition(here)).toBeGreaterThan(70)
})

async function playUntil(page: Page, seconds: number): Promise<void> {
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await slideTo(page, seconds)
  await waitUntilAt(page, seconds + 1)
  await pauseAndSave(page)
}

/** Counts the requests that read or write the saved position from now on. */
function countRequests(page: Page, method: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/analytics/progress') && request.method() === method) count += 1
  })
  return () => count
}

/** Returns the saved position in seconds; 0 until the first report has arrived. */
async function savedPosition(page: Page, title = 'Lantern'): Promise<number> {
  const [item] = await site.services.db.select().from(stories).where(eq(stories.title, title))
  const answer = await page.request.get(`/api/analytics/progress/${item?.id}/story`)
  const progress: { lastPositionSec: number } | null = await answer.json()
  return progress?.lastPositionSec ?? 0
}

async function openOn(email: string, options: BrowserContextOptions): Promise<Page> {
  const { page } = await openPage(site, options)
  await signIn(page, email)
  return page
}

/**
 * Pauses, and waits until the server has the position. A pause right after a report sends none, because nothing has
 * changed.
 */
async function pauseAndSave(page: Page, title?: string): Promise<void> {
  await pressInPlayer(page, 'Pause')
  // The position is read each time, because on a busy machine the audio's clock is corrected as it stops.
  await until(async () => Math.abs((await savedPosition(page, title)) - (await readSound(page)).at) < 1)
}

test('progress made offline is stored in the browser and sent once', async () => {
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
  await pressInPlayer(page, 'Pause')
  await page.waitForFunction(() => localStorage.getItem('nocturne.reports')?.includes('"pause"'))
  const sent: number[] = []
  // An attempt may still start offline, and fail.
  page.on('requestfinished', (request) => {
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

test('a visitor who joins keeps the position, and the requested favourite is added', async () => {
  const free = await publishTestItem(site.services, { title: 'Samples', isFree: true })
  await narrateWithTone(site.services, free.id, toneSeconds)
  const { page } = await openPage(site)
  await page.goto('/')
  await play(page, 'Samples')
  await waitUntilAt(page, 0)
  await slideTo(page, 50)
  await waitUntilAt(page, 52)
  await pauseAndSave(page, 'Samples')
  await page.locator('article.card').filter({ hasText: 'Orchard' }).locator('.favourite').click()
  const joining = page.getByRole('dialog', { name: /^Join .* FREE!$/ })
  await joining.getByText('Favorites need an account. It is free.').waitFor()
  await joining.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  await joining.getByLabel('Password').fill(memberPassword)
  await joining.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('Content has been added to your favorites', { exact: true }).waitFor()
  await player(page)
    .getByText(/^0:5\d$/)
    .waitFor()
  const saved = await page.request.get(`/api/analytics/progress/${free.id}/story`)
  expect((await saved.json()).lastPositionSec).toBeGreaterThanOrEqual(50)
  const favorites = await page.request.get('/api/content-favorites')
  expect(await favorites.json()).toHaveLength(1)
})

test('a row, a card and the player bar share one playback state', async () => {
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
  expect((await readSound(page)).isPaused).toBe(true)
  await pressInPlayer(page, 'Play')
  await row.waitFor()
  expect(await page.locator('audio').count()).toBe(1)
})

test('single-key shortcuts control the player only while they are on', async () => {
  const { page } = await openMemberPage(site, '/settings')
  await page.getByRole('switch', { name: /Single-key shortcuts/ }).uncheck()
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await leaveControls(page)
  await page.keyboard.press('k')
  await waitUntilAt(page, (await readSound(page)).at + 0.3)
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('switch', { name: /Single-key shortcuts/ }).check()
  // An island that is not hydrated yet handles the press later.
  await page.waitForFunction(() => localStorage.getItem('nocturne.keys') === null)
  await leaveControls(page)
  await page.keyboard.press('k')
  await until(async () => (await readSound(page)).isPaused)
})

/** Opens the full-screen player of a phone that plays Lantern. */
async function openSheet(path: string): Promise<{ page: Page; sheet: Locator; complaints: Complaints }> {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page, complaints } = await openMemberPage(site, path, phone)
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await page.waitForURL('**/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await pressInPlayer(page, 'Open the player')
  const sheet = page.getByRole('dialog', { name: 'Now playing' })
  await sheet.waitFor()
  return { page, sheet, complaints }
}

test('Back and a swipe down close the phone’s player, and leave the page and its history alone', async () => {
  const { page, sheet, complaints } = await openSheet('/stories')
  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/')
  await pressInPlayer(page, 'Open the player')
  await sheet.waitFor()
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: number[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y) => ({ x: 195, y })) })
  // A small movement changes nothing.
  await touch('touchStart', 260)
  await touch('touchMove', 262)
  await touch('touchEnd')
  expect(await sheet.count()).toBe(1)
  const entry = await page.evaluate(() => history.state.nocturne)
  await touch('touchStart', 260)
  for (const y of [300, 360, 420, 480]) await touch('touchMove', y)
  await touch('touchEnd')
  await sheet.waitFor({ state: 'detached' })
  expect((await readSound(page)).isPaused).toBe(false)
  // No history entry is left behind: Back leads to the previous page.
  await page.waitForFunction((sheets) => history.state?.nocturne !== sheets, entry)
  await page.goBack()
  await page.waitForURL('**/stories')
  expect(complaints).toEqual([])
})

test('the phone’s player has previous and next, and shows the time left at the chosen speed', async () => {
  const { page, sheet, complaints } = await openSheet('/stories')
  await sheet.getByRole('button', { name: 'Next', exact: true }).click()
  await waitForTitle(page, 'Orchard')
  await waitUntilAt(page, 0)
  await sheet.getByRole('button', { name: 'Previous', exact: true }).click()
  await waitForTitle(page, 'Lantern')
  await sheet.getByRole('button', { name: 'Pause', exact: true }).click()
  await sheet.getByLabel('Position').fill('40')
  await sheet.getByText('1:00 left', { exact: true }).waitFor()
  await sheet.getByRole('button', { name: /^Speed/ }).click()
  await sheet.getByRole('button', { name: /^1.25/ }).click()
  await sheet.getByText('0:48 left at 1.25×', { exact: true }).waitFor()
  // Esc closes one thing at a time, the menu and then the sheet, and neither press counts towards leaving.
  await page.keyboard.press('Escape')
  await sheet.getByRole('button', { name: /^1.25/ }).waitFor({ state: 'detached' })
  expect(await sheet.count()).toBe(1)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).pathname).toBe('/')
  expect(complaints).toEqual([])
})

test('the opened player fits phones of every size without scrolling', async () => {
  const { page, sheet } = await openSheet('/stories')
  for (const [width, height] of [
    [390, 844],
    [390, 667],
    [320, 568],
    [320, 480],
    [844, 390],
    [667, 320],
  ] as const) {
    await page.setViewportSize({ width, height })
    const rest = await sheet.evaluate((each) => [
      each.scrollHeight - each.clientHeight,
      each.scrollWidth - each.clientWidth,
    ])
    expect(`${width} × ${height}: ${rest}`).toBe(`${width} × ${height}: 0,0`)
  }
})

/** Opens another tab of the same browser. */
async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(path, { waitUntil: 'load' })
  return tab
}

test('only one of two tabs plays, and the other continues from its position', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  const tab = await openTab(page, '/')
  await play(tab, 'Orchard')
  await waitUntilPlaying(tab)
  await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect((await readSound(page)).isPaused).toBe(true)
  // The first tab's item is played in the second; the first one moves to the position that is heard there.
  await play(tab, 'Lantern')
  await waitUntilPlaying(tab)
  await slideTo(tab, 60)
  await waitUntilAt(tab, 60)
  await pressInPlayer(tab, 'Pause')
  await player(page)
    .getByText(/^1:0\d$/)
    .waitFor()
  await pressInPlayer(page, 'Play')
  await waitUntilAt(page, 60)
  expect((await readSound(tab)).isPaused).toBe(true)
  expect(complaints).toEqual([])
})

test('playing in one tab cancels the countdown in another', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  const tab = await openTab(page, '/')
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  const release = await holdBack(tab, '**/api/premium-audio/**')
  const asked = tab.waitForRequest('**/api/premium-audio/**')
  await play(tab, 'Harbour')
  await asked
  // In both tabs, since they share one clock.
  await stopTimers(page)
  await hearUntil(page, toneSeconds - 1)
  await player(page).getByText('Playing next: Orchard').waitFor()
  await release()
  await waitUntilPlaying(tab)
  await player(page).getByText('Playing next: Orchard').waitFor({ state: 'detached' })
  await page.clock.runFor('00:06')
  await waitForTitle(page, 'Lantern')
  expect((await readSound(page)).isPaused).toBe(true)
  expect((await readSound(tab)).isPaused).toBe(false)
  expect(complaints).toEqual([])
})

test('playing an item that another tab plays starts at that tab’s position', async () => {
  const { page } = await openMemberPage(site, '/')
  // Reports do not arrive, so only the other tab knows the position.
  await page.context().route('**/api/analytics/progress', (route) => route.abort())
  await play(page, 'Lantern')
  await waitUntilAt(page, 0)
  await slideTo(page, 50)
  await waitUntilAt(page, 50)
  const tab = await openTab(page, '/')
  await play(tab, 'Lantern')
  await waitUntilAt(tab, 50)
  await player(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
})

test('a favourite toggled in one tab changes in the others at once', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  const heart = (where: Page, title: string) =>
    where.locator('article.card').filter({ hasText: title }).locator('.favourite')
  const isFilled = (where: Page, title: string, pressed: boolean) =>
    heart(where, title)
      .and(where.locator(`[aria-pressed=${pressed}]`))
      .waitFor()
  const tab = await openTab(page, '/')
  await heart(page, 'Harbour').click()
  await isFilled(tab, 'Harbour', true)
  await heart(tab, 'Harbour').click()
  await isFilled(page, 'Harbour', false)
  await heart(tab, 'Orchard').click()
  await isFilled(page, 'Orchard', true)
  expect(complaints).toEqual([])
})
