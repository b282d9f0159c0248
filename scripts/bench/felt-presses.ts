import { type Browser, chromium, type Page } from 'playwright-core'
import type { Database } from '#db/db'
import { chromiumArguments } from '#scripts/chromium-arguments'
import { median, openPhone, processorTimesSlower } from './felt-phone'
import { fillLibrary } from './fill'
import { figure, heading } from './report'
import type { Served } from './servers'

const rounds = 3
const items = 120

type Press = { name: string; path: string; isMember: boolean; press: (page: Page) => Promise<void> }

const tap = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().tap()
}

const presses: readonly Press[] = [
  { name: 'play', path: '/', isMember: true, press: tap('article.card .play-pill') },
  { name: 'heart', path: '/', isMember: true, press: tap('article.card .favourite') },
  { name: 'dialog (sign in)', path: '/', isMember: false, press: tap('a[data-auth=sign-in]') },
  { name: 'menu (More)', path: '/', isMember: true, press: tap('.tabbar a[href="#sidebar"]') },
]

const navigations: readonly Press[] = [
  { name: 'chip', path: '/', isMember: true, press: tap('.chips .chip:nth-child(2)') },
  { name: 'tab', path: '/', isMember: true, press: tap('.tabbar a[href="/stories"]') },
  { name: 'next page', path: '/', isMember: true, press: tap('a[rel=next]') },
  { name: 'search', path: '/stories', isMember: true, press: search },
]

async function search(page: Page): Promise<void> {
  await page.locator('.search input[type=search]').first().fill('ferry')
  await page.keyboard.press('Enter')
}

/**
 * The times from a press to the next paint, and for links to the paint of the new page, on a phone with a slow
 * processor. Each is the median of first presses on pages that have just been loaded.
 */
export async function benchPresses(
  program: string,
  { server, db, cookie }: { server: Served; db: Database; cookie: string },
): Promise<void> {
  heading(`Felt: presses on a phone, a processor ${processorTimesSlower} times slower, ${items} items`)
  await fillLibrary(db, items)
  const browser = await chromium.launch({ executablePath: program, args: chromiumArguments })
  try {
    for (const each of [...presses, ...navigations])
      await benchPress(browser, { each, url: server.url, cookie })
  } finally {
    await browser.close()
  }
}

type Where = { each: Press; url: string; cookie: string }

async function benchPress(browser: Browser, where: Where): Promise<void> {
  const { name } = where.each
  const times: Pressed[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timePress(browser, where))
  figure(`${name}: press to paint`, median(times.map(({ paintMs }) => paintMs)), 'ms', { atMost: 50 })
  if (!navigations.includes(where.each)) return
  figure(`${name}: press to the new page`, median(times.map(({ pageMs }) => pageMs)), 'ms', { atMost: 100 })
}

type Pressed = { paintMs: number; pageMs: number }

async function timePress(browser: Browser, { each, url, cookie }: Where): Promise<Pressed> {
  const { context, page, session } = await openPhone(browser, { isMember: each.isMember, url, cookie })
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorTimesSlower })
  await page.addInitScript(watchPresses)
  await page.goto(each.path, { waitUntil: 'networkidle' })
  await each.press(page)
  if (navigations.includes(each)) await page.waitForFunction(() => 'pageMs' in globalThis)
  await page.waitForTimeout(1_000)
  const pressed = await page.evaluate<Pressed>('({ paintMs: globalThis.paintMs, pageMs: globalThis.pageMs })')
  await context.close()
  return pressed
}

/**
 * Records as `paintMs` the longest of the presses' events, by Event Timing, which rounds to 8 ms and reports none
 * below 16; as `pageMs` the time from the last press to the first frame with another address and another content.
 */
function watchPresses(): void {
  const global: { paintMs: number; pageMs?: number } = Object.assign(globalThis, { paintMs: 16 })
  const options: PerformanceObserverInit & { durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
    buffered: true,
  }
  new PerformanceObserver((list) => {
    for (const { duration, name } of list.getEntries())
      if (/^(pointerup|click|keydown)$/.test(name)) global.paintMs = Math.max(global.paintMs, duration)
  }).observe(options)

  const content = () => document.getElementById('main')?.textContent
  const watch = (event: Event) => {
    const [address, before] = [location.href, content()]
    const look = () => {
      if (location.href === address || content() === before) return requestAnimationFrame(look)
      // The task after a frame runs when the frame has been handed to the compositor.
      return setTimeout(() => {
        global.pageMs = performance.now() - event.timeStamp
      })
    }
    requestAnimationFrame(look)
  }
  document.addEventListener('click', watch, { capture: true })
  document.addEventListener('keydown', (event) => event.key === 'Enter' && watch(event), { capture: true })
}
