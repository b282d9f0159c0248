import { expect, test } from 'bun:test'
import { publishTestItem } from '#src/testing/app'
import { openOperatorPage, openPage, openSite } from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

const site = await openSite({ AGE_GATE: 'off' })
const { id } = await publishTestItem(site.services, { title: 'Lanterns', categories: ['gay'] })

/** Sends the events that a visitor's browser would send for one playback. */
async function listen(): Promise<void> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const opened = await fetch(`${site.url}/api/analytics/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ consent: true, timestamp: new Date().toISOString() }),
  })
  const cookie = opened.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { sessionId } = await opened.json()
  const event = (eventType: string, positionSec: number) => ({
    id: crypto.randomUUID(),
    eventType,
    timestamp: new Date().toISOString(),
    contentId: id,
    contentType: 'story',
    positionSec,
    totalSec: 100,
  })
  const sent = await fetch(`${site.url}/api/analytics/events`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ sessionId, events: [event('audio_play', 0), event('audio_progress', 60)] }),
  })
  expect((await sent.json()).accepted).toBe(2)
}

test('a visitor without an operator session sees a message that links to the admin page', async () => {
  const { page } = await openPage(site)
  await page.goto('/analytics')
  await page.getByRole('heading', { name: 'Admin Access Required' }).waitFor()
  await page.getByRole('link', { name: 'Go to Admin' }).click()
  await page.getByRole('heading', { name: 'Admin Access' }).waitFor()
})

test('plays count in the figures, by period, category and tab', async () => {
  await listen()
  const { page, complaints } = await openOperatorPage(site, '/analytics')
  const stat = (label: string) =>
    page
      .locator('.stat', { has: page.getByText(label, { exact: true }) })
      .locator('dd')
      .first()
      .textContent()
  expect(await page.getByRole('link', { name: '30 days' }).getAttribute('aria-current')).toBe('true')
  expect(await stat('Content views')).toBe('1')
  expect(await stat('Audio plays')).toBe('1')
  await page.getByRole('img', { name: /^Daily active users: from / }).waitFor()
  await page.getByRole('link', { name: 'Today' }).click()
  await page.waitForURL(/days=1&/)
  await page.getByRole('link', { name: 'Content Performance' }).click()
  await page.getByRole('rowheader', { name: 'Lanterns' }).waitFor()
  await page
    .getByRole('img', { name: 'Reached 25, 50, 75 and 100 percent: 100, 100, 0, 0 percent of the views' })
    .waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('content-performance-1-days.csv')
  await page.getByLabel('Category').selectOption('bdsm')
  await page.getByText('Nothing was played or read in this period.').waitFor()
  await page.getByRole('link', { name: 'Real-Time' }).click()
  await page.getByText('1 person').waitFor()
  expect(await page.getByText('audio_progress').count()).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})

test('figures do not change under the pointer, and catch up when it leaves', async () => {
  const { page } = await openOperatorPage(site, '/analytics')
  await page.clock.install()
  await page.goto('/analytics', { waitUntil: 'networkidle' })
  const views = page.locator('.stat', { has: page.getByText('Content views', { exact: true }) }).locator('dd')
  const before = Number(await views.first().textContent())
  await page.getByText('Content views').hover()
  await listen()
  await page.clock.runFor(31_000)
  await page.locator('.notice').getByText('Updates paused - New data available').waitFor()
  expect(Number(await views.first().textContent())).toBe(before)
  await page.mouse.move(2, 2)
  await page.locator('.notice').getByText('Updates paused - New data available').waitFor({ state: 'hidden' })
  // On a busy machine rollups run less often than the page refreshes. Then a later refresh shows the figures.
  await until(async () => {
    const answer = page.waitForResponse(/api\/analytics\/summary/)
    await page.clock.runFor(31_000)
    await answer
    return Number(await views.first().textContent()) !== before
  })
  await page.waitForFunction(
    (was) => document.querySelector('.stats')?.textContent?.includes(`Content views${was + 1}`),
    before,
  )
})

test('the analytics have no accessibility or layout faults at either width and theme', async () => {
  const { page } = await openOperatorPage(site, '/analytics')
  for (const tab of ['behavior', 'content', 'realtime']) {
    await page.goto(`/analytics?tab=${tab}`, { waitUntil: 'networkidle' })
    expect(await findFaults(page, tab)).toEqual([])
  }
})
