import { beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { contentProgress, stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { memberPassword } from '#src/testing/app'
import { narrateWithTone, openMemberPage, openPage, openSite, seeToast } from '#src/testing/browser'
import { player, readSound, waitUntilPlaying } from '#src/testing/player'
import { until } from '#src/testing/until'

/**
 * The first evening, in a real browser: a visitor browses, reads, reaches the limit, joins, listens from page to page,
 * leaves and returns.
 */
const site = await openSite()
const toneSeconds = 90

beforeAll(async () => {
  await seedDemo(site.services.db)
  for (const title of ['The Night Ferry', 'Slow Train North']) {
    const [story] = await site.services.db
      .select({ id: stories.id })
      .from(stories)
      .where(eq(stories.title, title))
    if (!story) throw new Error(`The demo library has no ${title}.`)
    await narrateWithTone(site.services, story.id, toneSeconds)
  }
  await site.services.db.update(stories).set({ isFree: false })
})

const card = (page: Page, title: string) => page.locator('article.card').filter({ hasText: title })
test('a visitor browses by type and category, and sees the number of results', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  await page.getByRole('main').getByText('26 results').waitFor()
  await page.getByRole('link', { name: 'Flows' }).click()
  await page.getByRole('main').getByText('9 results').waitFor()
  expect(new URL(page.url()).search).toBe('?type=flow')
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Lesbian' }).click()
  await page.getByRole('main').getByText('1 result', { exact: true }).waitFor()
  expect(await page.getByText('Guided by').count()).toBe(1)
  await page.goBack()
  await page.getByRole('main').getByText('9 results').waitFor()
  expect(complaints).toEqual([])
})

test('a visitor searches, sees a message when nothing is found, and clears the filters', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  await page.getByLabel('Search stories').fill('ferry')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('1 result', { exact: true }).waitFor()
  await page.getByLabel('Search stories').fill('zeppelin')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No stories found' }).waitFor()
  await page.getByRole('link', { name: 'Clear Filters' }).first().click()
  await page.getByRole('main').getByText('26 results').waitFor()
  expect(complaints).toEqual([])
})

test('a story opened while a filter is loading shows the list behind it, not its skeleton', async () => {
  const { page } = await openPage(site)
  await page.goto('/stories?q=zeppelin')
  await page.route(/[?&]category=/, () => {})
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Romantic' }).click()
  await page.getByRole('main').locator('.skeleton').first().waitFor()
  await page.getByRole('link', { name: 'Read Now' }).first().click()
  await page.locator('dialog.reader[open]').getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('main').locator('.skeleton').count()).toBe(0)
  expect(await page.locator('main [data-list]').isVisible()).toBe(true)
})

test('a story opens over the list at its own URL, completes at its end, links to the next, and Back returns', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).click()
  const reader = page.locator('dialog.reader[open]')
  await reader.getByRole('heading', { name: 'The Night Ferry' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/story/the-night-ferry')
  await reader.locator('.story-text p').last().scrollIntoViewIfNeeded()
  expect(await untilCompleted('The Night Ferry')).toBe(true)
  expect(await page.evaluate(() => localStorage.getItem('readStoriesCount'))).toBe('1')
  const next = reader.getByRole('region', { name: 'For after this one' }).getByRole('link').first()
  const title = await next.locator('.title-sm').textContent()
  await next.click()
  await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor()
  expect(await page.locator('dialog.reader').count()).toBe(0)
  await page.goBack()
  await page.goBack()
  await page.getByRole('heading', { name: 'Read Stories' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/stories')
  expect(complaints).toEqual([])
})

test('a story completed while the server was unreachable is reported when it is back, without a press', async () => {
  const { page } = await openPage(site)
  let isAway = true
  await page.route('**/api/analytics/progress', (route) => (isAway ? route.abort() : route.continue()))
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/progress'))
  await page.goto('/story/salt-air')
  await page.locator('.story-text p').last().scrollIntoViewIfNeeded()
  await failed
  isAway = false
  expect(await untilCompleted('Salt Air')).toBe(true)
})

test('going Back before the reader has loaded does not open it later', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  await page.getByRole('link', { name: 'Read Stories' }).first().click()
  await page.waitForURL('**/stories')
  const code = Promise.withResolvers<void>()
  await page.route('**/reader-dialog-*.js', async (route) => {
    await code.promise
    await route.continue()
  })
  const codeRequest = page.waitForRequest('**/reader-dialog-*.js')
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).click()
  await codeRequest
  await page.goBack()
  await card(page, 'The Night Ferry').waitFor()
  const come = page.waitForResponse('**/reader-dialog-*.js')
  code.resolve()
  await come
  await page.getByRole('link', { name: 'Read Stories' }).first().click()
  await page.waitForURL('**/stories')
  await page.getByRole('link', { name: 'Read Now: Salt Air' }).click()
  await page.locator('dialog.reader[open]').getByRole('heading', { name: 'Salt Air' }).waitFor()
  expect(await page.locator('dialog.reader').count()).toBe(1)
  expect(complaints).toEqual([])
})

