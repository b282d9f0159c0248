import { beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { register } from '#src/member/sign-in/register'
import { memberPassword } from '#src/testing/app'
import { join, narrateWithTone, openLastingPage, openPage, openSite, pressTwice } from '#src/testing/browser'
import { findBarriers, findFaults } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

/** Requirements of every page: accessible, no requests to other sites, and usable without a script. */
const site = await openSite()
const gatedSite = await openSite({ AGE_GATE: 'confirm' })
const pages = [
  '/',
  '/?type=flow',
  '/?type=flow&category=bdsm',
  '/stories',
  '/stories?q=zeppelin',
  '/story/rain-on-the-conservatory-roof',
  '/story/the-night-ferry',
  '/flow/ten-breaths-before-sleep',
  '/trending',
  '/home',
  '/create',
  '/create-stories',
  '/story-generator',
  '/trending?timeframe=all&type=flow&order=top-rated',
  '/landing',
  '/my-content',
  '/challenges',
  '/settings',
  '/help',
  '/privacy',
  '/terms',
  '/contact',
  '/sign-in',
  '/reset-password',
  '/reset-password?said=sent',
  '/reset-password?token=of-a-mail',
  '/verify-email?token=of-a-mail',
  '/verify-email?said=done',
  '/change-email?token=of-a-mail',
  '/change-email?said=done',
  '/account-deleted',
  '/no-such-page',
  '/leave',
]
/** Pages that differ for a member. */
const memberPages = [
  '/',
  '/stories',
  '/story/rain-on-the-conservatory-roof',
  '/story/the-night-ferry',
  '/flow/ten-breaths-before-sleep',
  '/home',
  '/create',
  '/my-content',
  '/my-content?type=story&sort=duration&q=ferry',
  '/challenges',
  '/settings',
  '/settings?open=email',
]

beforeAll(async () => void (await seedDemo(site.services.db)))

/** Registers a member who has started, saved and rated items. */
async function becomeMember(page: Page): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  await join(site, page, { firstName: 'Iris' })
  const [item] = await (await page.request.get('/api/content?q=ferry')).json()
  const place = { contentId: item.id, contentType: item.type, lastPositionSec: 60, totalSec: 300 }
  for (const [path, body] of [
    ['/api/content-favorites', { contentKey: `${item.source}:${item.type}:${item.id}` }],
    ['/api/analytics/progress', place],
    [`/api/stories/${item.id}/feedback`, { rating: 4 }],
  ] as const)
    expect((await page.request.post(path, { headers, data: body })).ok()).toBe(true)
}

type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] }

