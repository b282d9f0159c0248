import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishTestItem } from '#src/testing/app'
import { codeOf, holdBack, narrateWithTone, openMemberPage, openPage, openSite } from '#src/testing/browser'
import { play, player, waitUntilPlaying } from '#src/testing/player'
import { until } from '#src/testing/until'

/** Rules of Safari and of phones, as far as Chromium can follow them. */
const site = await openSite({ AGE_GATE: 'off' })
const { id, slug } = await publishTestItem(site.services, { title: 'Lantern' })
await narrateWithTone(site.services, id, 90)

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/**
 * Lets an audio element play only if it was loaded or played in time after a press, as in Safari, where that is five
 * seconds. Here the time is over as soon as the server has answered whether the item may be heard, or when the page
 * receives the event `time-over`.
 */
async function limitPlayback(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const allowed = new WeakSet<HTMLMediaElement>()
    let isInTime = false
    const { load, play } = HTMLMediaElement.prototype
    const { fetch } = window
    addEventListener('pointerdown', () => (isInTime = true), { capture: true })
    addEventListener('time-over', () => (isInTime = false))
    window.fetch = Object.assign(async (...[address, init]: Parameters<typeof fetch>) => {
      const response = await fetch(address, init)
      if (init?.method === 'HEAD') isInTime = false
      return response
    }, fetch)
    HTMLMediaElement.prototype.load = function () {
      if (isInTime) allowed.add(this)
      load.call(this)
    }
    HTMLMediaElement.prototype.play = function () {
      if (isInTime) allowed.add(this)
      if (allowed.has(this)) return play.call(this)
      return Promise.reject(new DOMException('Not in time.', 'NotAllowedError'))
    }
  })
}

test('Play plays in Safari, however late the server answers', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await limitPlayback(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Play Lantern' }).click()
  await page.waitForFunction(
    () => (document.querySelector<HTMLAudioElement>('#player-host audio')?.currentTime ?? 0) > 0,
  )
  expect(complaints).toEqual([])
})

test('Play plays in Safari, however late the player’s code arrives', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await limitPlayback(page)
  const release = await holdBack(page, codeOf('player'))
  await page.goto('/')
  await play(page, 'Lantern')
  await page.evaluate(() => dispatchEvent(new Event('time-over')))
  await release()
  await waitUntilPlaying(page)
  expect(complaints).toEqual([])
})

/** The height of the bar at the lower edge by which an iPhone goes to the home screen. */
const homeBar = 34

test('the bars of phones leave room for the bar by which the phone goes to its home screen', async () => {
  const { page } = await openMemberPage(site, '/', phone)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: homeBar } })
  const bottomOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect().bottom)
  const { height } = phone.viewport

  expect(await bottomOf('.tabbar a')).toBeLessThanOrEqual(height - homeBar)
  const [link, bar] = await Promise.all(
    ['.tabbar a', '.tabbar'].map(async (each) => (await page.locator(each).first().boundingBox())?.height),
  )
  expect(link).toBeGreaterThanOrEqual(44)
  expect(bar).toBeGreaterThanOrEqual(homeBar + 44)

  await page.getByRole('button', { name: 'Play Lantern' }).click()
  await player(page).waitFor()
  expect(await bottomOf('.player')).toBe(height - (bar ?? 0))
  // The reader has no tab bar: the player is the lowest, above the phone's own bar.
  await page.goto(`/story/${slug}`)
  await player(page).waitFor()
  expect(await bottomOf('.player')).toBe(height - homeBar)
})

test('on a phone on its side, nothing to read or press is under its camera', async () => {
  const { page } = await openMemberPage(site, '/', { ...phone, viewport: { width: 844, height: 390 } })
  const devtools = await page.context().newCDPSession(page)
  await page.getByRole('button', { name: 'Play Lantern' }).click()
  await player(page).waitFor()
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 47, right: 47, bottom: 21 } })
  const findHidden = (area: string) =>
    page.locator(`${area} :is(a, button, h1, h2, p, input)`).evaluateAll((found) =>
      found.flatMap((each) => {
        const { left, right, width } = each.getBoundingClientRect()
        const isHidden = width > 1 && (left < 47 || right > innerWidth - 47)
        return isHidden && each.checkVisibility() ? [each.outerHTML.slice(0, 80)] : []
      }),
    )
  for (const area of ['.topbar', '.player', '.tabbar', '.main']) expect(await findHidden(area)).toEqual([])
  await page.locator('.topbar a[href="#sidebar"]').click()
  // It slides in.
  await until(async () => (await findHidden('.sidebar')).length === 0)
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Read Now: Lantern' }).click()
  await page.locator('dialog.reader').waitFor()
  expect(await findHidden('dialog.reader')).toEqual([])
})

test.each(['/stories', '/sign-in', '/landing', '/reset-password'])(
  'an iPhone does not zoom into fields of %s, because their text has 16 px',
  async (path) => {
    const { page } = await openPage(site, phone)
    await page.goto(path)
    const small = await page
      .locator('input:not([type=checkbox], [type=radio], [type=hidden]), textarea, select')
      .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)))
    expect(small.length).toBeGreaterThan(0)
    expect(Math.min(...small)).toBeGreaterThanOrEqual(16)
  },
)
