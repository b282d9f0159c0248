import { afterAll } from 'bun:test'
import { join as joinPath } from 'node:path'
import axe from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { createApp } from '#src/app'
import { loadAssets } from '#src/http/assets'
import { register } from '#src/member/register'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import type { Parts } from '#src/parts'
import { operatorToken, testApp } from '#src/testing'

/** Half of what a window costs is the page of its address bar, which nobody sees here. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** What the driver turns off itself (chromiumSwitches.ts of Playwright): of two such lists the last one counts. */
const turnedOffByDriver = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** What a Chromium needs in a container, and what keeps it from calling home. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  `--disable-features=${[...turnedOffByDriver, ...addressBar]}`,
]

export type Site = { url: string; parts: Parts }

/** The program on a real port with real assets, for one test file: call it at the file's top, not in a hook. */
export async function openSite(environment: Record<string, string> = {}): Promise<Site> {
  const { parts: bare } = await testApp(environment)
  const parts = { ...bare, assets: loadAssets(joinPath(import.meta.dir, '../.build')) }
  const app = createApp(parts)
  const server = Bun.serve({
    port: 0,
    fetch: (request, self) => app.fetch(request, self.requestIP(request)?.address),
  })
  afterAll(() => server.stop(true))
  return { url: `http://localhost:${server.port}`, parts }
}

/** A tone as the narration of an item, kept and attached as an upload would be. */
export async function narrateWithTone(parts: Parts, storyId: string, seconds: number): Promise<void> {
  const staged = await parts.storage.receive(streamOf(await toneMp3(seconds)))
  const file = await parts.storage.keep(staged, 'mp3')
  await attachAudio(parts.db, {
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

let browser: Promise<Browser> | undefined

/** One Chromium for the run; contexts keep people apart. */
function launch(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: chromiumArguments,
  })
  return browser
}

/** Complaints of a page: errors of the console and of the policy, exceptions, requests to elsewhere. */
export type Complaints = string[]

/**
 * A new person at a browser, who is slower than the islands of a page they went to, unless they go with
 * `waitUntil: 'commit'`. What a page complains of is gathered; a refused call (403) is no complaint.
 */
export async function openPage(
  site: Site,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: Complaints }> {
  const context = await (await launch()).newContext({
    baseURL: site.url,
    // What the driver is to hold back or break goes past the worker; its own tests let it in.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  if (options.javaScriptEnabled !== false) waitForIslands(page)
  const complaints: Complaints = []
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    const isRefusal = /status of (401|403|404|409|422)/.test(message.text())
    if (message.type() === 'error' && !isRefusal) complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url) && !/^(data|blob):/.test(request.url()))
      complaints.push(`request to ${request.url()}`)
  })
  return { page, context, complaints }
}

function waitForIslands(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const areAwake = () =>
    page.waitForFunction(() =>
      [...document.querySelectorAll('[data-when=load] > nocturne-root')].every((host) => 'isAwake' in host),
    )
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await areAwake()
    return response
  }
  page.reload = async (options) => {
    const response = await reload(options)
    await areAwake()
    return response
  }
}

/** What members of these tests sign in with. */
export const memberPassword = 'lanterns on the water'

/** Makes an account and signs the page in to it. Answers the e-mail. */
export async function join(
  site: Site,
  page: Page,
  { email = `${crypto.randomUUID()}@example.com`, firstName }: { email?: string; firstName?: string } = {},
): Promise<string> {
  // As from an address of their own: one alone may make ten accounts in an hour.
  await register(site.parts.db, { email, password: memberPassword, firstName }, email)
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

/** A page in front of somebody who has just joined. */
export async function openMemberPage(
  site: Site,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Awaited<ReturnType<typeof openPage>> & { email: string }> {
  const opened = await openPage(site, options)
  const email = await join(site, opened.page, { firstName: 'Iris' })
  await opened.page.goto(path)
  return { ...opened, email }
}

/** The console in front of an operator who is signed in as Ada. */
export async function openOperatorPage(site: Site, path: string): ReturnType<typeof openPage> {
  const opened = await openPage(site)
  const answer = await opened.page.request.post('/api/admin/login', {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { token: operatorToken, name: 'Ada' },
  })
  if (!answer.ok()) throw new Error(`Logging in answered ${answer.status()}: ${await answer.text()}`)
  await opened.page.goto(path)
  return opened
}

/** Waits until a toast says exactly this, as its title or below. */
export function seeToast(page: Page, words: string): Promise<void> {
  return page.locator('.toast').getByText(words, { exact: true }).waitFor({ timeout: 60_000 })
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe has to say of a page, as sentences; of some rules (`color-contrast`) or of WCAG 2.2 AA. */
export async function findBarriers(page: Page, runOnly: readonly string[] = standards): Promise<string[]> {
  // The policy of the page allows no script of ours in it; the driver's own world is not bound by it.
  await page.evaluate(axe.source)
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false })
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')))`)
}

/**
 * What is wrong with a page as it stands, wide and narrow, dark and paper: its barriers, and whether it scrolls
 * sideways. `SHOTS=folder` keeps a picture of each look. The page is left wide and dark.
 */
export async function findFaults(page: Page, name = new URL(page.url()).pathname): Promise<string[]> {
  const faults: string[] = []
  // Colours change at once.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const needed = await page.evaluate(() => document.documentElement.scrollWidth)
    if (needed > width) faults.push(`${name}: ${needed} px wide at ${width}`)
    // So tall that no bar at its edge stands over half of a button, which would be too small a target for axe.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.max(800, height) })
    for (const theme of ['paper', 'dark']) {
      await page.evaluate((theme) => Object.assign(document.documentElement.dataset, { theme }), theme)
      const look = `${name} at ${width} px, ${theme}`
      // Of all that axe looks at, the theme changes the contrast alone.
      const barriers = await findBarriers(page, theme === 'dark' ? standards : ['color-contrast'])
      faults.push(...barriers.map((barrier) => `${look}: ${barrier}`))
      const path = `${process.env.SHOTS}/${name.replace(/\W+/g, '-')}-${width}-${theme}.png`
      if (process.env.SHOTS) await page.screenshot({ path, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  return faults
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}
