import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publishTestItem } from '#src/testing/app'
import { holdBack, narrateWithTone, openMemberPage, openSite, pressTwice } from '#src/testing/browser'
import { play, player, waitUntilPlaying } from '#src/testing/player'

/** Leaving at once: nothing remains visible or audible, however slow or far away the neutral page is. */
const site = await openSite({ AGE_GATE: 'off' })
const toneSeconds = 100
const orchard = await publishTestItem(site.services, { title: 'Orchard' })
const lantern = await publishTestItem(site.services, { title: 'Lantern' })
for (const { id } of [orchard, lantern]) await narrateWithTone(site.services, id, toneSeconds)

/** Keeps the page in place, as while a slow neutral page is loading. */
const holdNeutralPage = (page: Page) => page.route('**/leave', (route) => route.fulfill({ status: 204 }))

async function leaveByKeyboard(page: Page): Promise<void> {
  await pressTwice(page, 'Escape')
  await page.locator('html[hidden]').waitFor({ state: 'attached' })
}

/** Whether the audio stays silent. An audio that is opened would be played in the same task. */
async function isSilentOnceOpened(page: Page): Promise<boolean> {
  const audio = page.locator('#player-host audio[src]')
  await audio.waitFor({ state: 'attached' })
  return audio.evaluate((element: HTMLAudioElement) => element.paused)
}

test('audio that is still loading stays silent after leaving, even while the neutral page is slow', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await holdNeutralPage(page)
  const release = await holdBack(page, '**/api/premium-audio/**')
  await play(page, 'Lantern')
  await player(page).waitFor()
  await leaveByKeyboard(page)
  await release()
  expect(await isSilentOnceOpened(page)).toBe(true)
  expect(complaints).toEqual([])
})

test('playing audio stops at once on leaving', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await holdNeutralPage(page)
  await play(page, 'Lantern')
  await waitUntilPlaying(page)
  await page.getByRole('link', { name: 'Leave quickly' }).click()
  await page.locator('html[hidden]').waitFor({ state: 'attached' })
  expect(await isSilentOnceOpened(page)).toBe(true)
  expect(complaints).toEqual([])
})

test('the next item stays silent when leaving during its countdown', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await holdNeutralPage(page)
  await play(page, 'Lantern')
  await page.waitForFunction((at) => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    if (!audio || audio.paused || !(audio.duration > 0)) return false
    audio.currentTime = at
    return true
  }, toneSeconds - 1)
  const nextOpens = page.waitForRequest(
    (request) => request.method() === 'GET' && request.url().includes(`/api/premium-audio/${orchard.id}`),
  )
  await page.locator('.notice').getByText('Playing next: Orchard').waitFor()
  await leaveByKeyboard(page)
  await nextOpens
  expect(await isSilentOnceOpened(page)).toBe(true)
  expect(complaints).toEqual([])
})

test('the neutral page opens offline and shows no trace of the site', async () => {
  const { page, context } = await openMemberPage(site, '/story/lantern', { serviceWorkers: 'allow' })
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Leave quickly' }).click()
  await page.getByRole('heading', { name: 'Notes' }).waitFor()
  expect(await page.title()).toBe('Notes')
  expect(await page.content()).not.toMatch(/nocturne|kept on this device/i)
})
