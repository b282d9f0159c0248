import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '#scripts/find-chromium'

/** Takes the README's pictures of the demo library into docs/pictures. It needs a build: bun run build. */
const root = join(import.meta.dir, '..')
const operatorToken = 'pictures-of-the-demo-library-are-taken'
const pictures: { name: string; take: (page: Page, url: string) => Promise<unknown> }[] = [
  { name: 'explore', take: (page, url) => page.goto(url) },
  { name: 'story', take: (page, url) => page.goto(`${url}/story/the-night-ferry`) },
  { name: 'console', take: openConsole },
]

const dataDir = await mkdtemp(join(tmpdir(), 'nocturne-pictures-'))
const program = Bun.spawn([process.execPath, 'src/server/main.ts'], {
  cwd: root,
  stdout: 'ignore',
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: '3999',
    DATA_DIR: dataDir,
    ADMIN_TOKEN: operatorToken,
    AGE_GATE: 'off',
  },
})
const browser = await chromium.launch({
  executablePath: await findChromium((line) => console.log(line)),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  await untilReady('http://localhost:3999')
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // 768 × 480: a picture of 150 KB at most.
    deviceScaleFactor: 0.6,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  await hideWelcome(context)
  for (const { name, take } of pictures) {
    const page = await context.newPage()
    await take(page, 'http://localhost:3999')
    await page.waitForLoadState('networkidle')
    const path = join(root, `docs/pictures/${name}.png`)
    await page.screenshot({ path, animations: 'disabled' })
    console.log(`${path}: ${Math.round(Bun.file(path).size / 1024)} KB`)
  }
} finally {
  await browser.close()
  program.kill()
  await program.exited
  await rm(dataDir, { recursive: true, force: true })
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await Bun.sleep(500)
  }
  throw new Error('The program did not start within a minute. Run bun run build, and try bun run start.')
}

/** The greeting of a first visit would cover the library. */
function hideWelcome(context: BrowserContext): Promise<void> {
  return context.addCookies([{ name: 'nocturne_welcome', value: 'hidden', url: 'http://localhost:3999' }])
}

async function openConsole(page: Page, url: string): Promise<void> {
  await page.request.post(`${url}/api/admin/login`, {
    data: { token: operatorToken },
    headers: { origin: url },
  })
  await page.goto(`${url}/premium-content`)
}
