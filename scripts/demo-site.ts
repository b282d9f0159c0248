import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { serverProgram } from '#scripts/bundle-server'
import { findChromium } from '#scripts/find-chromium'

export const operatorToken = 'pictures-of-the-demo-library-are-taken'

export type DemoSite = { url: string; browser: Browser }

/** Starts the program with the demo library in a folder of its own, and a browser, for `work`. It needs a build. */
export async function withDemoSite<T>(
  environment: Record<string, string>,
  work: (site: DemoSite) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nocturne-pictures-'))
  const url = 'http://localhost:3999'
  const program = Bun.spawn([process.execPath, serverProgram], {
    cwd: join(import.meta.dir, '..'),
    stdout: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '3999',
      DATA_DIR: dataDir,
      ADMIN_TOKEN: operatorToken,
      AGE_GATE: 'off',
      ...environment,
    },
  })
  const browser = await chromium.launch({
    executablePath: await findChromium((line) => console.log(line)),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    await untilReady(url)
    return await work({ url, browser })
  } finally {
    await browser.close()
    program.kill()
    await program.exited
    await rm(dataDir, { recursive: true, force: true })
  }
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
