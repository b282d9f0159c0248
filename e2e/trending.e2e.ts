import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { memberPassword } from '#src/testing/app'
import { holdBack, join, openPage, openSite, signIn } from '#src/testing/browser'
import { findBarriers } from '#src/testing/find-faults'
import { addViews } from '#src/trending/testing'

const site = await openSite({ AGE_GATE: 'off' })
const { db } = site.services

/** The ferry has more views, but the breaths, a flow, are newer. The salt air was viewed weeks ago. */
const views = [
  ['the-night-ferry', 40, 0],
  ['ten-breaths-before-sleep', 12, 30],
  ['salt-air', 25, 24 * 20],
] as const

async function seeSome(): Promise<void> {
  for (const [slug, count, hoursAgo] of views) {
    const [item] = await db.select({ id: stories.id }).from(stories).where(eq(stories.slug, slug))
    if (!item) throw new Error(`The demo library has no ${slug}.`)
    await addViews(db, item.id, count, hoursAgo)
  }
}

beforeAll(async () => void (await seedDemo(db)))

test('Trending says that it is empty while nothing has been viewed', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/trending')
  await page.getByRole('heading', { name: 'No trending content' }).waitFor()
  expect(await page.locator('.stat', { hasText: 'Total Views' }).locator('dd').textContent()).toBe('0')
  await page.getByText('Explore Your Wellness Journey').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('Trending is filtered and sorted, and an item is voted on, rated, commented on and shared', async () => {
  await seeSome()
  const { page, context, complaints } = await openPage(site)
  await join(site, page, { email: 'iris@example.com', firstName: 'Iris' })
  await page.goto('/trending')
  const cards = page.locator('.rank')
  await cards.first().getByText('#1 Trending').waitFor()
  expect(await cards.locator('h3').allTextContents()).toEqual(['Ten Breaths Before Sleep', 'The Night Ferry'])
  await page.getByText('Why “Ten Breaths Before Sleep” is #1').waitFor()

  await page.getByLabel('Time period').selectOption('Last 30 Days')
  await page.waitForURL('**/trending?timeframe=30d*')
  await page.getByRole('heading', { name: 'Salt Air' }).waitFor()
  await page.getByLabel('Content type').selectOption('Flows Only')
  await page.waitForURL(/type=flow/)
  await page.getByRole('heading', { name: 'The Night Ferry' }).waitFor({ state: 'detached' })
  expect(await cards.locator('h3').allTextContents()).toEqual(['Ten Breaths Before Sleep'])

  const upvote = page.getByRole('button', { name: 'Upvote Ten Breaths Before Sleep' })
  await upvote.click()
  await page.getByText('1 upvote', { exact: true }).waitFor()
  expect(await upvote.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('link', { name: 'Most Viewed' }).click()
  await page.waitForURL(/order=most-viewed/)
  await page.getByText('1 upvote', { exact: true }).waitFor()

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: 'Ten Breaths Before Sleep' }).click()
  await page.waitForURL('**/flow/ten-breaths-before-sleep')
  await page.getByRole('heading', { name: 'What did you think?' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: 'Upvote' }).getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Downvote' }).click()
  await page.locator('.vote b', { hasText: '-1' }).waitFor()
  await page.getByRole('radio', { name: '4 of 5' }).check({ force: true })
  await page.getByText('4.0 · 1 rating').waitFor()
  await page.getByText('A word to the studio').click()
  await page.getByText('The voice', { exact: true }).click()
  await page.getByLabel('In your own words').fill('I slept.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('The studio reads this.', { exact: true }).waitFor()

  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('Link copied', { exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toEndWith(
    '/flow/ten-breaths-before-sleep',
  )

  await page.reload()
  expect(await page.getByRole('radio', { name: '4 of 5' }).isChecked()).toBe(true)
  expect(await page.getByLabel('In your own words').inputValue()).toBe('I slept.')
  expect(complaints).toEqual([])
})

test('a visitor’s vote is cast after signing in, at the same scroll position', async () => {
  const { page, complaints } = await openPage(site)
  // Before its island is hydrated, the vote is a form and the sign-in is a page.
  await page.goto('/story/the-night-ferry', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Upvote' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: 'Sign in' }).click()
  await dialog.getByLabel('Email').fill('iris@example.com')
  await dialog.getByLabel('Password').fill(memberPassword)
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(1_000)
  await dialog.getByRole('button', { name: 'Sign In' }).click()
  await page.locator('.vote b', { hasText: '+1' }).waitFor()
  await page.getByRole('button', { name: 'Upvote', pressed: true }).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(place)
  expect(complaints).toEqual([])
})

for (const [session, slug] of [
  ['has not begun', 'the-gift'],
  ['has ended', 'the-quiet-word'],
] as const)
  test(`a comment being typed survives signing in for a rating when the session ${session}`, async () => {
    const { page, complaints } = await openPage(site)
    const email = await join(site, page)
    if (session === 'has not begun') await page.context().clearCookies()
    await page.goto(`/story/${slug}`)
    await page.getByText('A word to the studio').click()
    const words = page.getByLabel('In your own words')
    await words.fill('The voice stayed with me.')
    await page.context().clearCookies()
    await page.getByRole('radio', { name: '4 of 5' }).click({ force: true })
    const dialog = page.getByRole('dialog')
    if (session === 'has not begun') await dialog.getByRole('link', { name: 'Sign in' }).click()
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Password').fill(memberPassword)
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.getByText('4.0 · 1 rating').waitFor()
    expect(await words.isVisible()).toBe(true)
    expect(await words.inputValue()).toBe('The voice stayed with me.')
    expect(complaints).toEqual([])
  })

test('a comment being typed is not shown to another member who signs in over the page', async () => {
  const { page } = await openPage(site)
  const other = await join(site, page)
  await join(site, page)
  await page.goto('/story/slow-train-north')
  await page.getByText('A word to the studio').click()
  const words = page.getByLabel('In your own words')
  await words.fill('The voice stayed with me.')
  const owner = await page.locator('body').getAttribute('data-owner')
  await page.context().clearCookies()
  await page.getByRole('radio', { name: '4 of 5' }).click({ force: true })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(other)
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.locator(`body:not([data-owner="${owner}"])`).waitFor()
  expect(await words.inputValue()).toBe('')
})

test('the last of two ratings on a slow line wins, and a vote that fails is reverted', async () => {
  const { page } = await openPage(site)
  await join(site, page)
  await page.goto('/story/salt-air')
  const star = (count: number) => page.getByRole('radio', { name: `${count} of 5` })
  const release = await holdBack(page, '**/feedback')
  await star(2).check({ force: true })
  await star(4).check({ force: true })
  const last = page.waitForResponse(
    (response) => response.url().endsWith('/feedback') && response.request().postDataJSON().rating === 4,
  )
  await release()
  await (await last).finished()
  await page.getByText('4.0 · 1 rating').waitFor()
  await page.route('**/vote', (route) => route.abort())
  const upvote = page.getByRole('button', { name: 'Upvote' })
  await upvote.click()
  await upvote.click()
  await upvote.and(page.locator('[aria-pressed=false]')).waitFor()
  await page.reload()
  expect(await star(4).isChecked()).toBe(true)
  expect(await upvote.getAttribute('aria-pressed')).toBe('false')
})

test('voting and rating work in the reader over a list, and Esc returns to the list', async () => {
  const { page, complaints } = await openPage(site)
  await signIn(page, 'iris@example.com')
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Read Now: Slow Train North' }).click()
  const reader = page.getByRole('dialog', { name: 'Slow Train North' })
  await reader.getByRole('button', { name: 'Upvote' }).click()
  await reader.locator('.vote b', { hasText: '+1' }).waitFor()
  await reader.getByRole('radio', { name: '5 of 5' }).check({ force: true })
  await reader.getByText('5.0 · 1 rating').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/stories')
  expect(complaints).toEqual([])
})

test('Trending filters, sorting, votes and ratings work without JavaScript', async () => {
  const { page } = await openPage(site, { javaScriptEnabled: false })
  await page.goto('/landing')
  await page.getByLabel('Email').fill('quiet@example.com')
  await page.getByLabel('Password').fill(memberPassword)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.goto('/trending')
  await page.getByLabel('Content type').selectOption('Stories Only')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(/type=story/)
  await page.getByRole('link', { name: 'Most Viewed' }).click()
  await page.getByRole('button', { name: 'Upvote The Night Ferry' }).click()
  await page.waitForURL(/order=most-viewed/)
  await page.getByRole('button', { name: 'Upvote The Night Ferry', pressed: true }).waitFor()
  await page.getByRole('link', { name: 'The Night Ferry' }).click()
  await page.getByRole('radio', { name: '5 of 5' }).check({ force: true })
  await page.getByRole('button', { name: 'Rate' }).click()
  await page.getByText('5.0 · 1 rating').waitFor()
})
