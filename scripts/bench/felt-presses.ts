import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import type { Database } from '#db/db'
import { chromiumArguments } from '#scripts/chromium-arguments'
import { median, openPhone, processorTimesSlower } from './felt-phone'
import { fillLibrary } from './fill'
import { figure, heading } from './report'
import type { Served } from './servers'

const rounds = 5
const items = 120
/** How long a finger is down, in milliseconds. */
const tapMs = 80

type Phone = { page: Page; session: CDPSession }
type Press = { name: string; path: string; isMember: boolean; press: (phone: Phone) => Promise<void> }

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

/**
 * Taps an element as a finger does, with time between down and up, because a page may be requested while it is down.
 */
function tap(selector: string) {
  return async ({ page, session }: Phone) => {
    const place = page.locator(selector).first()
    await place.scrollIntoViewIfNeeded()
    const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await page.waitForTimeout(tapMs)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
}

async function search({ page }: Phone): Promise<void> {
  await page.locator('.search input[type=search]').first().fill('ferry')
  await page.keyboard.press('Enter')
}

/**
 * Measures the times from a press to the next paint, and for links to the paint of the new page, on a phone with a slow
 * processor. Each is the median of first presses on freshly loaded pages. The floor is measured beside each, in turns:
 * the same page with its styles and without our scripts, where a press only shows an outline, and a link only replaces
 * this page's content with the fetched page's.
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
  const ours: Pressed[] = []
  const floor: Pressed[] = []
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await timePress(browser, where, { isFloor: false }))
    floor.push(await timePress(browser, where, { isFloor: true }))
  }
  const { name } = where.each
  const compare = (of: string, msOf: (pressed: Pressed) => number, atMost: number) => {
    figure(`${name}: press to ${of}`, median(ours.map(msOf)), 'ms', { atMost })
    figure(`${name}: press to ${of}, the floor`, median(floor.map(msOf)), 'ms')
  }
  compare('paint', ({ paintMs }) => paintMs, 50)
  if (navigations.includes(where.each)) compare('the new page', ({ pageMs }) => pageMs, 100)
}

type Pressed = { paintMs: number; pageMs: number }

async function timePress(
  browser: Browser,
  { each, url, cookie }: Where,
  { isFloor }: { isFloor: boolean },
): Promise<Pressed> {
  const { context, page, session } = await openPhone(browser, { isMember: each.isMember, url, cookie })
  await page.addInitScript(watchPresses)
  if (isFloor) {
    await context.route('**/assets/*.js', (route) => route.abort())
    await page.addInitScript(pressBarely)
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorTimesSlower })
  await page.goto(each.path, { waitUntil: 'networkidle' })
  await each.press({ page, session })
  if (navigations.includes(each)) await page.waitForFunction(() => 'pageMs' in globalThis)
  await page.waitForTimeout(1_000)
  const pressed = await page.evaluate<Pressed>('({ paintMs: globalThis.paintMs, pageMs: globalThis.pageMs })')
  await context.close()
  return pressed
}

/**
 * Records `paintMs`, the longest duration of the press's events according to Event Timing, which rounds to 8 ms and
 * reports none below 16 ms; and `pageMs`, the time from the last press to the first frame with another address and
 * other content.
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
    // Observed instead of checked in each frame, because requesting frames would make the page draw while it waits.
    const changes = new MutationObserver(() => {
      if (location.href === address || content() === before) return
      changes.disconnect()
      requestAnimationFrame(() => {
        // This task runs after the frame has been handed to the compositor.
        setTimeout(() => {
          global.pageMs = performance.now() - event.timeStamp
        })
      })
    })
    changes.observe(document, { childList: true, subtree: true })
  }
  document.addEventListener('click', watch, { capture: true })
  document.addEventListener('keydown', (event) => event.key === 'Enter' && watch(event), { capture: true })
}

/**
 * The least possible response to a press: an outline, and for a link or form the content of the page that it leads to.
 */
function pressBarely(): void {
  const follow = async (url: URL) => {
    const markup = await (await fetch(url)).text()
    const fresh = new DOMParser().parseFromString(markup, 'text/html').getElementById('main')
    history.pushState(null, '', url)
    if (fresh) document.getElementById('main')?.replaceWith(fresh)
    scrollTo(0, 0)
  }
  document.addEventListener('click', (event) => {
    const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>('a, button') : null
    if (!pressed) return
    event.preventDefault()
    pressed.style.outline = '2px solid'
    if (pressed instanceof HTMLAnchorElement && !pressed.hash && !pressed.dataset.auth)
      follow(new URL(pressed.href))
  })
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!(event.target instanceof HTMLFormElement)) return
    const url = new URL(event.target.action)
    url.search = `${new URLSearchParams([...new FormData(event.target)].map(([name, value]) => [name, String(value)]))}`
    follow(url)
  })
}
