import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { pushDevices, users } from '#db/schema'
import { addDevice } from '#src/push/add-device'
import { openPushService, testBrowserKeys } from '#src/push/testing'
import { sha256 } from '#src/security/keyed-hash'
import { openSession } from '#src/session/session'
import { holdBack, join, openMemberPage, openSite, type PageOptions, seeToast } from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

const service = openPushService(
  'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
)
const site = await openSite({ ALLOW_PRIVATE_PUSH_URLS: service.origin })
beforeEach(() => service.answerWith(() => new Response(null, { status: 201 })))
afterAll(service.stop)

/**
 * Opens the notification settings. No push service can be reached from here, so the test creates the subscription that
 * `subscribe` would return. Everything else is the browser's own.
 */
async function openNotifications(options: PageOptions = {}) {
  const opened = await openMemberPage(site, '/settings', {
    needsPush: true,
    serviceWorkers: 'allow',
    permissions: ['notifications'],
    ...options,
  })
  const { page, context } = opened
  const { keys, read } = testBrowserKeys()
  await context.addInitScript(standInForSubscribing, {
    endpoint: `${service.origin}/push/${crypto.randomUUID()}`,
    keys,
  })
  await page.reload()
  // The switch waits only ten seconds for a worker, and a first one fills its cache before it is ready.
  if (options.javaScriptEnabled !== false)
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  const panel = page.locator('#notifications')
  return { ...opened, panel, read, toggle: panel.getByRole('switch', { name: /^Push/ }) }
}

/** Replaces `subscribe`. Runs in the page. */
function standInForSubscribing(subscription: { endpoint: string; keys: object }): void {
  const requestPermission = Notification.requestPermission.bind(Notification)
  Notification.requestPermission = () => {
    sessionStorage.setItem('test-asked', 'yes')
    return requestPermission()
  }
  let key = sessionStorage.getItem('test-push-key')
  const made = () => {
    if (key === null) return null
    const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
    return {
      options: { applicationServerKey: Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer },
      toJSON: () => ({ ...subscription, expirationTime: null }),
      unsubscribe: async () => {
        key = null
        sessionStorage.removeItem('test-push-key')
        return true
      },
    }
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => made(),
    subscribe: async (options: { applicationServerKey: string }) => {
      key = options.applicationServerKey
      sessionStorage.setItem('test-push-key', key)
      return made()
    },
  })
}

const devicesOf = (email: string) =>
  site.services.db
    .select({ device: pushDevices.device })
    .from(pushDevices)
    .innerJoin(users, eq(users.id, pushDevices.userId))
    .where(eq(users.email, email))

test('push notifications are turned on and off by keyboard, and the state persists on the next page', async () => {
  const { page, complaints, email, panel, toggle } = await openNotifications()
  await panel.getByText('Off in this browser.').waitFor()
  expect(await toggle.isChecked()).toBe(false)
  expect(await page.evaluate("sessionStorage.getItem('test-asked')")).toBeNull()
  expect(await panel.getByRole('button', { name: 'Send one to try' }).count()).toBe(0)
  await toggle.press('Space')
  await panel.getByText('On in this browser.').waitFor()
  expect(await toggle.isChecked()).toBe(true)
  await panel.getByText('This browser', { exact: true }).waitFor()
  await page.reload()
  await panel.getByText('On in this browser.').waitFor()
  await toggle.press('Space')
  await panel.getByText('Off in this browser.').waitFor()
  await panel.getByText('This browser', { exact: true }).waitFor({ state: 'detached' })
  expect(await devicesOf(email)).toEqual([])
  expect(complaints).toEqual([])
})

test('a test notification is sent to this browser, and 410 from the push service turns it off', async () => {
  const { page, complaints, panel, toggle, read } = await openNotifications()
  await panel.getByText('Off in this browser.').waitFor()
  await toggle.click()
  await panel.getByRole('button', { name: 'Send one to try' }).click()
  await seeToast(page, 'Sent. It appears in a moment.')
  const { icon, ...message } = read(service.received.at(-1)?.body ?? new Uint8Array())
  expect(message).toEqual({
    title: 'Nocturne',
    body: 'This is how it looks.',
    path: '/settings',
    tag: 'trial',
  })
  expect(icon).toMatch(/^\/assets\/icon-192-\w+\.png$/)
  service.answerWith(() => new Response(null, { status: 410 }))
  await panel.getByRole('button', { name: 'Send one to try' }).click()
  await seeToast(page, 'This browser no longer accepts notifications. Turn them on again.')
  await panel.getByText('Off in this browser.').waitFor()
  expect(complaints).toEqual([])
})

