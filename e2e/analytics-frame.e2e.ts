import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { lockTable } from '#db/testing-lock'
import { openOperatorPage, openSite } from '#src/testing/browser'

const site = await openSite({ AGE_GATE: 'off' })

const lockFigures = () => lockTable(site.services.db, 'analytics_reach')

/** Expects the dashboard's frame while the figures are read: their names are visible, the figures are not. */
async function seeFrame(page: Page): Promise<void> {
  await page.getByText('Total users').waitFor()
  await page.getByRole('heading', { name: 'Daily active users' }).waitFor()
  await page.getByRole('link', { name: '30 days' }).waitFor()
  // The text may be there before the style sheet that hides the figures.
  await page.locator('.stat dd').first().waitFor({ state: 'hidden' })
}

/** Expects the figures in the same places, and that the frame is no longer visible. */
async function seeFigures(page: Page): Promise<void> {
  await page.locator('.stat dd:visible').first().waitFor()
  await page.getByRole('heading', { name: 'Searches without a result' }).waitFor()
  expect(await page.getByText('Total users').filter({ visible: true }).count()).toBe(1)
}

test('the dashboard’s frame arrives before its figures without JavaScript', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin', { javaScriptEnabled: false })
  const release = await lockFigures()
  await page.goto('/analytics', { waitUntil: 'commit' })
  await seeFrame(page)
  await release()
  await seeFigures(page)
  expect(complaints).toEqual([])
})

test('the dashboard’s frame is painted before its figures, which cause no layout shift', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  await page.addInitScript(() => {
    Object.assign(globalThis, { moved: 0 })
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries())
        if ('value' in shift) Object.assign(globalThis, { moved: shift.value })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const release = await lockFigures()
  await page.goto('/analytics', { waitUntil: 'commit' })
  await seeFrame(page)
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  const top = await page.getByRole('heading', { name: 'Session length' }).boundingBox()
  await release()
  await seeFigures(page)
  await page.waitForFunction(() => document.querySelector('.awaited-frame') === null)
  expect(await page.getByRole('heading', { name: 'Session length' }).boundingBox()).toEqual(top)
  expect(await page.evaluate('moved')).toBe(0)
  expect(complaints).toEqual([])
})

test('soft navigation shows the dashboard’s frame before its figures, and keeps focus on the pressed link', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const release = await lockFigures()
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Analytics' }).click()
  await page.waitForURL('/analytics')
  await seeFrame(page)
  await page.getByRole('link', { name: '7 days' }).click()
  await page.waitForURL(/days=7/)
  await seeFrame(page)
  await release()
  await seeFigures(page)
  await page.waitForFunction(() => {
    const root = document.querySelector('[data-name=analytics-dashboard] > nocturne-root')
    return root !== null && 'isHydrated' in root && document.querySelector('footer') !== null
  })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('7 days')
  expect(complaints).toEqual([])
})
