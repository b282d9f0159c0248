import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { join, narrateWithTone, openPage, openSite } from '#src/testing/browser'
import { findBarriers } from '#src/testing/find-faults'
import { addViews } from '#src/trending/testing'

const site = await openSite({ AGE_GATE: 'off' })
const { db } = site.services

const toneSeconds = 60
const ids: Record<string, string> = {}

beforeAll(async () => {
  await seedDemo(db)
  for (const slug of ['the-night-ferry', 'salt-air', 'slow-train-north']) {
    const [item] = await db.select({ id: stories.id }).from(stories).where(eq(stories.slug, slug))
    ids[slug] = item?.id ?? ''
    await addViews(db, ids[slug], 3)
  }
  await narrateWithTone(site.services, ids['the-night-ferry'] ?? '', toneSeconds)
})

test('a visitor sees popular items and a link to sign up', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/home')
  await page.getByRole('heading', { name: 'Popular tonight' }).waitFor()
  await page.getByRole('link', { name: 'Salt Air' }).first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Sign Up Free' }).click()
  await page.waitForURL('**/landing')
  expect(complaints).toEqual([])
})

test('a member resumes listening or reading from Home', async () => {
  const { page, complaints } = await openPage(site)
  await page.clock.setFixedTime(new Date(2026, 10, 21, 8))
  await join(site, page, { firstName: 'Iris' })
  await page.goto('/home')
  await page.getByRole('heading', { name: 'Good morning, Iris' }).waitFor()
  await page.getByRole('heading', { name: 'Nothing started yet' }).waitFor()
  for (const [slug, lastPositionSec, totalSec] of [
    ['salt-air', 90, 300],
    ['the-night-ferry', 20, toneSeconds],
  ] as const) {
    const answer = await page.request.post('/api/analytics/progress', {
      headers: { 'sec-fetch-site': 'same-origin' },
      data: { contentId: ids[slug], contentType: 'story', lastPositionSec, totalSec },
    })
    expect(answer.status()).toBe(200)
  }
  await page.reload()
  const resume = page.locator('.resume')
  await resume.getByText('0:20').waitFor()
  expect(await resume.getByRole('heading').textContent()).toBe('The Night Ferry')
  expect(await page.locator('.left-off h3').allTextContents()).toEqual(['Salt Air'])
  expect(await findBarriers(page)).toEqual([])
  await resume.getByRole('button', { name: 'Resume' }).click()
  await resume.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('link', { name: 'Read on: Salt Air' }).click()
  await page.waitForURL('**/story/salt-air')
  expect(complaints).toEqual([])
})

test('Home comes first in the sidebar, and the phone’s tab bar keeps to one line at 320 px', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await sidebar
    .getByRole('link')
    .first()
    .and(sidebar.getByRole('link', { name: 'Home' }))
    .click()
  await page.waitForURL('**/home')
  await sidebar
    .locator('[aria-current=page]')
    .and(sidebar.getByRole('link', { name: 'Home' }))
    .waitFor()
  await page.setViewportSize({ width: 320, height: 640 })
  const bar = page.getByRole('navigation', { name: 'Quick' })
  await bar.getByRole('link', { name: 'Explore' }).click()
  await page.waitForURL('**/')
  await bar.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL('**/home')
  const heights = await bar
    .locator('a > span:last-child')
    .evaluateAll((each) => each.map((label) => label.clientHeight || label.getBoundingClientRect().height))
  expect(new Set(heights.map(Math.round)).size).toBe(1)
  expect(complaints).toEqual([])
})
