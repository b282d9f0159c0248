import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { createChallenge } from '#src/challenge/edit'
import { memberPassword, operatorToken, publishTestItem } from '#src/testing/app'
import {
  islandsAwake,
  narrateWithTone,
  openMemberPage,
  openOperatorPage,
  openPage,
  openSite,
  pressTwice,
  seeFocus,
  seeToast,
} from '#src/testing/browser'
import { player } from '#src/testing/player'

/** The main paths with the keyboard alone. No test here uses a pointer or sets the focus by script. */
const site = await openSite({ AGE_GATE: 'off' })
const toneSeconds = 100
for (const title of ['Harbour', 'Orchard', 'Lantern']) {
  const { id } = await publishTestItem(site.services, {
    title,
    content: 'She lit the lamp and sat. '.repeat(600),
  })
  await narrateWithTone(site.services, id, toneSeconds)
}
const flow = await publishTestItem(site.services, { title: 'Breath', type: 'flow' })
await createChallenge(
  site.services.db,
  { name: 'Slow Evenings', description: 'One flow.', items: [flow.id], isPublished: true },
  'Ada',
)

const person = { email: 'iris@example.com', password: memberPassword }
/** More tab stops than any page here has. */
const stopsMax = 150

/** Presses Tab until the element has the focus, and checks that the focus is visible there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' })
  for (let stops = 0; stops < stopsMax; stops += 1) {
    if (await target.evaluate((element) => element.matches(':focus-visible'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`With Tab one does not get to ${target}.`)
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const positionIs = (page: Page, seconds: number) =>
  page.waitForFunction(
    (from) => (document.querySelector<HTMLAudioElement>('#player-host audio')?.currentTime ?? -1) >= from,
    seconds,
  )

test('a visitor joins, browses, plays, seeks, queues an item and sets the sleep timer by keyboard', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  await press(page, link(page, 'Sign in'))
  await press(page, page.getByRole('dialog').getByRole('link', { name: 'Join free' }))
  const joining = page.getByRole('dialog', { name: 'Join Nocturne FREE!' })
  await tabTo(page, joining.getByLabel('First name'))
  await page.keyboard.type('Iris')
  await tabTo(page, joining.getByLabel('Email'))
  await page.keyboard.type(person.email)
  await tabTo(page, joining.getByLabel('Password'))
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await seeToast(page, 'Welcome! 🎉')
  await link(page, 'Settings').waitFor()

  await press(page, link(page, 'Flows'))
  await page.waitForURL('**/?type=flow')
  await press(page, page.locator('#main').getByRole('link', { name: 'Stories', exact: true }))
  await page.waitForURL(/\/(\?type=story)?$/)
  await press(
    page,
    page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Romantic' }),
  )
  await page.waitForURL(/category=romantic/)

  await press(page, button(page, 'Play Lantern'))
  await positionIs(page, 0.1)
  await press(page, player(page).getByLabel('Position'), 'PageUp')
  await positionIs(page, 9)
  await press(page, button(page, 'More for Harbour'))
  await page.keyboard.press('Enter')
  await seeToast(page, 'Harbour plays next.')
  await press(page, player(page).getByRole('button', { name: 'Queue, 2 items' }))
  const queue = page.getByRole('dialog', { name: 'Queue' })
  await queue.waitFor()
  expect(await queue.locator('.queue-play b').allTextContents()).toEqual(['Harbour', 'Orchard'])
  await page.keyboard.press('Escape')
  await queue.waitFor({ state: 'detached' })
  await press(page, player(page).getByRole('button', { name: /^Sleep timer/ }))
  await page.getByRole('dialog', { name: 'Sleep timer' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await player(page)
    .getByRole('button', { name: /^Sleep timer, \d+ min left/ })
    .waitFor()
  await press(page, player(page).getByRole('button', { name: 'Stop and close' }))
  await player(page).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

async function signIn(page: Page): Promise<void> {
  await press(page, link(page, 'Sign in'))
  const dialog = page.getByRole('dialog', { name: 'Welcome Back!' })
  await tabTo(page, dialog.getByLabel('Email'))
  await page.keyboard.type(person.email)
  await tabTo(page, dialog.getByLabel('Password'))
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await seeToast(page, 'Successfully logged in! Enjoy unlimited stories.')
  await link(page, 'Settings').waitFor()
}

test('a member reads, votes, rates and reports by keyboard, and the focus returns to the opening link', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/stories')
  await signIn(page)
  const opener = link(page, 'Read Now: Harbour')
  await press(page, opener)
  const reader = page.getByRole('dialog', { name: 'Harbour', exact: true })
  await reader.waitFor()
  await page.keyboard.press('PageDown')
  await page.waitForFunction(() => (document.querySelector('dialog.reader')?.scrollTop ?? 0) > 100)
  await press(page, reader.getByRole('button', { name: 'Upvote' }))
  await reader.locator('.vote b', { hasText: '+1' }).waitFor()
  await tabTo(page, reader.getByRole('radio', { name: '1 of 5' }))
  await page.keyboard.press('ArrowRight')
  await reader.getByText('2.0 · 1 rating').waitFor()
  await press(page, reader.getByRole('link', { name: 'Report' }))
  const report = page.getByRole('dialog', { name: 'Report “Harbour”' })
  await tabTo(page, report.getByLabel('What is it about?'))
  await page.keyboard.press('ArrowDown')
  await press(page, report.getByRole('button', { name: 'Send report' }))
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Thank you' }).waitFor({ state: 'hidden' })
  // Esc pressed twice quickly would leave the site (islands/site/leave-quickly.ts).
  await page.waitForTimeout(700)
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'detached' })
  await page.waitForFunction((element) => element?.matches(':focus'), await opener.elementHandle())
  expect(complaints).toEqual([])
})

