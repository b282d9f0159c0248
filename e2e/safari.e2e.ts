import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishTestItem } from '#src/testing/app'
import { narrateWithTone, openMemberPage, openSite } from '#src/testing/browser'

/** Rules of Safari and of phones, as far as Chromium can follow them. */
const site = await openSite({ AGE_GATE: 'off' })
const { id } = await publishTestItem(site.services, { title: 'Lantern' })
await narrateWithTone(site.services, id, 90)

/**
 * Lets an audio element play only if it was loaded or played in time after a press, as in Safari, where that is five
 * seconds. Here the time is over as soon as the server has answered whether the item may be heard.
 */
async function limitPlayback(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const allowed = new WeakSet<HTMLMediaElement>()
    let isInTime = false
    const { load, play } = HTMLMediaElement.prototype
    const { fetch } = window
    addEventListener('pointerdown', () => (isInTime = true), { capture: true })
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
    undefined,
    { timeout: 20_000 },
  )
  expect(complaints).toEqual([])
})
