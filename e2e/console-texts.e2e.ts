import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { seedDemo } from '#src/demo/seed'
import { openOperatorPage, openSite, seeToast } from '#src/testing/browser'

/** The console's messages when the server cannot be reached: specific ones, and typed text stays. */
const site = await openSite({ AGE_GATE: 'off' })
await seedDemo(site.services.db)

/** Makes calls of the API fail, and nothing else. */
const cutOff = (page: Page) => page.route('**/api/**', (route) => route.abort('connectionfailed'))
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('failed uploads of pasted rows and of a single story show "Upload failed" and keep the input', async () => {
  const { page } = await openOperatorPage(site, '/admin')
  await page.getByLabel('Paste rows').fill('Salt Air | lesbian | sea | The hut had one chair.')
  await page.getByText('1 of 1 stories').or(page.getByText('1 of 1 story')).waitFor()
  await cutOff(page)
  await button(page, 'Upload All Stories').click()
  await seeToast(page, 'Upload failed', 'Failed to upload stories')
  expect(await page.getByLabel('Paste rows').inputValue()).toContain('Salt Air')
  await page.getByLabel('Title', { exact: true }).fill('The Prompter')
  await page.getByLabel('Story content').fill('She knew every line.')
  await button(page, 'Create Story').click()
  await seeToast(page, 'Failed to create story')
  expect(await page.getByLabel('Story content').inputValue()).toBe('She knew every line.')
})

test('failed uploads, edits and narrations of premium content show specific errors and keep the input', async () => {
  const { page } = await openOperatorPage(site, '/premium-content?tab=single')
  const form = page.getByRole('form', { name: 'Single Upload' }).or(page.locator('form.panel')).first()
  await form.getByLabel('Title').fill('The Orchard')
  await form.getByLabel('Content', { exact: true }).fill('Ripe, and late.')
  await cutOff(page)
  await form.getByRole('button', { name: /^Upload/ }).click()
  await seeToast(page, 'Upload failed')
  expect(await form.getByLabel('Content', { exact: true }).inputValue()).toBe('Ripe, and late.')

  await page.unroute('**/api/**')
  await page.goto('/premium-content')
  const fileChooser = page.waitForEvent('filechooser')
  await button(page, 'Import File').click()
  await (await fileChooser).setFiles({
    name: 'autumn.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Title,Story\nThe Orchard,"Ripe, and late."\n'),
  })
  await seeToast(page, 'File processed', 'Loaded 1 items for review')
  await page.waitForURL('**/premium-content?tab=bulk')
  await cutOff(page)
  await button(page, 'Upload All').click()
  await seeToast(page, 'Bulk upload failed')
  expect(await page.getByLabel('Title of item 1').inputValue()).toBe('The Orchard')

  await page.unroute('**/api/**')
  await page.goto('/premium-content?q=ferry')
  await page.getByRole('link', { name: /The Night Ferry/ }).click()
  const editor = page.getByRole('dialog', { name: 'Edit content' })
  await editor.getByLabel('Title').fill('The Last Ferry')
  await cutOff(page)
  await button(page, 'Save changes').click()
  await seeToast(page, 'Update failed')
  await seeToast(page, 'Edit failed')
  await button(page, 'Narrate now').first().click()
  await seeToast(page, 'Audio generation failed', 'Failed to generate audio')
  await editor.getByLabel('Audio in the male voice').setInputFiles({
    name: 'ferry.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('not sent anyway'),
  })
  await seeToast(page, 'Audio upload failed')
  expect(await editor.getByLabel('Title').inputValue()).toBe('The Last Ferry')
})

test('saving an item after the session has ended shows "Unauthorized: Admin session required"', async () => {
  const { page } = await openOperatorPage(site, '/premium-content?q=ferry')
  await page.getByRole('link', { name: /The Night Ferry/ }).click()
  await page.getByRole('dialog', { name: 'Edit content' }).getByLabel('Title').fill('The Last Ferry')
  await page.context().clearCookies()
  await button(page, 'Save changes').click()
  await seeToast(page, 'Unauthorized: Admin session required. Please refresh and try again.')
})

test('analytics, guidelines, model settings and the voice lab show specific errors when the server is unreachable', async () => {
  const { page } = await openOperatorPage(site, '/admin')
  await page.clock.install()
  await page.goto('/analytics', { waitUntil: 'networkidle' })
  await cutOff(page)
  await page.clock.runFor(31_000)
  await page.getByText('Analytics Service Unavailable').waitFor()
  await page.getByText('Unable to load analytics data. Please check your API connection.').waitFor()

  await page.unroute('**/api/**')
  await page.clock.resume()
  await page.goto('/training')
  await button(page, 'Add Guideline').first().click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByLabel('Description').fill('Drink comes in')
  await dialog.getByLabel('Keywords or phrases').fill('moonshine')
  await cutOff(page)
  await dialog.getByRole('button', { name: 'Add Guideline' }).click()
  await seeToast(page, 'Failed to add guideline', 'Please try again')

  await page.unroute('**/api/**')
  await page.goto('/model-config')
  await page.getByRole('heading', { name: 'Model Configuration' }).waitFor()
  await cutOff(page)
  await button(page, 'Test connection').click()
  await seeToast(page, 'Connection test failed', 'Please check your configuration')
  await button(page, 'Save configuration').click()
  await seeToast(page, 'Failed to save configuration', 'Please try again')

  await page.unroute('**/api/**')
  await page.goto('/audio-test')
  await page.getByRole('textbox').first().fill('The last boat left at ten.')
  await cutOff(page)
  await page
    .getByRole('button', { name: /^Generate/ })
    .first()
    .click()
  await seeToast(page, 'Audio generation failed')
})
