import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { stories } from '#db/schema'
import { seedDemo } from '#db/seed'
import {
  closeBrowser,
  narrateWithTone,
  openMemberPage,
  openOperatorPage,
  openPage,
  openSite,
  seeToast,
} from '#src/browser-testing'

/** What is pressed while the code behind it is still on its way, as on a slow line, is not lost. */
const site = await openSite()

beforeAll(async () => {
  await seedDemo(site.parts.db)
  const [story] = await site.parts.db
    .select({ id: stories.id })
    .from(stories)
    .where(eq(stories.slug, 'the-night-ferry'))
  await narrateWithTone(site.parts, story?.id ?? '', 30)
  await site.parts.db.update(stories).set({ isFree: false })
})
afterAll(closeBrowser)

/** Holds the code of an island back until the answer is called. */
async function holdBack(page: Page, island: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(`**/assets/${island}-*.js`, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

test('a press on Play counts before the card is awake, once', async () => {
  const { page, complaints } = await openPage(site)
  const goOn = await holdBack(page, 'card-controls')
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Play The Night Ferry' }).click()
  await page.waitForTimeout(300)
  goOn()
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor()
  expect(complaints).toEqual([])
})

test('a form without an address waits for its island, and puts nothing into the address', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const goOn = await holdBack(page, 'model-settings')
  await page.goto('/model-config', { waitUntil: 'commit' })
  const form = page.getByRole('form', { name: 'Model settings' })
  await form.getByRole('button', { name: 'Save configuration' }).click()
  await page.waitForTimeout(300)
  expect(new URL(page.url()).search).toBe('')
  goOn()
  await seeToast(page, 'Configuration saved')
  expect(new URL(page.url()).search).toBe('')
  expect(complaints).toEqual([])
})

test('what was typed, chosen and ticked before the fields were awake counts', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const goOn = await holdBack(page, 'bulk-paste')
  await page.goto('/admin', { waitUntil: 'commit' })
  await page.getByLabel('Paste rows').fill('Salt Air | lesbian | sea | The hut had one chair.')
  await page.waitForTimeout(300)
  goOn()
  await page.getByText('1 of 1 stories').or(page.getByText('1 of 1 story')).waitFor()
  expect(await page.getByLabel('Paste rows').inputValue()).toContain('Salt Air')

  const wakeModel = await holdBack(page, 'model-settings')
  await page.goto('/model-config', { waitUntil: 'commit' })
  const form = page.getByRole('form', { name: 'Model settings' })
  await form.getByLabel('Max tokens').fill('1200')
  await form.getByRole('radio', { name: /runpod/ }).check({ force: true })
  wakeModel()
  await form.getByLabel('RunPod API URL').waitFor()
  await form.getByRole('button', { name: 'Save configuration' }).click()
  await seeToast(page, 'Configuration saved')
  expect(await form.getByLabel('Max tokens').inputValue()).toBe('1200')
  expect(complaints).toEqual([])
})

test('a press in a reader over its list counts once, before its islands are awake and after', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/content-favorites') && request.method() !== 'GET')
      sent.push(request.method())
  })
  const goOn = await holdBack(page, 'favorite')
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).first().click()
  const bar = page.locator('dialog.reader[open] .reader-bar')
  await bar.locator('button[aria-pressed=false]').click()
  await page.waitForTimeout(300)
  expect(sent).toEqual([])
  goOn()
  await bar.locator('button[aria-pressed=true]').waitFor()
  const taken = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await bar.locator('button[aria-pressed=true]').click()
  await bar.locator('button[aria-pressed=false]').waitFor()
  await taken
  expect(sent).toEqual(['POST', 'DELETE'])
  expect(complaints).toEqual([])
})

test('a vote in a reader over its list waits for its island, and the list stays behind', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const goOn = await holdBack(page, 'opinion')
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).first().click()
  const reader = page.locator('dialog.reader[open]')
  await reader.getByRole('button', { name: 'Upvote' }).click()
  await page.waitForTimeout(300)
  goOn()
  await reader.getByRole('button', { name: 'Upvote', pressed: true }).waitFor()
  expect(complaints).toEqual([])
})
