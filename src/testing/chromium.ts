import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { chromiumArguments } from '#scripts/chromium-arguments'

const chromiumProgram = process.env.CHROMIUM ?? '/usr/bin/chromium'
const usualProgram = process.env.HEADLESS_SHELL ?? chromiumProgram
const browsers = new Map<string, Promise<Browser>>()

/** How far below the window lazy images are loaded, in pixels. Chromium's own 1,250 loads 24 covers of a list, 13 ms each. */
const imageMargins = ['Unknown', 'Offline', '3G', '4G'].map(
  (network) => `lazyLoadingImageMarginPx${network}=0`,
)

/**
 * Less processor time for a page that is opened once. Its code runs too few times to benefit from the optimizing
 * compilers, a separate GPU process costs messages, and covers out of sight are not looked at. Benchmarks and
 * screenshots do without these switches.
 */
const economy = [
  '--js-flags=--no-maglev,--no-turbofan',
  '--in-process-gpu',
  `--blink-settings=${imageMargins}`,
]

/**
 * Returns the Chromium of this process, which starts on first use, serves file after file, and ends with the process.
 * The headless shell has no push and no notifications.
 */
export async function findBrowser({ needsPush }: { needsPush: boolean }): Promise<Browser> {
  const program = needsPush ? chromiumProgram : usualProgram
  const browser = browsers.get(program) ?? launchBrowser(program)
  browsers.set(program, browser)
  return browser
}

/** Starts a Chromium. If it crashes, or does not start, one test fails, and the next test starts another. */
async function launchBrowser(program: string): Promise<Browser> {
  const forget = () => void browsers.delete(program)
  try {
    const launched = await chromium.launch({
      executablePath: program,
      args: [...chromiumArguments, ...economy],
    })
    launched.once('disconnected', forget)
    return launched
  } catch (error) {
    forget()
    throw error
  }
}

/**
 * Closes everything that this file has opened. A worker of `scripts/test.ts` keeps its usual Chromium for the next
 * file. A file that runs alone closes it too, since `bun test` ends without the hooks with which Playwright removes the
 * profile.
 */
export async function closeBrowsers(): Promise<void> {
  for (const [program, launched] of [...browsers]) {
    const browser = await launched
    const isReused = process.env.TEST_CLUSTER_URL !== undefined && program === usualProgram
    if (isReused) await Promise.all(browser.contexts().map(closeContext))
    else await browser.close()
  }
}

/** Errors of a route handler that still runs when its page is closed are ignored. */
export async function closeContext(context: BrowserContext): Promise<void> {
  const behavior = 'ignoreErrors'
  await Promise.all([context, ...context.pages()].map((each) => each.unrouteAll({ behavior })))
  await context.close()
}
