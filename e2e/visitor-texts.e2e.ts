import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page, Route } from 'playwright-core'
import { stories } from '#db/schema'
import { memberPassword, publishTestItem } from '#src/testing/app'
import {
  codeOf,
  holdBack,
  join,
  narrateWithTone,
  openMemberPage,
  openPage,
  openSite,
  seeFocus,
  seeToast,
} from '#src/testing/browser'
import { until } from '#src/testing/until'

/** The messages that visitors and members see when something fails. */
const site = await openSite({ AGE_GATE: 'off' })
const unspoken = await publishTestItem(site.services, { title: 'Unspoken' })

test('a beta signup says thanks and clears its field, or shows an error and keeps the input', async () => {
  const { page } = await openPage(site)
  await page.goto('/', { waitUntil: 'networkidle' })
  const box = page.locator('form.beta')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/beta-signup')) sent.push(request.postData() ?? '')
  })
  await box.getByRole('button', { name: 'Get Early Access' }).click()
  await box.getByLabel('Email').fill('no address')
  await box.getByRole('button', { name: 'Get Early Access' }).click()
  expect(sent).toEqual([])
  await box.getByLabel('Email').fill('iris@example.com')
  await page.route('**/api/beta-signup', (route) => route.abort())
  await box.getByRole('button', { name: 'Get Early Access' }).click()
  await seeToast(page, 'Failed to sign up. Please try again.')
  expect(await box.getByLabel('Email').inputValue()).toBe('iris@example.com')
  await page.unroute('**/api/beta-signup')
  await box.getByRole('button', { name: 'Get Early Access' }).click()
  await seeToast(page, "Thank you for signing up! You'll be notified when premium launches.")
  expect(await box.getByLabel('Email').inputValue()).toBe('')
  expect(sent.map((body) => JSON.parse(body))).toContainEqual({
    email: 'iris@example.com',
    source: 'upgrade_box',
  })
})

test('a favourite that cannot be added or removed shows an error and is reverted', async () => {
  const { page } = await openPage(site)
  await join(site, page)
  await page.goto('/')
  const heart = page.locator('article.card .favourite')
  await page.route('**/api/content-favorites**', (route) => route.abort())
  await heart.click()
  await seeToast(page, 'Failed to add to favorites')
  expect(await heart.getAttribute('aria-pressed')).toBe('false')
  await page.unroute('**/api/content-favorites**')
  await heart.click()
  await seeToast(page, 'Content has been added to your favorites')
  await page.route('**/api/content-favorites**', (route) => route.abort())
  await heart.click()
  await seeToast(page, 'Failed to remove from favorites')
  expect(await heart.getAttribute('aria-pressed')).toBe('true')
})