test('a member changes a setting, begins a challenge and leaves quickly by keyboard', async () => {
  const { page, complaints } = await openPage(site)
  await page.goto('/')
  await signIn(page)
  await press(page, link(page, 'Settings'))
  await page.waitForURL('**/settings')
  const follows = page.getByRole('switch', { name: /Auto-play next content/ })
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/user/settings') && answer.ok())
  await press(page, follows, 'Space')
  await saved
  expect(await follows.isChecked()).toBe(false)

  await press(page, link(page, 'My Content'))
  await page.waitForURL('**/my-content')
  await press(page, link(page, 'Challenges'))
  await page.waitForURL('**/challenges')
  await press(page, link(page, 'Look inside Slow Evenings'))
  await press(page, button(page, 'Begin today'))
  await page.getByText('0 of 1 day. Next: Today.').waitFor()
  expect(complaints).toEqual([])
  await pressTwice(page, 'Escape')
  await page.waitForURL('**/leave')
})

test('an operator edits an item, undoes a bulk change and decides a report by keyboard', async () => {
  const { page, complaints } = await openPage(site)
  const reported = await page.request.post(`/api/stories/${flow.id}/flags`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { flagType: 'audio_fault', flagReason: 'It stops in the middle.' },
  })
  expect(reported.status()).toBe(201)
  const dialog = page.locator('dialog[open]')
  await page.goto('/admin')
  await tabTo(page, page.getByLabel('Admin token'))
  await page.keyboard.type(operatorToken)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()

  await goWith(page, 'p', 'Premium Content')
  await page.keyboard.press('/')
  await page.keyboard.type('orchard')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('1 item', { exact: true }).waitFor()
  await press(page, page.getByRole('link', { name: /Orchard/ }))
  await tabTo(page, dialog.getByLabel('Excerpt'))
  await page.keyboard.type('Under the trees.')
  await press(page, dialog.getByRole('button', { name: 'Save changes' }))
  await seeToast(page, 'Content updated')
  await dialog.waitFor({ state: 'detached' })

  await tabTo(page, page.getByRole('checkbox', { name: 'Select: Orchard' }))
  await page.keyboard.press('x')
  await press(page, button(page, 'Make drafts'))
  await dialog.getByText(': published → draft').waitFor()
  await press(page, dialog.getByRole('button', { name: 'Make drafts: 1 item' }))
  await seeToast(page, 'Drafts now: 1 item')
  // F8 moves the focus to the toast, which stays while it has the focus.
  await page.keyboard.press('F8')
  await press(page, button(page, 'Undo'))
  await seeToast(page, 'Undone')

  await goWith(page, 'r', 'Content Moderation')
  await press(page, button(page, 'Approve: Breath'))
  await press(page, dialog.getByRole('button', { name: 'Approve it' }))
  await seeToast(page, 'Content approved')
  await goWith(page, 'l', 'Audit log')
  await page.getByText('operator decided on a report about').waitFor()
  expect(complaints).toEqual([])
})

