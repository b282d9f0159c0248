import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { stories } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import {
  codeOf,
  holdBack,
  narrateWithTone,
  openMemberPage,
  openOperatorPage,
  openPage,
  openSite,
  seeToast,
  watchReact,
} from '#src/testing/browser'
import { until } from '#src/testing/until'

/** Presses on an island whose code is still loading, as on a slow line, are replayed. */
const site = await openSite()

beforeAll(async () => {
  await seedDemo(site.services.db)
  const [story] = await site.services.db
    .select({ id: stories.id })
    .from(stories)
    .where(eq(stories.slug, 'the-night-ferry'))
  await narrateWithTone(site.services, story?.id ?? '', 30)
  await site.services.db.update(stories).set({ isFree: false })
})

test('Play pressed before the card is hydrated is replayed', async () => {
  const { page, complaints } = await openPage(site)
  const goOn = await holdBack(page, codeOf('card-controls'))
  await page.goto('/', { waitUntil: 'commit' })
  // The loader records presses from then on.
  await page.waitForLoadState('domcontentloaded')
  await page.getByRole('button', { name: 'Play The Night Ferry' }).click()
  await goOn()
  await page.getByRole('dialog', { name: 'Join Nocturne FREE!' }).waitFor()
  expect(complaints).toEqual([])
})

test('no page of the library fetches React before the first press, which loads each file once', async () => {
  const { page, complaints } = await openPage(site)
  const hasReact = watchReact(page)
  const files: string[] = []
  page.on('request', (request) => request.url().endsWith('.js') && files.push(request.url()))
  for (const path of ['/', '/stories', '/trending', '/landing', '/story/the-night-ferry'])
    await page.goto(path, { waitUntil: 'networkidle' })
  expect(await hasReact()).toBe(false)
  files.length = 0
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.getByRole('dialog', { name: 'Join Nocturne FREE!' }).waitFor()
  expect(await hasReact()).toBe(true)
  // Every preloaded file is used, and none is requested twice.
  expect(new Set(files).size).toBe(files.length)
  expect(complaints).toEqual([])
})

test('pressing a link that opens a dialog paints a frame before the dialog’s files are requested', async () => {
  const { page, complaints } = await openPage(site)
  const presses = [
    ['/', 'a[data-auth=sign-in]'],
    ['/', 'a[data-reader]'],
    ['/story/the-night-ferry', 'a[data-report]'],
  ] as const
  for (const [path, selector] of presses) {
    const pressOnce = async () => {
      await page.goto(path, { waitUntil: 'networkidle' })
      await page.evaluate(noteFrame)
      await page.locator(selector).first().click()
      await page.locator('dialog[open]').waitFor()
      return page.evaluate<Frame>('globalThis.frame')
    }
    let frame = await pressOnce()
    // Later frames are discarded: a busy machine may need nearly a second for one, and the page does not wait that
    // long.
    while (frame.afterMs > 700) frame = await pressOnce()
    expect([selector, frame.files]).toEqual([selector, []])
  }
  expect(complaints).toEqual([])
})

type Frame = { files: string[]; afterMs: number }

/** Records the files of dialogs that have been requested by the first frame after a click. */
function noteFrame(): void {
  document.addEventListener(
    'click',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const dialogs = document.querySelectorAll<HTMLLinkElement>('link[href*="-dialog-"]')
        const files = [...dialogs].map(({ href }) => href)
        Object.assign(globalThis, { frame: { files, afterMs: performance.now() - timeStamp } })
      }),
    { capture: true, once: true },
  )
}

test('a favourite pressed three times on a slow line is busy at once, and is toggled once', async () => {
  const { page, complaints } = await openMemberPage(site, '/stories')
  const goOn = await holdBack(page, codeOf('favorite'))
  const card = page.locator('.story-card').filter({ hasText: 'The Night Ferry' })
  const heart = card.locator('.favourite')
  await heart.click()
  expect(await heart.getAttribute('aria-busy')).toBe('true')
  await heart.click()
  await heart.click()
  await goOn()
  await seeToast(page, 'Added to favorites')
  expect(await heart.getAttribute('aria-pressed')).toBe('true')
  expect(await heart.getAttribute('aria-busy')).toBeNull()
  expect(complaints).toEqual([])
})

/** Lets the time pass that a press waits for its code. `page.clock` has to be installed. */
const waitInVain = (page: Page) => page.clock.runFor('00:11')

test('a press whose code never loads shows an error or follows the link', async () => {
  const { page, complaints } = await openMemberPage(site, '/stories')
  await page.clock.install()
  await page.goto('/stories')
  const goOn = await holdBack(page, codeOf('favorite'))
  const heart = page.locator('.story-card .favourite').first()
  const asked = page.waitForRequest(codeOf('favorite'))
  await heart.click()
  await page.clock.runFor(2_000)
  await asked
  await waitInVain(page)
  await until(async () => (await heart.getAttribute('aria-busy')) === null)
  await page.clock.resume()
  await seeToast(page, 'The server did not answer')
  // The code has arrived after all, and serves the next press.
  await goOn()
  await heart.click()
  await seeToast(page, 'Added to favorites')

  await page.context().clearCookies()
  await page.goto('/stories')
  await page.route(codeOf('auth-dialog'), () => {})
  const link = page.locator('a[data-auth=sign-in]:visible').first()
  await link.click()
  await page.clock.runFor(2_000)
  await waitInVain(page)
  await page.waitForURL('**/sign-in?*')
  expect(complaints).toEqual(['console: auth-dialog does not come.'])
})

