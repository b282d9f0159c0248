import { beforeAll, expect, test } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { publishTestItem } from '#src/testing/app'
import { holdBack, openPage, openSite } from '#src/testing/browser'
import { until } from '#src/testing/until'

/** A search while typing, against what a person does before its results are there. */
const site = await openSite({ AGE_GATE: 'off' })
beforeAll(async () => {
  for (const title of ['The Night Ferry', 'Salt Air']) await publishTestItem(site.services, { title })
})

/** Longer than the pause in typing after which a search runs, and shorter than the time until it is counted. */
const pauseMs = 400
/** Longer than the time until a search is counted. */
const countMs = 1_600

const field = (page: Page) => page.getByLabel('Search stories')
const listOf = (words: string) => `**/stories?q=${words}`
const results = (page: Page, count: string) =>
  page.getByRole('main').getByText(count, { exact: true }).waitFor()

/** Opens the stories, searches for "salt", and then stops the clock: only the test moves it. */
async function openSearch(): ReturnType<typeof openPage> {
  const opened = await openPage(site)
  const { page } = opened
  await page.clock.install()
  await page.goto('/stories')
  await field(page).fill('salt')
  await page.waitForURL(listOf('salt'))
  await page.clock.pauseAt(Date.now() + 60_000)
  return opened
}

async function search(page: Page, words: string): Promise<void> {
  await field(page).fill(words)
  await page.clock.runFor(pauseMs)
}

/** Records the address of each search that is counted. */
async function noteCounted(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const counted: string[] = []
    document.addEventListener('nocturne:searched', () => counted.push(location.search))
    Object.assign(globalThis, { counted })
  })
  return () => page.evaluate<string[]>('globalThis.counted')
}

test('half of a word is not counted while the other half is being typed, but counts if it is typed again', async () => {
  const { page, complaints } = await openSearch()
  const counted = await noteCounted(page)
  await search(page, 'fer')
  await page.waitForURL(listOf('fer'))
  const release = await holdBack(page, listOf('ferry'))
  await search(page, 'ferry')
  await page.clock.runFor(countMs)
  expect(await counted()).toEqual([])
  await search(page, 'fer')
  await page.clock.runFor(countMs)
  expect(await counted()).toEqual(['?q=fer'])
  await release()
  expect(complaints).toEqual([])
})

test('results that arrive after Back are not shown', async () => {
  const { page, complaints } = await openSearch()
  const releaseSearch = await holdBack(page, listOf('ferry'))
  await search(page, 'ferry')
  const ended = endOfSearch(page, 'ferry')
  const releasePage = await holdBack(page, '**/stories')
  await page.evaluate(() => history.back())
  await page.waitForURL('**/stories')
  await releaseSearch()
  await ended
  // Another round trip, in which the page would receive the results.
  await page.evaluate('1')
  await releasePage()
  await page.clock.resume()
  await results(page, '2 results')
  await page.evaluate(() => history.forward())
  await page.waitForURL(listOf('salt'))
  await results(page, '1 result')
  expect(complaints).toEqual([])
})

test('a search that is still due is dropped by Back', async () => {
  const { page, complaints } = await openSearch()
  await field(page).fill('ferry')
  const release = await holdBack(page, '**/stories')
  await page.evaluate(() => history.back())
  await page.waitForURL('**/stories')
  const asked = watchSearches(page)
  await page.clock.runFor(pauseMs)
  await release()
  await page.clock.resume()
  await results(page, '2 results')
  expect(asked).toEqual([])
  expect(complaints).toEqual([])
})

test('Enter while the same search is being fetched neither fetches it again nor adds an entry', async () => {
  const { page, complaints } = await openSearch()
  const asked = watchSearches(page)
  const release = await holdBack(page, listOf('ferry'))
  await search(page, 'ferry')
  const entries = await page.evaluate(() => history.length)
  await field(page).press('Enter')
  await release()
  await page.waitForURL(listOf('ferry'))
  await page.clock.resume()
  await results(page, '1 result')
  expect(asked).toEqual(['?q=ferry'])
  expect(await page.evaluate(() => history.length)).toBe(entries)
  expect(complaints).toEqual([])
})

test('a text that is changed back to the shown search keeps its results', async () => {
  const { page, complaints } = await openSearch()
  const release = await holdBack(page, listOf('salty'))
  await search(page, 'salty')
  const isDropped = page.waitForEvent('requestfailed')
  await search(page, 'salt')
  await isDropped
  await release()
  await until(() => page.evaluate(() => !('visiting' in document.documentElement.dataset)))
  await results(page, '1 result')
  expect(complaints).toEqual([])
})

/** Resolves when a request for the page of a search has ended, in whichever way. */
function endOfSearch(page: Page, words: string): Promise<unknown> {
  const isIt = (request: Request) => request.url().includes(`q=${words}`)
  return Promise.race([page.waitForEvent('requestfinished', isIt), page.waitForEvent('requestfailed', isIt)])
}

/** Lists the queries of all pages of stories that are requested from now on. */
function watchSearches(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/stories' && search) asked.push(search)
  })
  return asked
}
