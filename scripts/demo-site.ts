import { type Browser, chromium } from 'playwright-core'
import { forget, serveNocturne } from '#scripts/bench/servers'
import { findChromium } from '#scripts/find-chromium'

export const operatorToken = 'pictures-of-the-demo-library-are-taken'

export type DemoSite = { url: string; browser: Browser }

/**
 * Starts the program with the demo library in a folder of its own, and a browser, for the duration of `work`. It needs
 * a build.
 */
export async function withDemoSite<T>(
  environment: Record<string, string>,
  work: (site: DemoSite) => Promise<T>,
): Promise<T> {
  const { url, dataDir, stop } = await serveNocturne({
    DEMO: 'on',
    ADMIN_TOKEN: operatorToken,
    ...environment,
  })
  const browser = await chromium.launch({
    executablePath: await findChromium((line) => console.log(line)),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    return await work({ url, browser })
  } finally {
    await browser.close()
    await stop()
    forget(dataDir)
  }
}