test('a form submitted before hydration waits for its island, and leaves the URL unchanged', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const goOn = await holdBack(page, codeOf('model-settings'))
  await page.goto('/model-config', { waitUntil: 'commit' })
  // The loader records presses from then on.
  await page.waitForLoadState('domcontentloaded')
  const form = page.getByRole('form', { name: 'Model settings' })
  await form.getByRole('button', { name: 'Save configuration' }).click()
  expect(new URL(page.url()).search).toBe('')
  await goOn()
  await seeToast(page, 'Configuration saved')
  expect(new URL(page.url()).search).toBe('')
  expect(complaints).toEqual([])
})

test('fields typed into, chosen and ticked before hydration keep their values', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  const goOn = await holdBack(page, codeOf('bulk-paste'))
  await page.goto('/admin', { waitUntil: 'commit' })
  await page.getByLabel('Paste rows').fill('Salt Air | lesbian | sea | The hut had one chair.')
  await goOn()
  await page.getByText('1 of 1 stories').or(page.getByText('1 of 1 story')).waitFor()
  expect(await page.getByLabel('Paste rows').inputValue()).toContain('Salt Air')

  const releaseModel = await holdBack(page, codeOf('model-settings'))
  await page.goto('/model-config', { waitUntil: 'commit' })
  const form = page.getByRole('form', { name: 'Model settings' })
  await form.getByLabel('Max tokens').fill('1200')
  await form.getByRole('radio', { name: /runpod/ }).check({ force: true })
  await releaseModel()
  await form.getByLabel('RunPod API URL').waitFor()
  await form.getByRole('button', { name: 'Save configuration' }).click()
  await seeToast(page, 'Configuration saved')
  expect(await form.getByLabel('Max tokens').inputValue()).toBe('1200')
  expect(complaints).toEqual([])
})

test('a favourite pressed in the reader over a list is sent once, before and after hydration', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/content-favorites') && request.method() !== 'GET')
      sent.push(request.method())
  })
  const goOn = await holdBack(page, codeOf('favorite'))
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).first().click()
  const bar = page.locator('dialog.reader[open] .reader-bar')
  await bar.locator('button[aria-pressed=false]').click()
  expect(sent).toEqual([])
  await goOn()
  await bar.locator('button[aria-pressed=true]').waitFor()
  const taken = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await bar.locator('button[aria-pressed=true]').click()
  await bar.locator('button[aria-pressed=false]').waitFor()
  await taken
  expect(sent).toEqual(['POST', 'DELETE'])
  expect(complaints).toEqual([])
})

test('a vote pressed in the reader over a list before hydration is replayed', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const goOn = await holdBack(page, codeOf('opinion'))
  await page.goto('/stories')
  await page.getByRole('link', { name: 'Read Now: The Night Ferry' }).first().click()
  const reader = page.locator('dialog.reader[open]')
  await reader.getByRole('button', { name: 'Upvote' }).click()
  await goOn()
  await reader.getByRole('button', { name: 'Upvote', pressed: true }).waitFor()
  expect(complaints).toEqual([])
})

test('pressing a list’s link down prefetches it once; an item is requested only on release', async () => {
  const { page, complaints } = await openPage(site)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') asked.push(new URL(request.url()).pathname)
  })
  await page.goto('/')
  const press = async (link: Locator) => {
    await link.hover()
    await page.mouse.down()
  }
  const stories = page.getByRole('navigation').getByRole('link', { name: 'Read Stories' }).first()
  await press(stories)
  await until(() => asked.includes('/stories'))
  expect(new URL(page.url()).pathname).toBe('/')
  await page.mouse.up()
  await page.getByLabel('Search stories').waitFor()
  expect(asked.filter((path) => path === '/stories')).toHaveLength(1)

  await press(page.getByRole('link', { name: 'Read Now: The Night Ferry' }))
  // After two frames the browser has done what it does at once.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(asked.filter((path) => path.startsWith('/story'))).toEqual([])
  await page.mouse.up()
  await page.locator('dialog.reader[open]').waitFor()
  expect(complaints).toEqual([])
})

test('a tap on a phone shows its page without waiting for the press to end', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, needsPush: true }
  const { page, context, complaints } = await openPage(site, phone)
  await page.addInitScript(noteWaits)
  // A slow processor, so that the page arrives while the tap is still highlighted. The headless shell does not
  // highlight taps.
  await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.locator('.tabbar a[href="/stories"]').tap()
  await page.waitForURL('**/stories')
  await page.locator('.tabbar a[href="/stories"][aria-current]').waitFor()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'waits'))).not.toContain(1_000)
  expect(complaints).toEqual([])
})

test('refetching the current page does not cancel a navigation to another', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  const release = await holdBack(page, '**/stories')
  await page.locator('nav a[href="/stories"]:visible').first().click()
  await page.evaluate(() => {
    const detail = { url: location.href, isReload: true }
    document.dispatchEvent(new CustomEvent('nocturne:visit', { detail, cancelable: true }))
  })
  await release()
  await page.waitForURL('**/stories')
  expect(complaints).toEqual([])
})

test('a slow page shows a line at the top while it loads', async () => {
  const { page } = await openPage(site)
  await page.goto('/')
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/stories', async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Read Stories' }).first().click()
  const line = () => page.evaluate(() => getComputedStyle(document.documentElement, '::after').content)
  expect(await line()).toBe('""')
  answer()
  await page.getByLabel('Search stories').waitFor()
  expect(await line()).toBe('none')
})

/** Records the delays of a page's timers. */
function noteWaits(): void {
  const [waits, start]: [number[], typeof setTimeout] = [[], setTimeout]
  const noted = (run: () => void, ms = 0) => {
    waits.push(ms)
    return start(run, ms)
  }
  Object.assign(globalThis, { waits, setTimeout: noted })
}
