import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { openLastingPage, openPage, openSite } from '#src/testing/browser'
import { findBarriers } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

/** Tests of the helpers that the browser tests use. */
const site = await openSite()

afterEach(() => void setSystemTime())

const waitInVain = () =>
  until(() => {
    setSystemTime(Date.now() + 200_000)
    return false
  }).catch(String)

test('until() reports the open pages, their errors and latest requests when it times out', async () => {
  const { page } = await openPage(site)
  await page.goto('/help')
  await page.route('**/api/broken', (route) => route.abort('connectionrefused'))
  const held = Promise.withResolvers<void>()
  await page.route('**/api/held', () => held.resolve())
  await page.evaluate(async () => {
    for (let at = 0; at < 20; at++) await fetch(`/api/none-${at}`, { method: 'PUT' })
    await fetch('/api/broken', { method: 'DELETE' }).catch(() => {})
    void fetch('/api/held', { method: 'POST', body: 'a lamp' })
    console.error('the lamp is out')
  })
  await held.promise
  const words = await waitInVain()
  expect(words).toContain(`Open page ${site.url}/help\n`)
  expect(words).toContain('console: the lamp is out')
  // The list has limited room, and one of its calls may be the page's own.
  expect(words).not.toContain('PUT /api/none-6:')
  expect(words).toContain('PUT /api/none-8: 404\n')
  expect(words).toContain('DELETE /api/broken: net::ERR_CONNECTION_REFUSED\n')
  expect(words).toEndWith('POST /api/held a lamp: no answer yet')
})

test('findBarriers() ignores colours in transition', async () => {
  const { page } = await openPage(site)
  await page.goto('/help')
  await page.locator('h1').evaluate((title) => {
    Object.assign(title.style, { backgroundColor: 'black', color: '#333' })
    // Reading the layout makes the transition start here.
    title.getBoundingClientRect()
    Object.assign(title.style, { transition: 'color 1000s', color: 'white' })
  })
  expect(await findBarriers(page, ['color-contrast'])).toEqual([])
})

test('until() does not report a closed page', async () => {
  const { page, context } = await openLastingPage(site)
  await page.goto('/help')
  expect(await waitInVain()).toContain(`Open page ${site.url}/help`)
  await context.close()
  expect(await waitInVain()).not.toContain('Open page')
})

test('the next page opens in a new browser after Chromium has crashed', async () => {
  const { context } = await openLastingPage(site)
  const browser = context.browser()
  const crashed = Promise.withResolvers<void>()
  browser?.once('disconnected', () => crashed.resolve())
  const session = await browser?.newBrowserCDPSession()
  void session?.send('Browser.crash').catch(() => {})
  await crashed.promise
  expect(await waitInVain()).not.toContain('Open page')
  const { page, complaints } = await openPage(site)
  await page.goto('/help')
  expect(complaints).toEqual([])
})
