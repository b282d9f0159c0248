import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openMemberPage, openSite } from '#src/testing/browser'

const site = await openSite({ AGE_GATE: 'off' })

const text = 'The orchard belonged to nobody that summer. “Halves,” you said.'

const titleOf = (page: Page) => page.getByLabel('Title')
const textOf = (page: Page) => page.getByLabel('Text', { exact: true })
const hydrated = (page: Page) =>
  page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()

async function write(page: Page, title: string, words = text): Promise<void> {
  await hydrated(page)
  await titleOf(page).fill(title)
  await textOf(page).fill(words)
  await page.getByText('Gay', { exact: true }).click()
  await page.waitForFunction(
    (title) => Object.values(localStorage).some((value) => value.includes(title) && value.includes('"gay"')),
    title,
  )
}

/** The form's values, and the draft that a reloaded page would restore. */
async function seeDraft(page: Page, title: string, words = text): Promise<void> {
  await hydrated(page)
  await page.waitForFunction(
    ([title, words]) =>
      document.querySelector<HTMLInputElement>('#make-title')?.value === title &&
      document.querySelector<HTMLTextAreaElement>('#make-text')?.value === words,
    [title, words],
  )
  expect(await page.getByRole('checkbox', { name: 'Gay', exact: true }).isChecked()).toBe(true)
  expect(await storedOf(page)).toMatchObject([{ title, content: words, categories: ['romantic', 'gay'] }])
}

const storedOf = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.startsWith('nocturne.writing'))
      .map((name) => JSON.parse(localStorage[name]) as object),
  )

/** Longer than the page's own storing interval. */
const storesNothing = async (page: Page) => {
  const before = await storedOf(page)
  await page.waitForFunction(
    (since) => performance.now() - since > 1_500,
    await page.evaluate(() => performance.now()),
  )
  expect(await storedOf(page)).toEqual(before)
}

test('a draft survives another page and Back, Forward, and a reload', async () => {
  const { page } = await openMemberPage(site, '/create')
  await write(page, 'The Orchard')
  await page.goto('/settings')
  await page.goBack()
  await seeDraft(page, 'The Orchard')
  await storesNothing(page)
  await page.goForward()
  await page.goBack()
  await seeDraft(page, 'The Orchard')
  await page.reload()
  await seeDraft(page, 'The Orchard')
})

test('a draft survives a browser that puts back some of the fields, as they were on an earlier page', async () => {
  const { page } = await openMemberPage(site, '/create')
  await write(page, 'The Orchard')
  await page.evaluate(() => {
    for (const form of document.forms) form.removeAttribute('autocomplete')
  })
  await page.goto('/settings')
  await page.goBack()
  await seeDraft(page, 'The Orchard')
  await storesNothing(page)
  await page.reload()
  await seeDraft(page, 'The Orchard')
})

test('a draft that was typed right before a link was followed is stored', async () => {
  const { page } = await openMemberPage(site, '/create')
  await write(page, 'The Orchard')
  await titleOf(page).fill('The Orchard at Night')
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/create')
  await seeDraft(page, 'The Orchard at Night')
})

test('of two tabs none writes an older draft over what was typed in the other', async () => {
  const { page, context } = await openMemberPage(site, '/create')
  await write(page, 'The Orchard')
  const other = await context.newPage()
  await other.goto('/create')
  await seeDraft(other, 'The Orchard')
  await textOf(other).fill(`${text} More.`)
  await seeDraft(page, 'The Orchard', `${text} More.`)
  await titleOf(page).fill('Halves')
  await seeDraft(other, 'Halves', `${text} More.`)
  await page.reload()
  await seeDraft(page, 'Halves', `${text} More.`)
})

test('another member of the same browser sees nothing of a draft, and keeps their own', async () => {
  const { page } = await openMemberPage(site, '/create')
  await write(page, 'The Orchard')
  await page.context().clearCookies()
  const { page: second } = await openMemberPage(site, '/')
  await page.context().addCookies(await second.context().cookies())
  await page.goto('/create')
  await hydrated(page)
  expect(await titleOf(page).inputValue()).toBe('')
  await titleOf(page).fill('Mine')
  await page.getByText(/Saved as a draft at/).waitFor()
  expect(JSON.stringify(await storedOf(page))).toContain('Mine')
  expect(JSON.stringify(await storedOf(page))).not.toContain('The Orchard')
})