test('the focus moves on when a focused control of the player disappears, and into the opened menu', async () => {
  const { page, complaints } = await openMemberPage(site, '/', { viewport: { width: 390, height: 800 } })
  await press(page, button(page, 'Play Harbour'))
  await press(page, button(page, 'Open the player'))
  const sheet = page.getByRole('dialog', { name: 'Now playing' })
  await press(page, sheet.getByRole('button', { name: 'Queue, 2 items' }))
  const next = await sheet.locator('.queue-play b').first().textContent()
  await press(page, sheet.locator('.queue-play').first())
  await sheet.getByRole('status').getByText(`${next} plays now.`).waitFor()
  await seeFocus(sheet.locator('ol.queue'))
  await sheet.locator('[aria-current=true]').getByText(`${next}`).waitFor()
  await press(page, sheet.getByRole('button', { name: 'Next' }))
  await sheet.getByRole('button', { name: 'Queue, 0 items' }).waitFor()
  await seeFocus(sheet.getByRole('button', { name: 'Next' }))
  await press(page, sheet.getByLabel('Position'), 'PageUp')
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('PageUp')
  await positionIs(page, 38)
  await page.keyboard.press('Home')
  await press(page, sheet.getByRole('button', { name: 'Undo' }))
  await seeFocus(sheet.getByRole('button', { name: 'Pause' }))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  await press(page, link(page, 'Menu'))
  await seeFocus(link(page, 'Close menu'))
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }))
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await press(page, button(page, 'Stop and close'))
  await seeFocus(page.getByRole('heading', { name: 'Settings', level: 1 }))
  expect(complaints).toEqual([])
})

test('clearing a selection returns the focus to its row', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  const box = page.getByRole('checkbox', { name: 'Select: Orchard' })
  await press(page, box, 'Space')
  await press(page, page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Clear' }))
  await seeFocus(box)
  expect(await box.isChecked()).toBe(false)
  expect(complaints).toEqual([])
})

/** Goes to a page of the console with its key, once the page's islands are hydrated and handle keys. */
async function goWith(page: Page, key: string, heading: string): Promise<void> {
  await page.locator('[data-when=load] > nocturne-root').first().waitFor({ state: 'attached' })
  await islandsAwake(page)
  await page.keyboard.press('g')
  await page.keyboard.press(key)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

test('the focused element is never covered by a fixed bar, even at 400 % zoom', async () => {
  const { page } = await openMemberPage(site, '/')
  await press(page, button(page, 'Play Harbour'))
  await player(page).waitFor()
  const covered: string[] = []
  for (const [width, height] of [
    [1280, 560],
    [390, 700],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const address of ['/stories', '/settings', '/story/harbour']) {
      await page.goto(address)
      await player(page).waitFor()
      for (let stops = 0; stops < 45; stops += 1) {
        await page.keyboard.press('Tab')
        const found = await page.evaluate(findCoveredFocus)
        if (found) covered.push(`${address} at ${width} × ${height}: ${found}`)
      }
    }
  }
  expect(covered).toEqual([])
})

/** Returns the focused element if it is covered at all of nine points. Runs in the page. */
function findCoveredFocus(): string | null {
  const focused = document.activeElement
  if (!focused || focused === document.body) return null
  const { left, top, width, height } = focused.getBoundingClientRect()
  const parts = [0.1, 0.5, 0.9]
  const isSeen = parts.some((x) =>
    parts.some((y) => {
      const found = document.elementFromPoint(left + width * x, top + height * y)
      return found && (focused.contains(found) || focused.closest('label')?.contains(found))
    }),
  )
  return isSeen ? null : focused.outerHTML.slice(0, 120)
}

test('refetching the page keeps the focus on the same row', async () => {
  const { page, complaints } = await openOperatorPage(site, '/premium-content')
  const box = page.getByRole('checkbox', { name: 'Select: Orchard' })
  await tabTo(page, box)
  await page.evaluate(fetchAgain)
  expect(await page.locator('[data-old]').count()).toBe(0)
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('x')
  await button(page, 'Make drafts').waitFor()
  expect(complaints).toEqual([])
})

/** Reloads the page as after a change, which replaces its content. Runs in the page. */
async function fetchAgain(): Promise<void> {
  Object.assign(document.getElementById('main')?.dataset ?? {}, { old: '' })
  const detail: { url: string; isReload: boolean; done?: Promise<void> } = {
    url: location.href,
    isReload: true,
  }
  document.dispatchEvent(new CustomEvent('nocturne:visit', { detail }))
  await detail.done
}

test('a shortcut pressed right after a navigation in the console is handled', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin')
  await islandsAwake(page)
  await page.evaluate(pressSlashOnArrival)
  await goWith(page, 'p', 'Premium Content')
  await page.waitForFunction(() => document.activeElement?.matches('main input[type=search]'))
  expect(complaints).toEqual([])
})

/** Presses `/` in the first task after the next page has been swapped in. */
function pressSlashOnArrival(): void {
  const { port1, port2 } = new MessageChannel()
  port2.onmessage = () =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
  document.addEventListener('nocturne:navigated', () => port1.postMessage(null), { once: true })
}
