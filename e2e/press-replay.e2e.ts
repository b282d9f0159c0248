import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { reports, stories } from '#db/schema'
import { runScans } from '#src/guideline/testing'
import { register } from '#src/member/sign-in/register'
import { addGuideline } from '#src/review/change-guideline'
import { memberPassword, publishTestItem } from '#src/testing/app'
import {
  codeOf,
  holdBack,
  narrateWithTone,
  openMemberPage,
  openOperatorPage,
  openSite,
  seeToast,
} from '#src/testing/browser'

/** Presses before an island is hydrated, or while its markup is being replaced, count: once, and in order. */
const site = await openSite({ AGE_GATE: 'off' })
const { db } = site.services
for (const title of ['The Ferry', 'The Orchard', 'The Lamp', 'The Weir']) {
  const { id } = await publishTestItem(site.services, { title, content: `${title} at dusk.` })
  await db.insert(reports).values({ storyId: id, flagType: 'audio_fault', flagReason: 'It is silent.' })
  if (title === 'The Weir') await narrateWithTone(site.services, id, 30)
}

await register(db, { email: 'mara@example.com', password: memberPassword, firstName: 'Mara' }, 'mara')

const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select: ${title}` })
const ticked = (page: Page) => page.getByRole('checkbox', { name: /^Select: The/, checked: true }).count()

for (const { path, code, noun } of [
  { path: '/premium-content', code: 'library-selection', noun: 'item' },
  { path: '/moderation', code: 'row-selection', noun: 'report' },
]) {
  test(`rows of ${path} ticked before React is loaded are selected, with Shift as a range`, async () => {
    const { page, complaints } = await openOperatorPage(site, path)
    const release = await holdBack(page, codeOf(code))
    await box(page, 'The Weir').click()
    await box(page, 'The Orchard').click({ modifiers: ['Shift'] })
    expect(await ticked(page)).toBe(2)
    await release()
    await page.getByRole('region', { name: 'Selection' }).getByText(`3 ${noun}s selected`).waitFor()
    expect(await ticked(page)).toBe(3)
    // The next range starts at the last pressed row.
    await box(page, 'The Ferry').click({ modifiers: ['Shift'] })
    await page.getByRole('region', { name: 'Selection' }).getByText(`4 ${noun}s selected`).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await ticked(page)).toBe(0)
    expect(complaints).toEqual([])
  })
}

test('a row ticked before any script is loaded is selected', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const release = await holdBack(page, '**/assets/loader-*.js')
  await page.goto('/members', { waitUntil: 'commit' })
  await page
    .getByRole('checkbox', { name: /^Select: / })
    .first()
    .click()
  await release()
  await page.getByRole('region', { name: 'Selection' }).getByText('1 member selected').waitFor()
  expect(complaints).toEqual([])
})

test('Space, x and Shift+X select and deselect rows before React is loaded', async () => {
  const { page, complaints } = await openOperatorPage(site, '/moderation')
  const release = await holdBack(page, codeOf('row-selection'))
  await box(page, 'The Weir').press('Space')
  await box(page, 'The Lamp').press('x')
  await box(page, 'The Lamp').press('Space')
  await box(page, 'The Orchard').focus()
  await page.keyboard.press('Shift+X')
  expect(await box(page, 'The Lamp').isChecked()).toBe(false)
  await release()
  await page.getByRole('region', { name: 'Selection' }).getByText('3 reports selected').waitFor()
  expect(await box(page, 'The Ferry').isChecked()).toBe(false)
  expect(complaints).toEqual([])
})

test('held items ticked with Shift before hydration are selected as a range, and with their whole group', async () => {
  const isConfirmed = true
  await publishTestItem(site.services, { title: 'Held 1', content: 'A candle.' })
  await publishTestItem(site.services, { title: 'Held 2', content: 'A candle.' })
  await publishTestItem(site.services, { title: 'Held 3', content: 'A candle.' })
  await addGuideline(db, { keywords: 'candle', description: 'No candles' }, 'Ada', { isConfirmed })
  await runScans(db)
  const { page, complaints } = await openOperatorPage(site, '/training?tab=held')
  const release = await holdBack(page, codeOf('held-queue'))
  const boxes = page.getByRole('checkbox', { name: /^Select: Held/ })
  await boxes.nth(0).click()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  expect(await boxes.nth(2).isChecked()).toBe(true)
  await release()
  await page.getByRole('region', { name: 'Selection' }).getByText('3 items selected').waitFor()
  await page.getByRole('checkbox', { name: /^Select the 3/, checked: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a menu pressed before React is loaded opens and receives the keys pressed after', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  const release = await holdBack(page, codeOf('card-controls'))
  const menu = page.getByRole('button', { name: 'More for The Weir' })
  await menu.press('Enter')
  await menu.press('ArrowDown')
  expect(await menu.getAttribute('aria-busy')).toBe('true')
  await release()
  await page.getByRole('menuitem', { name: 'Add to queue' }).and(page.locator(':focus')).waitFor()
  expect(await menu.getAttribute('aria-busy')).toBeNull()
  expect(complaints).toEqual([])
})

/** Reloads the page as an action does. Resolves when the response is held back, with a function that releases it. */
async function reloadHeld(page: Page): Promise<() => Promise<void>> {
  const release = await holdBack(page, page.url())
  await page.evaluate(() => {
    document.dispatchEvent(
      new CustomEvent('nocturne:visit', { detail: { url: location.href, isReload: true }, cancelable: true }),
    )
  })
  return release
}

test('clicking a title opens its editor while the list is being replaced', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  const editor = page.getByRole('dialog', { name: 'Edit content' })
  const title = page.getByText('The Orchard', { exact: true })
  await title.click()
  await editor.getByLabel('Title').fill('The Old Orchard')
  const release = await holdBack(page, page.url())
  await editor.getByRole('button', { name: 'Save changes' }).click()
  await editor.waitFor({ state: 'hidden' })
  await title.click()
  await release()
  await editor.waitFor()
  expect(await editor.getByLabel('Title').inputValue()).toBe('The Old Orchard')
  await page.getByText('The Old Orchard', { exact: true }).first().waitFor()
  expect(complaints).toEqual([])
})

test('a click opens the editor when the list is replaced between pointer down and up', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  const title = page.getByText('The Lamp', { exact: true })
  await title.hover()
  await page.mouse.down()
  const old = await title.elementHandle()
  await db.update(stories).set({ description: 'Lit.' })
  await (await reloadHeld(page))()
  await page.mouse.up()
  await page.getByRole('dialog', { name: 'Edit content' }).waitFor()
  expect(await old?.evaluate((element) => element.isConnected)).toBe(false)
  expect(complaints).toEqual([])
})

test('a button pressed before hydration is replayed once when its island is replaced', async () => {
  const { page, complaints } = await openOperatorPage(site, '/moderation')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.url())
  })
  const releases = [
    await holdBack(page, codeOf('report-queue')),
    await holdBack(page, codeOf('row-selection')),
  ]
  // The page waits ten seconds for the code of a pressed button, so the rest is under way before the presses.
  await db.update(reports).set({ flagReason: 'Nothing is heard.' })
  const releasePage = await reloadHeld(page)
  await box(page, 'The Lamp').click()
  await page.getByRole('button', { name: 'Review: The Lamp' }).click()
  await releasePage()
  await page.getByText('Nothing is heard.').first().waitFor()
  for (const release of releases) await release()
  await page.getByText('in review by Ada').waitFor()
  await page.getByRole('region', { name: 'Selection' }).getByText('1 report selected').waitFor()
  expect(await box(page, 'The Lamp').isChecked()).toBe(true)
  expect(sent).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a favourite pressed before and after its page is replaced is sent once', async () => {
  const { page, complaints } = await openMemberPage(site, '/stories')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('favorites')) sent.push(request.method())
  })
  const release = await holdBack(page, codeOf('favorite'))
  const heart = page.locator('.story-card .favourite').first()
  const old = await heart.elementHandle()
  await heart.click()
  await (await reloadHeld(page))()
  await page.waitForFunction((element) => !element?.isConnected, old)
  await heart.click()
  await release()
  await heart.and(page.locator('[aria-pressed=true]:not([aria-busy])')).waitFor()
  await seeToast(page, 'Content has been added to your favorites')
  expect(sent).toEqual(['POST'])
  expect(complaints).toEqual([])
})

test('presses of the previous page are not replayed', async () => {
  const { page, complaints } = await openMemberPage(site, '/stories')
  const release = await holdBack(page, codeOf('favorite'))
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('favorites')) sent.push(request.url())
  })
  await page.locator('.story-card .favourite').first().click()
  await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).first().click()
  await page.waitForURL(({ pathname }) => pathname === '/')
  await release()
  await page.locator('.favourite').first().click()
  await page.locator('.favourite[aria-pressed=true]').first().waitFor()
  await seeToast(page, 'Content has been added to your favorites')
  expect(sent).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a favourite toggled while the page is being replaced stays toggled and focused', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  const hearts = page.locator('.favourite')
  await hearts.first().press('Enter')
  await page.locator('.favourite[aria-pressed=true]').waitFor()
  const release = await reloadHeld(page)
  const old = await hearts.nth(1).elementHandle()
  await hearts.nth(1).press('Enter')
  // Longer than the time after which another filter shows its skeleton.
  await page.waitForTimeout(500)
  await release()
  await page.waitForFunction((heart) => !heart?.isConnected, old)
  await hearts.nth(1).and(page.locator('[aria-pressed=true]:focus')).waitFor()
  expect(complaints).toEqual([])
})
