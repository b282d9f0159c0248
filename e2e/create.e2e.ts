import { expect, onTestFinished, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { startNarrating } from '#src/narration/start'
import { addGuideline } from '#src/review/change-guideline'
import { memberPassword } from '#src/testing/app'
import {
  codeOf,
  holdBack,
  openMemberPage,
  openPage,
  openSite,
  seeFocus,
  seeToast,
} from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'

const site = await openSite({ AGE_GATE: 'off', MEMBER_NARRATIONS_A_DAY: '1' })
const { db } = site.services
await seedDemo(db)
await addGuideline(db, { keywords: ['midnight'], severity: 'low', description: 'Say how late it is' }, 'Ada')

const text = 'The orchard belonged to nobody that summer. “Halves,” you said.'
const write = async (page: Page, title: string, words = text) => {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text', { exact: true }).fill(words)
}

test('a text typed before the code of the form is there is kept', async () => {
  const { page, complaints } = await openMemberPage(site, '/')
  const release = await holdBack(page, codeOf('create-form'))
  await page.goto('/create', { waitUntil: 'commit' })
  await write(page, 'The Orchard')
  await release()
  await page.getByText('10 of 4,000 words').waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(text)
  expect(complaints).toEqual([])
})

test('a story survives a reload, is saved, edited, shared after confirmation, made private and deleted', async () => {
  const { page, complaints } = await openMemberPage(site, '/create-stories')
  const save = page.getByRole('button', { name: 'Save as a story' })
  await page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()
  expect(await save.isDisabled()).toBe(true)
  await write(page, 'The Orchard')
  await page.getByText('10 of 4,000 words').waitFor()
  await page.getByText(/Saved as a draft at/).waitFor()
  await page.reload()
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('#make-title')?.value === 'The Orchard',
  )
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(text)
  await page.getByText('Romantic', { exact: true }).click()
  expect(await save.isDisabled()).toBe(true)
  await page.getByText('Gay', { exact: true }).click()
  await save.click()
  await seeToast(page, 'Story saved')
  await page.waitForURL('**/my-content')
  await page.getByRole('link', { name: 'The Orchard', exact: true }).waitFor()
  await page.getByText('Yours alone until you share it.').waitFor()
  expect(await page.evaluate(() => window.dataLayer)).toContainEqual({
    event: 'story_generated',
    contentId: expect.any(String),
    contentType: 'generation',
    categories: 'gay',
    duration: 1,
    voice: 'rachel',
  })
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('The Orchard')

  await page.getByRole('link', { name: 'Edit The Orchard' }).click()
  await page.waitForURL('**/create?edit=*')
  await page.getByLabel('Title').fill('Halves')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.waitForURL('**/my-content')
  const share = page.getByRole('button', { name: 'Share with others: Halves' })
  await share.click()
  await page
    .getByRole('dialog', { name: 'Share “Halves”?' })
    .getByText('An operator reads it first.')
    .waitFor()
  await page.getByRole('button', { name: 'Keep it private' }).click()
  await page.getByText('Yours alone until you share it.').waitFor()
  await seeFocus(share)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send it for review' }).click()
  await page.getByText('Waiting for review. Others can see it once').waitFor()
  await seeFocus(page.getByRole('button', { name: 'Make private: Halves' }))
  await page.keyboard.press('Enter')
  await page.getByText('Yours alone until you share it.').waitFor()
  await seeFocus(share)
  await page.getByRole('button', { name: 'Delete Halves' }).click()
  await page.getByRole('heading', { name: 'Delete “Halves”?' }).waitFor()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByText('No saved content yet').waitFor()
  expect(complaints).toEqual([])
})

test('a story changed on another device is overwritten only after a warning', async () => {
  const { page, context, complaints } = await openMemberPage(site, '/create-stories', {
    viewport: { width: 390, height: 844 },
  })
  await page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()
  await write(page, 'The Orchard')
  await page.getByRole('button', { name: 'Save as a story' }).click()
  await page.waitForURL('**/my-content')
  await page.getByRole('link', { name: 'Edit The Orchard' }).click()
  await page.waitForURL('**/create?edit=*')
  const edit = page.url()
  await page.getByLabel('Title').fill('Halves')
  await page.getByText(/Saved as a draft at/).waitFor()

  const [item] = await (await context.request.get('/api/user/content')).json()
  const changed = await context.request.put(`/api/user/content/${item.id}`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { content: 'Written on the train.' },
  })
  expect(changed.status()).toBe(200)

  const save = page.getByRole('button', { name: 'Save changes' })
  const question = page.getByText('This was changed elsewhere since you began.')
  // The draft also stores the version that editing started from.
  await page.goto(edit)
  await save.click()
  await question.waitFor()
  await page.waitForFunction(() => {
    const { top, bottom } =
      document.querySelector('.make .notice-bad')?.getBoundingClientRect() ?? new DOMRect()
    return top > 0 && bottom < innerHeight
  })
  expect(await page.getByLabel('Title').inputValue()).toBe('Halves')
  const now = async () => (await context.request.get(`/api/user/content/${item.id}`)).json()
  expect(await now()).toMatchObject({ title: 'The Orchard', content: 'Written on the train.' })
  await save.click()
  await page.waitForURL('**/my-content')
  expect(await now()).toMatchObject({ title: 'Halves', content: text })
  expect(complaints).toEqual([])
})