/** Records layout shifts without a preceding press, and their score. Runs in the page. */
function noteShifts(): void {
  const moved = { score: 0, what: [] as string[] }
  Object.assign(globalThis, { moved })
  const isShift = (entry: PerformanceEntry): entry is Shift => 'sources' in entry
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries().filter(isShift)) {
      moved.score += value
      for (const { node } of sources)
        moved.what.push(node?.parentElement?.outerHTML.slice(0, 200) ?? 'something')
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Returns what has shifted, if the score is at least the smallest that browsers report with two decimals. */
function findMoved(page: Page): Promise<string[]> {
  return page.evaluate('document.fonts.ready.then(() => (moved.score < 0.005 ? [] : moved.what))')
}

for (const [whose, addresses, become] of [
  ['a visitor', pages, async () => {}],
  ['a member', memberPages, becomeMember],
] as const) {
  describe(`pages for ${whose} are accessible, do not shift or scroll sideways, and log no errors`, () => {
    let opened: ReturnType<typeof openLastingPage>
    beforeAll(async () => {
      opened = openLastingPage(site)
      const { page } = await opened
      await become(page)
      await page.addInitScript(noteShifts)
    })
    for (const path of addresses)
      test(path, async () => {
        const { page, complaints } = await opened
        await page.setViewportSize({ width: 390, height: 844 })
        await page.goto(path)
        expect(await findMoved(page)).toEqual([])
        expect(await findFaults(page)).toEqual([])
        expect(complaints).toEqual([])
      })
  })
}

const beginning = { parts: ['h1', '.story-text'], from: 'class="story-text', to: '</p>' }
const art = { parts: ['.landing-quote'], from: 'class="landing-art', to: '</section>' }

test.each([
  ['/story/the-night-ferry', beginning],
  ['/flow/ten-breaths-before-sleep', beginning],
  ['/landing', art],
] as const)(
  'the beginning of %s does not move when the rest of the HTML arrives',
  async (path, { parts, from, to }) => {
    const { page } = await openPage(site)
    // Without scripts no island is hydrated, so only the rest of the page can shift the layout.
    await page.route('**/*.js', (route) => route.abort())
    await site.services.db.execute(
      sql`update stories set content_notes = '{"Strangers"}' where type = 'flow'`,
    )
    const whole = await (await page.request.get(path)).text()
    const body = whole.slice(0, whole.indexOf(to, whole.indexOf(from)))
    const findPlaces = async () => {
      await page.goto(path, { waitUntil: 'commit' })
      await page.waitForLoadState()
      return Promise.all(parts.map(async (part) => (await page.locator(part).boundingBox())?.y))
    }
    for (const width of [390, 1000, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      const inTheEnd = await findPlaces()
      await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/html', body }))
      expect(await findPlaces()).toEqual(inTheEnd)
      await page.unroute(`**${path}`)
    }
  },
)

test('the age gate comes first, is passed once, and leads to the requested URL', async () => {
  const { page, complaints } = await openPage(gatedSite)
  await page.goto('/stories?category=gay')
  await page.getByRole('heading', { name: 'Are you 18 or older?' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'I am 18 or older' }).click()
  await page.getByRole('heading', { name: 'Read Stories' }).waitFor()
  expect(new URL(page.url()).search).toBe('?category=gay')
  await page.goto('/')
  expect(await page.getByText('Are you 18 or older?').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('browsing, searching, reading and joining work without JavaScript', async () => {
  const { page, context } = await openPage(site, { javaScriptEnabled: false })
  await page.goto('/')
  await page.getByRole('link', { name: 'Flows' }).click()
  await page.getByRole('main').getByText('9 results').waitFor()
  await page.getByRole('link', { name: 'Ten Breaths Before Sleep' }).first().click()
  await page.getByRole('heading', { name: 'Transcript' }).waitFor()
  await page.goto('/stories')
  await page.getByLabel('Search stories').fill('ferry')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('1 result', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).click()
  await page.getByText('The last boat left at ten').first().waitFor()
  await page.goto('/landing')
  await page.getByLabel('Email').fill('quiet@example.com')
  await page.getByLabel('Password').fill(memberPassword)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('link', { name: 'Settings' }).first().waitFor()
  expect(
    (await context.cookies()).some(({ name, httpOnly }) => name === 'nocturne_session' && httpOnly),
  ).toBe(true)
})

test('a member listens with the browser’s controls without JavaScript, and a visitor is sent to sign in', async () => {
  const path = '/flow/ten-breaths-before-sleep'
  const [item] = await site.services.db
    .update(stories)
    .set({ isFree: false })
    .where(eq(stories.slug, 'ten-breaths-before-sleep'))
    .returning()
  await narrateWithTone(site.services, item?.id ?? '', 3)
  const { page } = await openPage(site, { javaScriptEnabled: false })
  await page.goto(path)
  expect(await page.locator('audio[controls]').count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  const email = `${crypto.randomUUID()}@example.com`
  await register(site.services.db, { email, password: memberPassword }, email)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(memberPassword)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  const controls = page.locator('audio[controls]')
  await controls.waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  expect(await page.locator('button:visible', { hasText: 'Play' }).count()).toBe(0)
  const heard = await page.request.get((await controls.getAttribute('src')) ?? '')
  expect([heard.status(), heard.headers()['content-type']]).toEqual([200, 'audio/mpeg'])
})

test('soft navigation focuses the heading, announces the title, and restores the scroll position on Back', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  await page.evaluate(() => window.scrollTo(0, 900))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Read Stories' }).click()
  await page.getByRole('heading', { name: 'Read Stories' }).waitFor()
  expect(await page.title()).toBe('Read Stories – Nocturne')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  expect(await page.locator('#announcer').textContent()).toContain('Read Stories')
  await page.goBack()
  await page.getByRole('main').getByText('26 results').waitFor()
  await page.waitForFunction(() => window.scrollY > 700)
  expect(complaints).toEqual([])
})

test('the accessibility tree contains cards far below the viewport, after a load and a soft navigation', async () => {
  const { page } = await openPage(site, { viewport: { width: 390, height: 844 } })
  const session = await page.context().newCDPSession(page)
  const hasAll = async (role: string, count: number) => {
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    return nodes.filter((node) => node.role?.value === role && !node.ignored).length >= count
  }
  await page.goto('/')
  const cards = await page.locator('.card').count()
  expect(cards).toBeGreaterThan(20)
  // Each card has a Play button and a favourite button.
  await until(() => hasAll('button', 2 * cards))
  await page.locator('.tabbar').getByRole('link', { name: 'Stories' }).click()
  await page.waitForURL('**/stories')
  await until(() => hasAll('heading', cards))
  await until(() => hasAll('button', cards))
})

test('a slow list shows skeletons, and tells screen readers that it is loading', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  const isSeen = Promise.withResolvers<void>()
  await page.route('**/stories?category=gay', async (route) => {
    await isSeen.promise
    await route.continue()
  })
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Gay' }).click()
  await page.getByRole('main').getByText('Loading stories...').waitFor({ state: 'attached' })
  expect(await page.locator('.story-list .skeleton').count()).toBeGreaterThan(3)
  isSeen.resolve()
  await page.getByRole('main').getByText('6 results', { exact: true }).waitFor()
  await page.locator('.story-list .skeleton').first().waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('Esc leaves for a neutral page on its second press, and Back does not return', async () => {
  const { page } = await openPage(site)
  await page.goto('/stories')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('heading', { name: 'Read Stories' }).count()).toBe(1)
  await pressTwice(page, 'Escape')
  await page.waitForURL('**/leave')
  expect(await page.title()).not.toContain('Nocturne')
  await page.goBack()
  expect(page.url()).toBe('about:blank')
})