/** Adds a phone on which the member has turned notifications on too. */
async function addPhone(email: string): Promise<void> {
  const { db } = site.services
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  const userId = user?.id ?? ''
  const session = { kind: 'member', userId, userAgent: '', addressHash: '' } as const
  const sid = sha256(await openSession(db, session))
  const subscription = { endpoint: `https://push.example.com/${userId}`, keys: testBrowserKeys().keys }
  await addDevice(site.services, { userId, sid, device: 'Safari on iPhone' }, subscription)
}

test('removing another browser or signing out elsewhere leaves notifications on here', async () => {
  const { page, complaints, email, panel, toggle } = await openNotifications()
  await panel.getByText('Off in this browser.').waitFor()
  await toggle.click()
  await panel.getByText('On in this browser.').waitFor()
  await addPhone(email)
  await page.reload()
  await panel.getByRole('button', { name: 'Remove Safari on iPhone' }).click()
  await panel.getByText('Safari on iPhone').waitFor({ state: 'detached' })
  await panel.getByText('On in this browser.').waitFor()
  expect(await devicesOf(email)).toEqual([{ device: 'Chrome on Linux' }])
  await addPhone(email)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out elsewhere' }).click()
  await panel.getByText('Safari on iPhone').waitFor({ state: 'detached' })
  await panel.getByText('On in this browser.').waitFor()
  await toggle.click()
  await panel.getByText('Off in this browser.').waitFor()
  expect(complaints).toEqual([])
})

test('a denied permission says how to allow notifications and leaves the switch off', async () => {
  const { page, panel, toggle } = await openNotifications({ needsPush: false, permissions: [] })
  await page.evaluate(
    "Object.defineProperty(Notification, 'permission', { get: () => 'denied' }); Notification.requestPermission = async () => 'denied'",
  )
  await toggle.click()
  await panel
    .getByText(
      'Your browser does not allow notifications for this site. Allow them in its settings, then try again.',
    )
    .waitFor()
  expect(await toggle.isChecked()).toBe(false)
})

test('the switch is disabled with a reason where push is not supported', async () => {
  const { page, context, panel, toggle } = await openNotifications()
  await context.addInitScript('delete window.PushManager')
  await page.reload()
  await panel.getByText('This browser does not support notifications, or not in a private window.').waitFor()
  expect(await toggle.isDisabled()).toBe(true)
  await context.addInitScript("Object.defineProperty(navigator, 'standalone', { value: false })")
  await page.reload()
  await panel.getByText('add this site to your home screen').waitFor()
})

test('a browser is removed from the list without JavaScript, and a note says that push needs it', async () => {
  const { page, panel, email } = await openNotifications({ needsPush: false, javaScriptEnabled: false })
  // The driver turns scripts off too late for the browser to show this.
  expect(await panel.locator('noscript').textContent()).toContain('Push needs JavaScript')
  await addPhone(email)
  await page.reload()
  await panel.getByRole('button', { name: 'Remove Safari on iPhone' }).click()
  await page.getByText('That browser no longer gets notifications.').waitFor()
  await panel.getByText('Safari on iPhone').waitFor({ state: 'detached' })
})

type Shown = { title: string; body: string; tag: string; silent: boolean; data: string; icon: string }

/** Delivers a message to the page's worker as a push service would. Returns the notifications that are shown then. */
async function deliver(page: Page, context: BrowserContext, data: string): Promise<Shown[]> {
  // An active worker is enough: a page that was loading when its worker was installed is not controlled by it yet.
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  const session = await context.newCDPSession(page)
  const registrationId = await findRegistration(session)
  // A headless browser soon drops notifications that it cannot show. So this looks first, and delivers the message
  // again if it was missed.
  const seen = page.evaluate<Shown[]>(`navigator.serviceWorker.ready.then(async (worker) => {
    for (;;) {
      const all = await worker.getNotifications()
      if (all.length > 0)
        return all.map(({ title, body, tag, silent, data, icon }) => ({ title, body, tag, silent, data, icon }))
      await new Promise((done) => setTimeout(done, 5))
    }
  })`)
  for (;;) {
    await session.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data })
    const shown = await Promise.race([seen, Bun.sleep(2_000).then(() => null)])
    if (shown) return shown
  }
}