test('a text is narrated and played by keyboard alone, after which the daily limit is shown', async () => {
  const { page, complaints } = await openMemberPage(site, '/create')
  await page.getByText('1 of 1 narration left today.').waitFor()
  await page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()
  await page.getByLabel('Title').focus()
  await page.keyboard.type('Halves')
  await page.keyboard.press('Tab')
  await page.keyboard.type(text)
  await page.getByRole('radio', { name: 'Rachel' }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: 'Bella' }).isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Create audio')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/my-content')
  // Only now may the narration begin: a short one can be ready before a busy browser has shown the page.
  await page.getByText('Waiting to be narrated').waitFor()
  const worker = startNarrating(site.services, { isFirstStart: false })
  onTestFinished(() => worker.stop())
  await seeToast(page, 'Your audio is ready')
  await page.getByRole('button', { name: 'Play Halves' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Pause Halves' }).waitFor()
  await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0.3)
  await page.goto('/create')
  await page.getByText('One narration a day, and today’s are used up.').waitFor()
  expect(await page.getByRole('button', { name: 'Create audio' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Save as a story' }).count()).toBe(1)
  expect(complaints).toEqual([])
})

test('a rejected text stays in the form with its error; hints appear while typing; drafting says it is not set up', async () => {
  const { page } = await openMemberPage(site, '/create-stories')
  await page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()
  await write(page, 'Late', 'It was midnight.')
  await page.locator('.notice').getByText('“midnight” (word 3): Say how late it is.').waitFor()
  await write(page, 'Late', 'Some age play.')
  await page.locator('.notice').getByText('This has to change:').waitFor()
  await page.getByRole('button', { name: 'Save as a story' }).click()
  await page
    .getByRole('main')
    .getByText(/This goes against the content guidelines \(content, words 2 to 3\)/)
    .waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Some age play.')
  await seeFocus(page.getByLabel('Text', { exact: true }))
  expect(await page.getByLabel('Text', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('button', { name: 'Draft from a prompt' }).click()
  await page.locator('.notice').getByText('Drafting is not set up here.').waitFor()
})

test('a visitor’s story is saved after joining in the dialog', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/create-stories')
  await page.getByText('What you make is kept in an account, which is free.').waitFor()
  await page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()
  await write(page, 'From a Visitor')
  await page.getByRole('button', { name: 'Save as a story' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByLabel('Email').fill('newcomer@example.com')
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.locator('button[type="submit"]').last().click()
  await page.waitForURL('**/my-content')
  await page.getByRole('link', { name: 'From a Visitor', exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a story is saved after signing in again over the page when the session has ended', async () => {
  const { page, complaints, email } = await openMemberPage(site, '/create-stories')
  await page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()
  await write(page, 'A Long Evening')
  await page.context().clearCookies({ name: /member|session/ })
  await page.getByRole('button', { name: 'Save as a story' }).click()
  const dialog = page.getByRole('dialog', { name: 'Welcome Back!' })
  await dialog.getByText('You have been signed out. Sign in to continue.').waitFor()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/my-content')
  await page.getByRole('link', { name: 'A Long Evening', exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('the create form saves without JavaScript, and shows a rejected text again', async () => {
  const { page } = await openMemberPage(site, '/create', { javaScriptEnabled: false })
  await write(page, 'Plain', 'Some age play.')
  await page.getByRole('button', { name: 'Save as a story' }).click()
  await page.getByText(/This goes against the content guidelines/).waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Some age play.')
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByLabel('Gay').check()
  await page.getByRole('button', { name: 'Save as a story' }).click()
  await page.waitForURL('**/my-content')
  await page.getByRole('link', { name: 'Plain', exact: true }).waitFor()
  const [saved] = await db.select().from(stories).where(eq(stories.title, 'Plain'))
  expect(saved).toMatchObject({ categories: ['gay', 'romantic'], source: 'user_generated' })
})

test('the create screen and My Content have no accessibility or layout faults at either width and theme', async () => {
  const { page } = await openMemberPage(site, '/create')
  await page.request.post('/api/user/content', {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { title: 'Halves', content: text, categories: ['romantic'] },
  })
  for (const path of ['/create', '/create-stories', '/my-content']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await findFaults(page)).toEqual([])
  }
})
