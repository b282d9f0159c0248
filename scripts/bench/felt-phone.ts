import type { Browser } from 'playwright-core'

/** How many times slower the simulated phone's processor is than this machine's. */
export const processorTimesSlower = 4

export type Visit = { url: string; cookie: string; isMember: boolean }

/** Opens a page on a simulated phone, for a member or a visitor. Close its context after use. */
export async function openPhone(browser: Browser, { isMember, url, cookie }: Visit) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'block',
  })
  if (isMember) await context.addCookies(toCookies(cookie, url))
  const page = await context.newPage()
  return { context, page, session: await context.newCDPSession(page) }
}

const toCookies = (header: string, url: string) =>
  header.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url }
  })

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
