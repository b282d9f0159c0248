import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { operatorToken, publishTestItem } from '#src/testing/app'
import {
  holdBack,
  narrateWithTone,
  openMemberPage,
  openOperatorPage,
  openPage,
  openSite,
  seeFocus,
} from '#src/testing/browser'
import { player, readSound } from '#src/testing/player'
import { until } from '#src/testing/until'

/**
 * Announcements of screen readers: a text is announced only by a region that existed before it, and that is not inert.
 */
const site = await openSite({ AGE_GATE: 'off' })
for (const [title, category] of [
  ['Harbour', 'romantic'],
  ['Orchard', 'gay'],
  ['Lantern', 'gay'],
] as const) {
  const { id } = await publishTestItem(site.services, { title, categories: [category] })
  await narrateWithTone(site.services, id, 100)
}

/** Waits until the original announcer of the page contains these words, and nothing makes it inert. */
async function hear(page: Page, words: string): Promise<void> {
  await page.waitForFunction((words) => {
    const announcer = document.querySelector('#announcer[data-first]')
    const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
    return announcer?.textContent === words && (modal?.contains(announcer) ?? true)
  }, words)
}

const markAnnouncer = (page: Page) =>
  page.locator('#announcer').evaluate((announcer) => announcer.setAttribute('data-first', ''))

test('filters and searches announce loading and the number of results', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  await markAnnouncer(page)
  const chip = (name: string) =>
    page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name, exact: true })
  const letCome = await holdBack(page, /category=gay/)
  await chip('Gay').press('Enter')
  await hear(page, 'Loading')
  await letCome()
  await hear(page, '2 results')
  await chip('ALL').press('Enter')
  await hear(page, '3 results')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Read Stories' })
    .press('Enter')
  await hear(page, 'Read Stories – Nocturne')
  await page.getByRole('searchbox', { name: 'Search stories' }).pressSequentially('lan')
  await hear(page, '1 result')
  expect(await page.locator('main [role="status"]').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a toast over a dialog is announced in it, and a filter without a count announces its place', async () => {
  const { page, complaints } = await openMemberPage(site, '/', { viewport: { width: 390, height: 800 } })
  await markAnnouncer(page)
  await page.getByRole('button', { name: 'Play Harbour' }).press('Enter')
  await page.getByRole('button', { name: 'Open the player' }).press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Now playing' })
  await sheet.getByRole('button', { name: 'Add to favorites' }).press('Enter')
  await hear(page, 'Added to favorites. Content has been added to your favorites')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await page.locator('body > #toast-host > #announcer[data-first]').count()).toBe(1)

  // In discreet mode all pages have the same title, so a filter without a count announces the current place.
  const data = { discreetMode: true }
  await page.request.patch('/api/user/settings', { headers: { 'sec-fetch-site': 'same-origin' }, data })
  await page.goto('/my-content')
  await markAnnouncer(page)
  await page.getByLabel('Type').selectOption('story')
  await hear(page, 'My Content, Stories (1)')
  expect(complaints).toEqual([])
})

test('a notice of the player is announced when it appears', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  await markAnnouncer(page)
  await page.getByRole('button', { name: 'Play Harbour' }).press('Enter')
  const bar = player(page)
  await bar.getByText('1:40', { exact: true }).waitFor()
  const position = bar.getByLabel('Position')
  for (let times = 0; times < 4; times += 1) await position.press('PageUp')
  // Until the audio has followed, the next press would belong to the same move.
  await until(async () => (await readSound(page)).at >= 40)
  await bar.getByText(/^0:[45]\d$/).waitFor()
  await position.press('Home')
  const notice = await bar.locator('.notice p').textContent()
  expect(notice).toMatch(/^Moved to 0:00\. You were at 0:[45]/)
  await hear(page, notice ?? '')
  expect(await bar.getByRole('status').count()).toBe(0)
  await bar.getByRole('button', { name: 'Undo' }).press('Enter')
  await seeFocus(bar.getByRole('button', { name: 'Pause', exact: true }))
  expect(complaints).toEqual([])
})

test('selecting rows in the console announces their number, from the first row on', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  await markAnnouncer(page)
  await page.getByRole('checkbox', { name: 'Select: Orchard' }).press('Space')
  await hear(page, '1 item selected')
  await page.getByRole('checkbox', { name: 'Select: Lantern' }).press('Space')
  await hear(page, '2 items selected')
  expect(complaints).toEqual([])
})

test('a tab of the console is announced by name when all pages share one title', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  const headers = { 'sec-fetch-site': 'same-origin' }
  await page.request.patch('/api/user/settings', { headers, data: { discreetMode: true } })
  await page.request.post('/api/admin/login', { headers, data: { token: operatorToken, name: 'Ada' } })
  await page.goto('/premium-content')
  expect(await page.title()).not.toContain('Premium')
  await markAnnouncer(page)
  for (const tab of ['Single Upload', 'Bulk Upload']) {
    await page.getByRole('link', { name: tab, exact: true }).press('Enter')
    await hear(page, `Premium Content, ${tab}`)
  }
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Jobs' }).press('Enter')
  await hear(page, 'Jobs')
  expect(complaints).toEqual([])
})