/** Waits until the database says that a story has been read to its end. */
function untilCompleted(title: string): Promise<boolean> {
  return until(async () => {
    const rows = await site.services.db
      .select({ id: contentProgress.id })
      .from(contentProgress)
      .innerJoin(stories, eq(stories.id, contentProgress.contentId))
      .where(and(eq(stories.title, title), eq(contentProgress.completed, true)))
    return rows.length > 0
  })
}

test('the fourth story asks a visitor to sign up without sending its text, and opens after joining', async () => {
  const { page, complaints } = await openPage(site)
  for (const slug of ['the-night-ferry', 'slow-train-north', 'the-gift']) {
    await page.goto(`/story/${slug}`)
    expect(await page.locator('.story-text p').count()).toBeGreaterThan(5)
  }
  await page.goto('/story/salt-air')
  await page.getByRole('heading', { name: 'Sign Up to Continue Reading' }).waitFor()
  const [story] = await site.services.db
    .select({ content: stories.content })
    .from(stories)
    .where(eq(stories.slug, 'salt-air'))
  const lastWords = story?.content.slice(-60) ?? ''
  expect(lastWords.length).toBe(60)
  expect(await page.content()).not.toContain(lastWords.slice(10, 50))
  await page.getByRole('link', { name: 'Sign Up Free' }).click()
  await page.getByRole('heading', { name: 'Join Nocturne FREE!' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/landing')
  await page.getByLabel('Email').fill('nell@example.com')
  await page.getByLabel('Password').fill(memberPassword)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/story/salt-air')
  await seeToast(page, 'Welcome! 🎉')
  await page.getByText(lastWords.slice(10, 50)).waitFor()
  expect(complaints).toEqual([])
})

test('a story pressed before joining plays after it, continues across pages, and resumes after a return', async () => {
  const { page, context, complaints } = await openPage(site)
  await page.goto('/')
  await card(page, 'The Night Ferry').getByRole('button', { name: 'Play The Night Ferry' }).click()
  const joining = page.getByRole('dialog', { name: 'Join Nocturne FREE!' })
  await joining.getByLabel('First name').fill('Mara')
  await joining.getByLabel('Email').fill('mara@example.com')
  await joining.getByLabel('Password').fill(memberPassword)
  await joining.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('Welcome! 🎉', { exact: true }).waitFor()
  await waitUntilPlaying(page, 1)
  await card(page, 'The Night Ferry').getByRole('button', { name: 'Pause The Night Ferry' }).waitFor()

  let heard = (await readSound(page)).at
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  for (const [path, press] of [
    ['/stories', () => sidebar.getByRole('link', { name: 'Read Stories' }).click()],
    [
      '/story/slow-train-north',
      () => page.getByRole('link', { name: 'Slow Train North', exact: true }).click(),
    ],
    ['/stories', () => page.goBack()],
    ['/', () => sidebar.getByRole('link', { name: 'Explore Audios' }).click()],
  ] as const) {
    await press()
    await page.waitForURL(`**${path}`)
    await waitUntilPlaying(page, heard)
    heard = (await readSound(page)).at
  }
  await player(page).getByRole('button', { name: 'Forward 15 seconds' }).click()
  await waitUntilPlaying(page, heard + 14)
  await player(page).getByRole('button', { name: 'Pause', exact: true }).click()
  const stoppedAt = (await readSound(page)).at
  expect(stoppedAt).toBeGreaterThan(15)
  await page.waitForTimeout(500)
  await page.close()

  const again = await context.newPage()
  await again.goto('/')
  await card(again, 'The Night Ferry').getByRole('button', { name: 'Play The Night Ferry' }).click()
  await waitUntilPlaying(again)
  const resumedAt = (await readSound(again)).at
  expect(resumedAt).toBeGreaterThan(stoppedAt - 1)
  expect(resumedAt).toBeLessThan(stoppedAt + 30)
  await player(again).getByRole('button', { name: 'Stop and close' }).click()
  await player(again).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('a member signs in after a wrong password, adds and removes a favourite, and signs out', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Welcome Back!' })
  await dialog.getByLabel('Email').fill('mara@example.com')
  await dialog.getByLabel('Password').fill('not this one')
  await dialog.getByRole('button', { name: 'Sign In' }).click()
  await page.getByText('Oops! 😅', { exact: true }).waitFor()
  expect(await dialog.getByLabel('Email').inputValue()).toBe('mara@example.com')
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Sign In' }).click()
  await page.getByText('Successfully logged in! Enjoy unlimited stories.', { exact: true }).waitFor()
  const heart = card(page, 'Slow Train North').locator('.favourite')
  await heart.click()
  await page.getByText('Content has been added to your favorites', { exact: true }).waitFor()
  await page.reload()
  expect(await heart.getAttribute('aria-pressed')).toBe('true')
  await card(page, 'Slow Train North')
    .getByRole('button', { name: 'Add to favorites', pressed: true })
    .click()
  await page.getByText('Content has been removed from your favorites', { exact: true }).waitFor()
  const status = await page.evaluate(
    async () =>
      (
        await fetch('/api/auth/logout', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
  )
  expect(status).toBe(200)
  await page.reload()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
})

test('the list filters while typing and keeps focus; Back restores it, and an empty result suggests stories', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  await page.getByRole('main').getByText('26 results').waitFor()
  const field = page.getByLabel('Search stories')
  await field.pressSequentially('ferr')
  await page.waitForURL('**/stories?q=ferr')
  await page.getByRole('main').getByText('1 result', { exact: true }).waitFor()
  expect(await field.evaluate((each) => each === document.activeElement)).toBe(true)
  await field.pressSequentially('yzz')
  await page.waitForURL('**/stories?q=ferryzz')
  await page.getByRole('heading', { name: 'No stories found' }).waitFor()
  await page.getByRole('heading', { name: 'New on the shelf' }).waitFor()
  expect(await page.locator('.story-card').count()).toBe(4)
  expect(await field.inputValue()).toBe('ferryzz')
  await page.goBack()
  await page.getByRole('main').getByText('26 results').waitFor()
  expect(await field.inputValue()).toBe('')
  await page.goForward()
  await page.getByRole('heading', { name: 'No stories found' }).waitFor()
  expect(await field.inputValue()).toBe('ferryzz')
  await page.getByRole('link', { name: 'Clear Filters' }).first().click()
  await page.getByRole('main').getByText('26 results').waitFor()
  expect(complaints).toEqual([])
})

test('the Length filter uses the measured duration, and the category parameter is case-insensitive', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  // The narration is 90 seconds long, whatever duration was stated.
  await page.getByLabel('Length').selectOption('Under 6 min')
  await page.waitForURL('**/?length=short')
  await card(page, 'The Night Ferry').getByText('2 min').first().waitFor()
  await page.getByLabel('Length').selectOption('Any length')
  await page.getByRole('main').getByText('26 results').waitFor()
  await page.goto('/?category=BDSM')
  await page.getByRole('link', { name: 'BDSM', exact: true }).and(page.locator('[aria-current]')).waitFor()
  expect(complaints).toEqual([])
})

test('My Content filters while typing, and Search all stories keeps the query', async () => {
  const { page, complaints } = await openMemberPage(site, '/stories')
  for (const title of ['Slow Train North', 'Salt Air']) {
    const heart = page.locator('.story-card').filter({ hasText: title }).locator('.favourite')
    // The heart shows its new state before the server has answered.
    const added = page.waitForResponse(
      (response) =>
        response.request().method() === 'POST' && response.url().endsWith('/api/content-favorites'),
    )
    await heart.click()
    expect((await added).ok()).toBe(true)
    await heart.and(page.locator('[aria-pressed=true]')).waitFor()
  }
  await page.goto('/my-content')
  await page.getByRole('link', { name: 'All Content (2)' }).waitFor()
  await page.getByLabel('Search your content').pressSequentially('slow')
  await page.waitForURL(/[?&]q=slow(&|$)/)
  await page.getByRole('link', { name: 'All Content (1)' }).waitFor()
  await page.getByLabel('Length').selectOption('Over 15 min')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('link', { name: 'Search all stories' }).click()
  await page.waitForURL('**/stories?q=slow')
  expect(complaints).toEqual([])
})

test('Back, a reload and a refetch restore the scroll position of a long list', async () => {
  const { page } = await openPage(site, { viewport: { width: 390, height: 844 } })
  await page.goto('/stories')
  await page.evaluate(() => scrollTo(0, 2_500))
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(2_000)
  const card = await findCardInSight(page)
  await page.evaluate(() =>
    document.dispatchEvent(new CustomEvent('nocturne:visit', { detail: { url: '/sign-in' } })),
  )
  await page.getByRole('heading', { level: 1, name: 'Welcome Back!' }).waitFor()
  await page.goBack()
  await page.getByLabel('Search stories').waitFor()
  await until(() => page.evaluate((wanted) => scrollY === wanted, left))
  expect(await findCardInSight(page)).toEqual(card)

  await page.reload()
  await until(() => page.evaluate((wanted) => scrollY === wanted, left))
  expect(await findCardInSight(page)).toEqual(card)

  await page.evaluate(() =>
    document.dispatchEvent(
      new CustomEvent('nocturne:visit', { detail: { url: location.href, isReload: true } }),
    ),
  )
  await page.locator('html[data-visiting]').waitFor({ state: 'detached' })
  expect(await findCardInSight(page)).toEqual(card)
})

test('refetching an unchanged list leaves its DOM in place', async () => {
  const { page } = await openPage(site, { viewport: { width: 390, height: 844 } })
  await page.goto('/stories')
  const main = await page.locator('#main').elementHandle()
  await page.evaluate(() =>
    document.dispatchEvent(
      new CustomEvent('nocturne:visit', { detail: { url: location.href, isReload: true } }),
    ),
  )
  await page.locator('html[data-visiting]').waitFor({ state: 'detached' })
  expect(await main?.evaluate((element) => element.isConnected)).toBe(true)
})

/** Returns the title of the story in the middle of the screen, and its distance from the top. */
const findCardInSight = (page: Page) =>
  page.evaluate(() => {
    const card = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('article')
    return { title: card?.querySelector('h2')?.textContent, top: card?.getBoundingClientRect().top }
  })
