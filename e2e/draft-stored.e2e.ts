import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chatAnswer, testModelServer } from '#src/model/testing'
import { memberPassword } from '#src/testing/app'
import { holdBack, join, openMemberPage, openSite, seeToast, signIn } from '#src/testing/browser'

const model = testModelServer()
const site = await openSite({
  AGE_GATE: 'off',
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'sk-canary-canary',
})

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

/** Waits for the form's values, and for the draft that a reloaded page would restore. */
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

/** Expects that nothing is stored for longer than the page's own storing interval. */
const storesNothing = async (page: Page) => {
  const before = await storedOf(page)
  await page.waitForFunction(
    (since) => performance.now() - since > 1_500,
    await page.evaluate(() => performance.now()),
  )
  expect(await storedOf(page)).toEqual(before)
}

test('a draft survives navigation, Back, Forward and a reload', async () => {
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

test('a draft survives a browser that restores some of the fields to older values', async () => {
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

test('a draft typed right before following a link is stored', async () => {
  const { page } = await openMemberPage(site, '/create')
  await write(page, 'The Orchard')
  await titleOf(page).fill('The Orchard at Night')
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/create')
  await seeDraft(page, 'The Orchard at Night')
})

test('neither of two tabs overwrites what was typed in the other with an older draft', async () => {
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

test('another member of the same browser never sees a draft, and keeps their own', async () => {
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

test('Undo restores the member’s own text after the model’s draft has replaced it', async () => {
  const { page, complaints } = await openMemberPage(site, '/create-stories')
  let count = 0
  model.state.answer = () => chatAnswer(JSON.stringify({ title: `Lamp ${++count}`, content: 'She lit it.' }))
  const ask = page.getByRole('button', { name: 'Draft it' })
  const shows = (title: string) =>
    page.waitForFunction(
      (title) => document.querySelector<HTMLInputElement>('#make-title')?.value === title,
      title,
    )
  await hydrated(page)
  await page.getByRole('button', { name: 'Draft from a prompt' }).click()
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Two people and a lamp')
  await ask.click()
  await shows('Lamp 1')
  await ask.click()
  await shows('Lamp 2')
  expect(await page.locator('.toast').count()).toBe(0)

  await titleOf(page).fill('The Orchard')
  await textOf(page).fill(text)
  await ask.click()
  await seeToast(page, 'It replaced what you wrote.')
  await shows('Lamp 3')
  await page.getByRole('button', { name: 'Undo' }).click()
  await shows('The Orchard')
  expect(await textOf(page).inputValue()).toBe(text)
  expect(complaints).toEqual([])
})

test('a draft waits for its member when the session ended elsewhere, and is dropped when another joins', async () => {
  const { page, email, complaints } = await openMemberPage(site, '/create')
  await write(page, 'The Orchard')
  await page.context().clearCookies({ name: /member|session/ })
  await page.goto('/create')
  await hydrated(page)
  expect([await titleOf(page).inputValue(), await textOf(page).inputValue()]).toEqual(['', ''])
  await titleOf(page).fill('at Night')
  await page.getByText(/Saved as a draft at/).waitFor()
  await signIn(page, email)
  await page.goto('/create')
  await hydrated(page)
  expect(await titleOf(page).inputValue()).toBe('The Orchard at Night')
  expect(await textOf(page).inputValue()).toBe(text)

  await page.context().clearCookies({ name: /member|session/ })
  await page.goto('/create')
  expect(JSON.stringify(await storedOf(page))).toContain('The Orchard')
  await join(site, page)
  await page.goto('/create')
  expect(JSON.stringify(await storedOf(page))).not.toContain('The Orchard')
  expect(complaints).toEqual([])
})

const save = (page: Page) => page.getByRole('button', { name: 'Save as a story' })

test('a story is saved only for its writer when another member has signed in in another tab', async () => {
  const { page, email } = await openMemberPage(site, '/create-stories')
  await write(page, 'The Orchard')
  const other = await page.context().newPage()
  await join(site, other)
  await other.goto('/my-content')
  await save(page).click()
  const dialog = page.getByRole('dialog', { name: 'Welcome Back!' })
  await dialog.getByText('You have been signed out. Sign in to continue.').waitFor()
  const ofOther = await other.request.get('/api/user/content')
  expect([ofOther.status(), await ofOther.json()]).toEqual([200, []])
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL('**/my-content')
  await page.getByRole('heading', { name: 'The Orchard' }).waitFor()
})

test('the form takes no input while a story is being saved', async () => {
  const { page, complaints } = await openMemberPage(site, '/create-stories')
  await write(page, 'The Orchard')
  const release = await holdBack(page, '**/api/user/content')
  await save(page).click()
  await page.getByRole('button', { name: 'Saving...' }).waitFor()
  await textOf(page).press('End')
  await page.keyboard.type(' And more.')
  await page.getByText('Lesbian', { exact: true }).click()
  expect(await textOf(page).inputValue()).toBe(text)
  expect(await page.getByRole('checkbox', { name: 'Lesbian' }).isChecked()).toBe(false)
  await release()
  await page.waitForURL('**/my-content')
  expect(await storedOf(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('pressing Save again after a lost response saves the story once', async () => {
  const { page, context } = await openMemberPage(site, '/create-stories')
  await write(page, 'The Orchard')
  await page.route(
    '**/api/user/content',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await save(page).click()
  await page.getByText('The server did not answer. Please try again.').waitFor()
  await save(page).click()
  await page.waitForURL('**/my-content')
  const items: { title: string }[] = await (await context.request.get('/api/user/content')).json()
  expect(items.map(({ title }) => title)).toEqual(['The Orchard'])
})