/** Signs in through the open dialog. */
async function signInOver(page: Page, email: string): Promise<void> {
  const dialog = page.locator('dialog[open]')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password').fill(memberPassword)
  await dialog.getByRole('button', { name: 'Sign In' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('removing a favourite after the session has ended is completed after signing in', async () => {
  const { page } = await openPage(site)
  const email = await join(site, page)
  await page.goto('/')
  const heart = page.locator('article.card .favourite').first()
  await heart.click()
  await seeToast(page, 'Content has been added to your favorites')
  await page.context().clearCookies({ name: /member|session/ })
  await heart.click()
  await signInOver(page, email)
  await seeToast(page, 'Content has been removed from your favorites')
  expect(await heart.getAttribute('aria-pressed')).toBe('false')
  expect(await (await page.request.get('/api/content-favorites')).json()).toEqual([])
})

test('a vote after the session has ended is reverted, and counted once after signing in', async () => {
  const { id, slug } = await publishTestItem(site.services, { title: 'Voted' })
  const { page, email } = await openMemberPage(site, `/story/${slug}`)
  const arrow = page.getByRole('button', { name: 'Upvote' })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/vote')) sent.push(request.postData() ?? '')
  })
  await page.context().clearCookies({ name: /member|session/ })
  await arrow.click()
  await page.locator('dialog[open]').waitFor()
  expect(await arrow.getAttribute('aria-pressed')).toBe('false')
  await signInOver(page, email)
  await arrow.and(page.locator('[aria-pressed=true]')).waitFor()
  const countUpvotes = async () => {
    const [item] = await site.services.db
      .select({ upvotes: stories.upvotes })
      .from(stories)
      .where(eq(stories.id, id))
    return item?.upvotes
  }
  await until(async () => (await countUpvotes()) === 1)
  expect(sent).toHaveLength(2)
})

test('the sign-in page opens when the sign-in dialog cannot be loaded, and leads back', async () => {
  const { page } = await openPage(site)
  const email = await join(site, page)
  await page.context().clearCookies({ name: /member|session/ })
  await page.goto('/stories?q=unspoken')
  await page.route(codeOf('auth-dialog'), (route) => route.abort())
  await page.locator('.story-card .favourite').first().click()
  await page.getByRole('heading', { name: /^Join / }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  // The page before has fields of the same names.
  await page.getByRole('heading', { name: 'Welcome Back!' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(memberPassword)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/stories?q=unspoken')
})

test('a sign-in dialog that never loads does not navigate away from a later page', async () => {
  const { page, complaints } = await openPage(site)
  await page.clock.install()
  await page.goto('/stories')
  await page.route(codeOf('auth-dialog'), () => {})
  const asked = page.waitForRequest(codeOf('auth-dialog'))
  await page.locator('a[data-auth=sign-in]:visible').first().click()
  await asked
  await page.getByRole('link', { name: 'Romantic' }).first().click()
  await page.waitForURL('**/stories?category=romantic')
  await page.locator('html[data-visiting]').waitFor({ state: 'detached' })
  await page.evaluate(`navigation.onnavigate = ({ destination }) => console.error(destination.url)`)
  await page.clock.runFor('00:11')
  await until(() => complaints.length > 0)
  // Messages that the page logs at the same moment have arrived then too.
  await page.evaluate(() => {})
  expect(complaints).toEqual(['console: auth-dialog does not come.'])
})

test('a visitor’s rating that fails after signing in shows an error', async () => {
  const { page } = await openPage(site)
  const email = await join(site, page)
  await page.context().clearCookies({ name: /member|session/ })
  await page.goto(`/story/${unspoken.slug}`, { waitUntil: 'networkidle' })
  const answer = { message: 'Busy for a moment.', code: 'unavailable' }
  await page.route('**/feedback', (route) => route.fulfill({ status: 503, json: answer }), { times: 1 })
  await page.getByRole('radio', { name: '4 of 5' }).check({ force: true })
  await page.locator('dialog[open]').getByRole('link', { name: 'Sign in' }).click()
  await signInOver(page, email)
  await seeToast(page, 'Busy for a moment.')
})

test('a comment that fails while another rating is sent shows an error and is kept', async () => {
  const { page } = await openMemberPage(site, `/story/${unspoken.slug}`)
  const stars = (count: number) => page.getByRole('radio', { name: `${count} of 5` }).check({ force: true })
  await stars(4)
  await page.getByText('1 rating', { exact: false }).waitFor()
  const release = Promise.withResolvers<void>()
  const failing = async (route: Route) => {
    await release.promise
    await route.fulfill({ status: 503, json: { message: 'Busy for a moment.', code: 'unavailable' } })
  }
  await page.route('**/feedback', failing, { times: 1 })
  await page.getByText('A word to the studio').click()
  const words = page.getByLabel('In your own words')
  await words.fill('The lamp at the end.')
  const sent = page.waitForRequest('**/feedback')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await sent
  await stars(5)
  release.resolve()
  await page.getByText('Busy for a moment.').waitFor()
  expect(await words.inputValue()).toBe('The lamp at the end.')
})

test('a search while typing shows progress, and an error when it fails', async () => {
  const { page } = await openPage(site)
  await page.goto('/stories')
  const search = page.getByLabel('Search stories')
  const waits = page.locator('html[data-visiting]')
  const isSearch = /\/stories\?q=/
  const release = await holdBack(page, isSearch)
  await search.pressSequentially('spoken')
  await waits.waitFor()
  await release()
  await page.waitForURL(isSearch)
  await waits.waitFor({ state: 'detached' })

  await page.unrouteAll()
  await page.route(isSearch, (route) => route.abort(), { times: 1 })
  await search.fill('zeppelin')
  await seeToast(page, 'Press Enter to try again.')
  await waits.waitFor({ state: 'detached' })
  await search.press('Enter')
  await page.waitForURL('**/stories?q=zeppelin')
  await waits.waitFor({ state: 'detached' })

  // An error must not replace the page, and its playback, while a person types.
  const words = '<title>Busy</title><h1>Busy for a moment</h1>'
  await page.route(isSearch, (route) => route.fulfill({ status: 503, contentType: 'text/html', body: words }))
  await search.fill('unspoken')
  await seeToast(page, 'Search failed')
  expect(await search.inputValue()).toBe('unspoken')
  await search.press('Enter')
  await page.getByRole('heading', { name: 'Busy for a moment' }).waitFor()
})

test('words typed while a list is loading are kept, and combined with its filter', async () => {
  const { page } = await openPage(site)
  await page.goto('/stories')
  const search = page.getByLabel('Search stories')
  const typeBefore = async (isOnItsWay: RegExp, press: () => Promise<void>) => {
    const release = await holdBack(page, isOnItsWay)
    await press()
    await page.locator('html[data-visiting]').waitFor()
    await search.fill('unspoken')
    await release()
  }
  const find = async (address: string) => {
    await page.waitForURL(address)
    await page.getByRole('link', { name: unspoken.title }).first().waitFor()
    await seeFocus(search)
    expect(await search.inputValue()).toBe('unspoken')
    await page.locator('html[data-visiting]').waitFor({ state: 'detached' })
  }
  // Requests are held back from the first letter: otherwise a search while typing would leave nothing for Enter to
  // request.
  await typeBefore(/\/stories\?q=zeppelin/, async () => {
    await search.fill('zeppelin')
    await search.press('Enter')
  })
  await find('**/stories?q=unspoken')

  await page.goto('/stories')
  await typeBefore(/\/stories\?category=romantic/, () =>
    page.getByRole('link', { name: 'Romantic' }).first().click(),
  )
  await find('**/stories?q=unspoken&category=romantic')
})

test('playing an item without audio says so', async () => {
  const { page } = await openPage(site)
  await page.goto('/')
  await page.getByRole('button', { name: 'Play Unspoken' }).click()
  await seeToast(page, 'Audio not available', "This content doesn't have an audio file yet")
  expect(await page.getByRole('button', { name: 'More for Unspoken' }).count()).toBe(0)
})

test('playing an item removed since the page was rendered says so', async () => {
  const { id } = await publishTestItem(site.services, { title: 'Taken Away' })
  await narrateWithTone(site.services, id, 2)
  const { page } = await openMemberPage(site, '/')
  await site.services.db.update(stories).set({ status: 'removed' }).where(eq(stories.id, id))
  await page.getByRole('button', { name: 'Play Taken Away' }).click()
  await seeToast(page, 'This is no longer in the library.')
})