async function findRegistration(session: CDPSession): Promise<string> {
  const found = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(site.url))
    if (own) found.resolve(own.registrationId)
  })
  await session.send('ServiceWorker.enable')
  return found.promise
}

/** Lets the server send a test message, and delivers it. Returns what the browser shows. */
async function tryAndDeliver({
  page,
  context,
  panel,
  toggle,
  read,
}: Awaited<ReturnType<typeof openNotifications>>) {
  await panel.getByText('Off in this browser.').waitFor()
  await toggle.click()
  await panel.getByRole('button', { name: 'Send one to try' }).click()
  await seeToast(page, 'Sent. It appears in a moment.')
  const message = read(service.received.at(-1)?.body ?? new Uint8Array())
  return deliver(page, context, JSON.stringify(message))
}

test('the service worker shows a pushed message', async () => {
  const opened = await openNotifications()
  const [shown, ...others] = await tryAndDeliver(opened)
  expect(others).toEqual([])
  expect(shown).toMatchObject({
    title: 'Nocturne',
    body: 'This is how it looks.',
    tag: 'trial',
    data: '/settings',
    icon: expect.stringContaining('/assets/icon-192-'),
  })
  expect(opened.complaints).toEqual([])
})

test('notifications have a neutral name and icon in discreet mode', async () => {
  const opened = await openNotifications()
  const saved = opened.page.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  await opened.page.getByRole('switch', { name: /^Discreet mode/ }).press('Space')
  expect((await saved).ok()).toBe(true)
  const [shown] = await tryAndDeliver(opened)
  expect(shown).toMatchObject({ title: 'Library', icon: expect.stringContaining('/assets/plain-192-') })
})

test('turning push on while the page is refetched is shown on the new page', async () => {
  const { page, complaints, panel, toggle } = await openNotifications()
  await panel.getByText('Off in this browser.').waitFor()
  const answer = await holdBack(page, '**/api/user/push')
  const asked = page.waitForRequest('**/api/user/push')
  await toggle.click()
  await asked
  const island = await page.locator('#main').elementHandle()
  await page.getByRole('switch', { name: /^Discreet mode/ }).press('Space')
  await island?.waitForElementState('hidden')
  await panel.getByText('Off in this browser.').waitFor()
  await answer()
  await panel.getByText('On in this browser.').waitFor()
  expect(complaints).toEqual([])
})

test('the service worker shows a generic text for a message that it cannot parse', async () => {
  const { page, context } = await openNotifications()
  const [shown] = await deliver(page, context, 'not ours')
  expect(shown).toMatchObject({ title: 'Library', body: 'Something new is waiting for you.', data: null })
})

test('the notification settings have no accessibility or layout faults at either width and theme', async () => {
  const { page, panel, toggle } = await openNotifications()
  await panel.getByText('Off in this browser.').waitFor()
  await toggle.click()
  await panel.getByText('On in this browser.').waitFor()
  expect(await findFaults(page)).toEqual([])
})

test('signing out removes the browser’s push subscription', async () => {
  const { page, email, panel, toggle } = await openNotifications()
  await panel.getByText('Off in this browser.').waitFor()
  await toggle.click()
  await panel.getByText('On in this browser.').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/settings')
  expect(await devicesOf(email)).toEqual([])
})

test('another member joining in the same browser ends its push subscription', async () => {
  const { page, context, email, panel, toggle } = await openNotifications()
  await panel.getByText('Off in this browser.').waitFor()
  await toggle.click()
  await panel.getByText('On in this browser.').waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  const [worker] = context.serviceWorkers()
  await worker?.evaluate(`PushManager.prototype.getSubscription = async () => ({
    unsubscribe: async () => { self.isEnded = true },
  })`)
  await join(site, page)
  await page.reload()
  await until(async () => await worker?.evaluate('self.isEnded'))
  expect(await devicesOf(email)).toEqual([])
})
