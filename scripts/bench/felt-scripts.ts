import { type Browser, chromium } from 'playwright-core'
import { chromiumArguments } from '#scripts/chromium-arguments'
import { median, openPhone, processorTimesSlower, type Visit } from './felt-phone'
import { figure, heading } from './report'
import type { Served } from './servers'

const rounds = 9

/** Measures the processor time of scripts on the slow processor, until two idle seconds after the load. */
export async function benchScripts(
  program: string,
  { server, cookie, pages }: { server: Served; cookie: string; pages: readonly string[] },
): Promise<void> {
  heading(`Felt: scripts before a press, a processor ${processorTimesSlower} times slower`)
  const browser = await chromium.launch({ executablePath: program, args: chromiumArguments })
  try {
    for (const path of pages)
      for (const isMember of [false, true]) {
        const times: number[] = []
        for (let round = 0; round < rounds; round += 1)
          times.push(await timeScripts(browser, { path, isMember, url: server.url, cookie }))
        figure(isMember ? `${path}, signed in` : path, median(times), 'ms', { atMost: 30 })
      }
  } finally {
    await browser.close()
  }
}

/**
 * Measures processor time, which other work on the machine does not lengthen, and multiplies it by the slowness of the
 * phone.
 */
async function timeScripts(browser: Browser, load: Visit & { path: string }): Promise<number> {
  const { context, page, session } = await openPhone(browser, load)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(load.path, { waitUntil: 'networkidle' })
  await page.waitForTimeout(2_000)
  const { metrics } = await session.send('Performance.getMetrics')
  await context.close()
  const seconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
  return seconds * 1_000 * processorTimesSlower
}
