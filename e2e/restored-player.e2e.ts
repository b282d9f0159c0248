import { expect, test } from 'bun:test'
import { publishTestItem } from '#src/testing/app'
import {
  codeOf,
  holdBack,
  narrateWithTone,
  openMemberPage,
  openSite,
  seeToast,
  watchReact,
} from '#src/testing/browser'
import { findLostWords } from '#src/testing/find-faults'
import { player, waitUntilPlaying } from '#src/testing/player'

const site = await openSite({ AGE_GATE: 'off' })
const { id } = await publishTestItem(site.services, { title: 'Lantern' })
await narrateWithTone(site.services, id, 90)
const other = await publishTestItem(site.services, { title: 'Orchard' })
await narrateWithTone(site.services, other.id, 90)

const openRestored = async () => {
  const opened = await openMemberPage(site, '/')
  const { page } = opened
  await page.getByRole('button', { name: 'Play Lantern' }).click()
  await waitUntilPlaying(page, 1)
  const hasReact = watchReact(page)
  await page.reload({ waitUntil: 'networkidle' })
  const bar = player(page)
  await bar.getByRole('link', { name: 'Lantern' }).waitFor()
  return { ...opened, bar, hasReact }
}

const roomBelow = ({ page }: Awaited<ReturnType<typeof openRestored>>) =>
  page.locator('.main').evaluate((main) => getComputedStyle(main).paddingBottom)

test('a restored player’s bar is shown without React, and its first press loads React and plays', async () => {
  const opened = await openRestored()
  const { page, bar, hasReact, complaints } = opened
  expect(await hasReact()).toBe(false)
  const room = await roomBelow(opened)
  await bar.getByRole('button', { name: 'Play', exact: true }).click()
  await waitUntilPlaying(opened.page, 1)
  expect(await hasReact()).toBe(true)
  expect(await bar.count()).toBe(1)
  await bar.getByRole('button', { name: 'Pause' }).waitFor()
  expect(await roomBelow(opened)).toBe(room)
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Lantern')
  expect(complaints).toEqual([])
})

test('input on a restored bar before the player is loaded is replayed once and in order', async () => {
  const opened = await openRestored()
  const { page, bar, complaints } = opened
  const releaseFirst = await holdBack(page, codeOf('player'))
  // This clicks the middle of the slider.
  await bar.getByLabel('Position').click()
  await releaseFirst()
  await bar.getByText(/^0:4[456]$/).waitFor()

  await page.reload({ waitUntil: 'networkidle' })
  const release = await holdBack(page, codeOf('player'))
  const play = bar.getByRole('button', { name: 'Play', exact: true })
  await play.click()
  await play.click()
  await bar.getByLabel('Position').fill('60')
  await release()
  await waitUntilPlaying(opened.page, 1)
  expect(
    await page.locator('#player-host audio').evaluate((audio: HTMLAudioElement) => audio.currentTime),
  ).toBeGreaterThan(50)
  expect(complaints).toEqual([])
})

test('the k shortcut and the close button of a restored bar work', async () => {
  const opened = await openRestored()
  await opened.page.keyboard.press('k')
  await waitUntilPlaying(opened.page, 1)
  await opened.page.reload({ waitUntil: 'networkidle' })
  await opened.bar.waitFor()
  const room = await roomBelow(opened)
  await opened.bar.getByRole('button', { name: 'Stop and close' }).click()
  await opened.bar.waitFor({ state: 'detached' })
  expect(Number.parseInt(room, 10)).toBeGreaterThan(Number.parseInt(await roomBelow(opened), 10))
  await opened.page.reload({ waitUntil: 'networkidle' })
  expect(await opened.bar.count()).toBe(0)
  expect(opened.complaints).toEqual([])
})

test('a card whose player failed to load is not played by a later press on the restored bar', async () => {
  const opened = await openRestored()
  const { page, bar } = opened
  await page.clock.install()
  await page.reload({ waitUntil: 'networkidle' })
  const goOn = await holdBack(page, codeOf('player'))
  const asked = page.waitForRequest(codeOf('player'))
  await page.getByRole('button', { name: 'Play Orchard' }).click()
  await page.clock.runFor(2_000)
  await asked
  await page.clock.runFor('00:11')
  await seeToast(page, 'The server did not answer')
  await page.clock.resume()
  await goOn()
  await bar.getByRole('button', { name: 'Play', exact: true }).click()
  await waitUntilPlaying(opened.page, 1)
  // It plays at once. After the end of the other item it would be the next one.
  expect(await bar.getByRole('link', { name: 'Lantern' }).count()).toBe(1)
})

test.each([
  [320, 640],
  [320, 800],
  [390, 844],
  [844, 390],
  [1280, 800],
])('the restored bar at %i × %i px cuts off no text, even at double text size', async (width, height) => {
  const { page } = await openRestored()
  await page.setViewportSize({ width, height })
  expect(await findLostWords(page, { isTextLarge: true })).toEqual([])
  expect(await findLostWords(page)).toEqual([])
})
