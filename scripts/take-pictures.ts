import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { operatorToken, withDemoSite } from '#scripts/demo-site'

/** Takes the README's pictures of the demo library into docs/pictures. It needs a build: bun run build. */
const root = join(import.meta.dir, '..')
const pictures: { name: string; take: (page: Page, url: string) => Promise<unknown> }[] = [
  { name: 'explore', take: (page, url) => page.goto(url) },
  { name: 'story', take: (page, url) => page.goto(`${url}/story/the-night-ferry`) },
  { name: 'console', take: openConsole },
]

await withDemoSite({}, async ({ url, browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // 768 × 480, so that a picture has 150 KB at most.
    deviceScaleFactor: 0.6,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  // The greeting of a first visit would cover the library.
  await context.addCookies([{ name: 'nocturne_welcome', value: 'hidden', url }])
  for (const { name, take } of pictures) {
    const page = await context.newPage()
    await take(page, url)
    await page.waitForLoadState('networkidle')
    const path = join(root, `docs/pictures/${name}.png`)
    await page.screenshot({ path, animations: 'disabled' })
    console.log(`${path}: ${Math.round(Bun.file(path).size / 1024)} KB`)
  }
})

async function openConsole(page: Page, url: string): Promise<void> {
  await page.request.post(`${url}/api/admin/login`, {
    data: { token: operatorToken },
    headers: { origin: url },
  })
  await page.goto(`${url}/premium-content`)
}
