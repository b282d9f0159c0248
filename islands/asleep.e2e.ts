import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { stories } from '#db/schema'
import { seedDemo } from '#db/seed'
import { closeBrowser, narrateWithTone, openOperatorPage, openPage, openSite } from '#src/browser-testing'

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
  await page.goto('/')
  await page.getByRole('button', { name: 'Play The Night Ferry' }).click()
  await page.waitForTimeout(300)
  goOn()
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor()
  expect(complaints).toEqual([])
})

test('a form without an address waits for its island, and puts nothing into the address', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const goOn = await holdBack(page, 'model-settings')
  await page.goto('/model-config')
  const form = page.getByRole('form', { name: 'Model settings' })
  await form.getByRole('button', { name: 'Save configuration' }).click()
  await page.waitForTimeout(300)
  expect(new URL(page.url()).search).toBe('')
  goOn()
  await page.locator('.toast').getByText('Configuration saved', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(complaints).toEqual([])
})
