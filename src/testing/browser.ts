import { afterAll, onTestFinished } from 'bun:test'
import { join as joinPath } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { BrowserContext, BrowserContextOptions, Download, Locator, Page } from 'playwright-core'
import { loadAssets } from '#src/http/assets'
import { register } from '#src/member/sign-in/register'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { createApp } from '#src/server/app'
import { listen } from '#src/server/listen'
import type { Services } from '#src/services'
import { memberPassword, operatorToken, testApp } from '#src/testing/app'
import { closeBrowsers, closeContext, findBrowser } from '#src/testing/chromium'
import { type Complaints, logPage } from '#src/testing/page-log'

export type Site = { url: string; services: Services }

/**
 * Starts the program on a real port with real assets, for one test file. Call it at the top of the file, not in a hook.
 */
export async function openSite(environment: Record<string, string> = {}): Promise<Site> {
  const { services: bare } = await testApp(environment)
  const services = { ...bare, assets: loadAssets(joinPath(import.meta.dir, '../../.build')) }
  const app = createApp(services)
  const server = listen(app, { port: 0 })
  afterAll(async () => {
    await closeBrowsers()
    await server.stop(true)
  })
  return { url: `http://localhost:${server.port}`, services }
}

/** Adds a tone as the narration of an item, stored and attached like an upload. */
export async function narrateWithTone(services: Services, storyId: string, seconds: number): Promise<void> {
  const staged = await services.storage.receive(streamOf(await toneMp3(seconds)))
  const file = await services.storage.commit(staged, 'mp3')
  await attachAudio(services.db, {
    storyId,
    voice: 'female',
    file: { ...file, sizeBytes: staged.sizeBytes, durationSeconds: seconds },
    provider: 'upload',
    narrator: null,
    fileName: 'tone.mp3',
  })
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** With `needsPush` the page opens in a full Chromium, since the headless shell has no push and no notifications. */
export type PageOptions = BrowserContextOptions & { needsPush?: boolean }

/** Like `openLastingPage`, but the page is closed when the test ends. */
export async function openPage(site: Site, options: PageOptions = {}): ReturnType<typeof openLastingPage> {
  const opened = await openLastingPage(site, options)
  onTestFinished(() => closeContext(opened.context))
  return opened
}

/** Opens a page as a new person. Navigation waits for the islands of the page, except with `waitUntil: 'commit'`. */
export async function openLastingPage(
  site: Site,
  { needsPush = false, ...options }: PageOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: Complaints }> {
  const browser = await findBrowser({ needsPush })
  const context = await browser.newContext({
    baseURL: site.url,
    // Requests that the driver delays or breaks must bypass the service worker; the tests of the worker enable it.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    ...options,
  })
  // Long, so that a busy machine does not fail tests. For all pages of the context, and for their requests.
  context.setDefaultTimeout(180_000)
  const page = await context.newPage()
  if (options.javaScriptEnabled !== false) waitForIslands(page)
  return { page, context, complaints: logPage(page, site.url) }
}

/** Waits until the islands that need no press are hydrated. */
export async function islandsAwake(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll(':is([data-when=load], [data-when=idle]) > nocturne-root')].every(
      (host) => 'isHydrated' in host,
    ),
  )
}

function waitForIslands(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await islandsAwake(page)
    return response
  }
  page.reload = async (options) => {
    const response = await reload(options)
    await islandsAwake(page)
    return response
  }
}

/** Creates an account, signs the page in to it, and returns the email. */
export async function join(
  site: Site,
  page: Page,
  { email = `${crypto.randomUUID()}@example.com`, firstName }: { email?: string; firstName?: string } = {},
): Promise<string> {
  // Each account has an address of its own, since one address may create ten in an hour.
  await register(site.services.db, { email, password: memberPassword, firstName }, email)
  await signIn(page, email)
  return email
}

export async function signIn(page: Page, email: string, password = memberPassword): Promise<void> {
  const answer = await page.request.post('/api/auth/login', {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { email, password },
  })
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`)
}

/** Opens a page as a new member. */
export async function openMemberPage(
  site: Site,
  path: string,
  options: PageOptions = {},
): Promise<Awaited<ReturnType<typeof openPage>> & { email: string }> {
  const opened = await openPage(site, options)
  const email = await join(site, opened.page, { firstName: 'Iris' })
  await opened.page.goto(path)
  return { ...opened, email }
}

/** Opens the console, signed in as the operator Ada. */
export async function openOperatorPage(
  site: Site,
  path: string,
  options: PageOptions = {},
): ReturnType<typeof openPage> {
  const opened = await openPage(site, options)
  const answer = await opened.page.request.post('/api/admin/login', {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { token: operatorToken, name: 'Ada' },
  })
  if (!answer.ok()) throw new Error(`Logging in answered ${answer.status()}: ${await answer.text()}`)
  await opened.page.goto(path)
  return opened
}

/**
 * Delays the response to a page's request, such as the code of an island (`codeOf`), until the returned function is
 * called. That function first waits for the request.
 */
export async function holdBack(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(url, async (route) => {
    requested.resolve()
    await released.promise
    await route.continue()
  })
  return async () => {
    await requested.promise
    released.resolve()
  }
}

export const codeOf = (island: string) => `**/assets/${island}-*.js`

/** Reads a file that a page has downloaded. */
export async function readDownload(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await buffer(await download.createReadStream()))
}

/**
 * Presses a key twice at once. No event waits for the page to handle the one before, which a busy page may do later than
 * the second press counts.
 */
export async function pressTwice({ keyboard }: Page, key: string): Promise<void> {
  await Promise.all([keyboard.down(key), keyboard.up(key), keyboard.down(key), keyboard.up(key)])
}

/** Waits until an element has the focus. */
export async function seeFocus(target: Locator): Promise<void> {
  await target.and(target.page().locator(':focus')).waitFor()
}

/**
 * Waits until one toast has exactly these texts, as its title or below it. A toast is shown for five seconds, so a test
 * that needs two of its texts asks for both at once.
 */
export function seeToast(page: Page, ...texts: string[]): Promise<void> {
  const toast = texts.reduce(
    (found, text) => found.filter({ has: page.getByText(text, { exact: true }) }),
    page.locator('.toast'),
  )
  return toast.waitFor()
}

/**
 * Stops the timers of a page and of its other tabs, so that nothing that waits for a time happens unless the test lets
 * the time pass (`page.clock.runFor`, `fastForward`, `resume`).
 */
export async function stopTimers(page: Page): Promise<void> {
  await page.clock.install()
  // The clock cannot be set to the past, so this is later than the slowest machine arrives there. Timers that are due by
  // then fire once.
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
}

/**
 * Returns a function that tells whether a page has fetched React, which is Preact in browsers, since this was called. It
 * requests the scripts again, because responses to a page that was left can no longer be read.
 */
export function watchReact(page: Page): () => Promise<boolean> {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url())
  })
  return async () => {
    const texts = await Promise.all([...scripts].map(async (url) => (await page.request.get(url)).text()))
    return texts.some((text) => text.includes('isReactComponent'))
  }
}
