import { beforeAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { narrations, stories, users } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { hashPin } from '#src/member/sign-in/password'
import { clearPermissions } from '#src/session/audio-permissions'
import { libraryChanged } from '#src/story/library-changed'
import { publishTestItem } from '#src/testing/app'
import {
  holdBack,
  join,
  narrateWithTone,
  openMemberPage,
  openPage,
  openSite,
  seeToast,
} from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

/** An evening without a network: saved items are read and heard, and positions are reported later. */
const site = await openSite()
const toneSeconds = 120
const place = '/story/the-night-ferry'
let storyId = ''

beforeAll(async () => {
  await seedDemo(site.services.db)
  const [story] = await site.services.db
    .select({ id: stories.id })
    .from(stories)
    .where(eq(stories.slug, 'the-night-ferry'))
  storyId = story?.id ?? ''
  await narrateWithTone(site.services, storyId, toneSeconds)
})

/** Waits until the worker controls this page. */
async function workerIsThere(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** Opens the page of the story as a member, with an active worker. */
async function openStory() {
  const opened = await openMemberPage(site, place, { serviceWorkers: 'allow' })
  await workerIsThere(opened.page)
  return opened
}

async function saveStory(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keep offline: The Night Ferry' }).click()
  await page.getByText('Kept offline', { exact: true }).waitFor()
}

const soundAt = (page: Page) => page.evaluate<number>("document.querySelector('audio')?.currentTime ?? -1")
const waitForSound = (page: Page, from: number) =>
  page.waitForFunction((at) => (document.querySelector('audio')?.currentTime ?? -1) > at, from)

/** Waits until the state of this name that the worker stores is true. */
const waitForState = (page: Page, name: string) =>
  page.evaluate(`new Promise((done) => {
    const look = () => {
      const asked = indexedDB.open('nocturne')
      asked.onsuccess = () => {
        const state = asked.result.transaction('state').objectStore('state').get('${name}')
        state.onsuccess = () => {
          asked.result.close()
          if (state.result === true) done()
          else setTimeout(look, 20)
        }
      }
    }
    look()
  })`)

/**
 * Reads the stored copy of the one item: the beginning of its text, the hash of its audio, and the number of its
 * pieces.
 */
const readOfflineItem = (page: Page) =>
  page.evaluate<{ text: string; hash: string; pieces: number }>(`new Promise((done) => {
    const asked = indexedDB.open('nocturne')
    asked.onsuccess = () => {
      const tx = asked.result.transaction(['items', 'pieces'])
      const [items, pieces] = [tx.objectStore('items').getAll(), tx.objectStore('pieces').count()]
      tx.oncomplete = () => {
        asked.result.close()
        const [{ item, audio }] = items.result
        done({ text: item.content.slice(0, 12), hash: audio.etag.slice(1, -1), pieces: pieces.result })
      }
    }
  })`)

/** Skips the ten minutes between two checks of the worker, so that it checks again with the next page. */
async function meetAgain(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const asked = indexedDB.open('nocturne')
    asked.onsuccess = () => {
      const tx = asked.result.transaction('state', 'readwrite')
      tx.objectStore('state').put(0, 'askedAt')
      tx.oncomplete = () => { asked.result.close(); done() }
    }
  })`)
  await page.goto('/settings')
}

/** Waits until the stored copy matches `wanted`. */
async function waitForOfflineItem(
  page: Page,
  wanted: Partial<Awaited<ReturnType<typeof readOfflineItem>>>,
): Promise<void> {
  const isThere = async () => {
    const stored: Record<string, string | number> = await readOfflineItem(page)
    return Object.entries(wanted).every(([name, value]) => stored[name] === value)
  }
  await until(isThere)
  expect(await readOfflineItem(page)).toMatchObject(wanted)
}

const countOfflineItems = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => {
    const asked = indexedDB.open('nocturne')
    asked.onsuccess = () => {
      const count = asked.result.transaction('items').objectStore('items').count()
      count.onsuccess = () => { asked.result.close(); done(count.result) }
    }
  })`)

test('Chromium reports no manifest or installability errors', async () => {
  const { page, context, complaints } = await openStory()
  const session = await context.newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // The driver opens private windows.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  expect(complaints).toEqual([])
})

test('saved items are read, played and sought offline, and the position is sent when back online', async () => {
  const { page, context, complaints } = await openStory()
  await saveStory(page)
  await context.setOffline(true)
  await page.goto(place)
  await page.getByText('Offline: kept on this device').waitFor()
  expect(await page.locator('.story-text p').count()).toBeGreaterThan(10)

  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  await page.evaluate("document.querySelector('audio').currentTime = 90")
  await waitForSound(page, 90.5)
  const range = await page.evaluate<[number, string | null, number]>(`(async () => {
    const src = document.querySelector('audio').src
    const part = await fetch(src, { headers: { range: 'bytes=100-199' } })
    const beyond = await fetch(src, { headers: { range: 'bytes=99999999-' } })
    return [part.status, part.headers.get('content-range')?.slice(0, 14) ?? null, beyond.status]
  })()`)
  expect(range).toEqual([206, 'bytes 100-199/', 416])

  // On another page, which is not saved, the narration continues.
  const heard = await soundAt(page)
  await page.getByRole('link', { name: 'Everything kept' }).click()
  await page.getByText('No network here').waitFor()
  await page.locator('.saved-offline').getByRole('link', { name: 'The Night Ferry' }).waitFor()
  await waitForSound(page, heard + 0.5)

  await context.setOffline(false)
  await page.evaluate("document.querySelector('audio').pause()")
  const serverPosition = async () => {
    const answer = await page.request.get(`/api/analytics/progress/${storyId}/story`)
    return ((await answer.json()) as { lastPositionSec: number } | null)?.lastPositionSec ?? 0
  }
  await until(async () => (await serverPosition()) > 90)
  expect(await serverPosition()).toBeGreaterThan(90)
  // The browser's own errors for a broken connection, and for the missing range.
  const isOfTheLine = /ERR_(INTERNET_DISCONNECTED|FAILED)|status of 416/
  expect(complaints.filter((each) => !isOfTheLine.test(each))).toEqual([])
})

test('items that are not saved play and seek through the service worker', async () => {
  const { page, complaints } = await openStory()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  await page.evaluate("document.querySelector('audio').currentTime = 100")
  await waitForSound(page, 100.5)
  expect(complaints).toEqual([])
})

test('signing out while offline is refused and keeps the saved items', async () => {
  const { page, context } = await openStory()
  await saveStory(page)
  await page.goto('/settings')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.locator('.toast').getByText('Signing out needs the network.').waitFor()
  expect(await countOfflineItems(page)).toBe(1)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/settings')
  expect(await (await page.request.get('/api/auth/user')).json()).toBeNull()
})

test('the second member of a shared browser sees nothing saved by the first', async () => {
  const { page, context } = await openStory()
  await saveStory(page)
  await page.goto('/settings#offline')
  await page.locator('#offline').getByText('The Night Ferry').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/settings')
  await join(site, page)
  await page.goto('/settings#offline')
  await page.locator('#offline').getByText('Nothing yet.').waitFor()
  await context.setOffline(true)
  await page.goto(place)
  await page.getByText('No network here').waitFor()
  expect(await page.getByText('The Night Ferry').count()).toBe(0)
})

/** Returns all data that a browser stores for this site as one text: caches, databases, and both kinds of storage. */
const readBrowserData = (page: Page) =>
  page.evaluate<string>(`(async () => {
    const found = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        found.push(request.url)
        if (!request.url.includes('/assets/')) found.push(await (await cache.match(request)).text())
      }
    }
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise((done) => { indexedDB.open(name).onsuccess = (event) => done(event.target.result) })
      for (const store of db.objectStoreNames) {
        const tx = db.transaction(store)
        const [keys, values] = [tx.objectStore(store).getAllKeys(), tx.objectStore(store).getAll()]
        await new Promise((done) => { tx.oncomplete = done })
        found.push(store, JSON.stringify(keys.result), JSON.stringify(values.result))
      }
      db.close()
    }
    for (const area of [localStorage, sessionStorage])
      for (const name of Object.keys(area)) found.push(name + ': ' + area.getItem(name))
    return found.join('\\n')
  })()`)

/** Words that occur only in data of the first member: items heard, saved and written. */
const canaries = ['Kingfisher', 'Goldcrest', 'Nuthatch', 'Wheatear']

/** Opens a shared browser as its first member, and leaves data of each kind in it. */
async function leaveTraces(): Promise<Awaited<ReturnType<typeof openMemberPage>> & { path: string }> {
  const { services } = site
  const { id, slug } = await publishTestItem(services, {
    title: `The Kingfisher ${crypto.randomUUID().slice(0, 4)}`,
  })
  await narrateWithTone(services, id, toneSeconds)
  const path = `/story/${slug}`
  const opened = await openPage(site, { serviceWorkers: 'allow' })
  const { page, context } = opened
  const email = await join(site, page, { firstName: 'Iris' })
  // Events that cannot be sent are stored, with the titles of items that were heard and read.
  await context.route('**/api/analytics/session', () => {})
  await page.goto(path)
  await workerIsThere(page)
  const headers = { 'sec-fetch-site': 'same-origin' }
  const own = { title: 'The Goldcrest', content: 'A goldcrest slept. '.repeat(20), categories: ['romantic'] }
  const made = await page.request.post('/api/user/content', { headers, data: own })
  expect(made.status()).toBe(201)
  await page.request.patch('/api/user', { headers, data: { firstName: 'Nuthatch' } })
  await page.getByRole('button', { name: /^Keep offline: / }).click()
  await page.getByText('Kept offline', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  await page.goto('/create-stories')
  await page.getByRole('button', { name: 'Paste' }).and(page.locator(':enabled')).waitFor()
  await page.getByLabel('Title').fill('The Wheatear')
  await page.getByLabel('Text', { exact: true }).fill('What nobody else is to read of the Wheatear.')
  await page.waitForFunction(() =>
    Object.values(localStorage).some((value) => value.includes('else is to read')),
  )
  await page.goto('/my-content')
  await page.getByText('The Goldcrest').first().waitFor()
  const stored = await readBrowserData(page)
  expect(
    stored
      .split('\n')
      .filter((line) => line.startsWith('nocturne.events.'))
      .join(),
  ).toContain('Kingfisher')
  return { ...opened, email, path }
}

/** Expects that the next person at the browser cannot find data of the first member by any means. */
async function expectNoTraces(page: Page, path: string): Promise<void> {
  const tracesIn = (text: string) => canaries.filter((canary) => text.includes(canary))
  /** Returns the stored entries themselves, so that a failure names them. */
  const storedTraces = async () =>
    (await readBrowserData(page)).split('\n').filter((line) => tracesIn(line).length > 0)
  const found: Record<string, string[]> = { storage: await storedTraces() }
  // From here on the second member cannot learn the title from the library.
  await site.services.db
    .update(stories)
    .set({ status: 'removed' })
    .where(eq(stories.slug, path.slice('/story/'.length)))
  await libraryChanged(site.services.db)
  for (let back = 1; back <= 6; back += 1) {
    await page.goBack({ waitUntil: 'load' }).catch(() => null)
    found[`back ${back}`] = tracesIn(await page.content())
  }
  await page.goto('/settings')
  found.settings = tracesIn(await page.content())
  await page.context().setOffline(true)
  for (const each of ['/my-content', '/settings', '/create-stories', path, '/shelf']) {
    await page.goto(each).catch(() => null)
    found[`${each} without a network`] = tracesIn(await page.content())
  }
  const answers = await page.evaluate<string>(`(async () => {
    const texts = []
    for (const path of ['/api/user/content', '/api/auth/user', '/api/user/settings', '/api/favorites'])
      texts.push(await fetch(path).then((answer) => answer.text()).catch(() => ''))
    return texts.join()
  })()`)
  found['calls without a network'] = tracesIn(answers)
  await page.getByText('Nothing is kept on this device.').waitFor()
  const comesBack = page.waitForEvent('load')
  await page.context().setOffline(false)
  await comesBack
  found['storage at the end'] = await storedTraces()
  expect(Object.entries(found).filter(([, traces]) => traces.length > 0)).toEqual([])
}

test('signing out on a stale page keeps the session and saved items of the member signed in since', async () => {
  const { page, context } = await openMemberPage(site, '/settings', { serviceWorkers: 'allow' })
  const second = await context.newPage()
  const email = await join(site, second)
  await second.goto(place)
  await workerIsThere(second)
  await saveStory(second)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/settings')
  expect(await (await page.request.get('/api/auth/user')).json()).toMatchObject({ email })
  await second.goto('/settings#offline')
  await second.locator('#offline').getByText('The Night Ferry').waitFor()
})

test('a page requested before the service worker was activated becomes controlled', async () => {
  const { page, context } = await openPage(site, { serviceWorkers: 'allow' })
  const second = await context.newPage()
  const release = await holdBack(second, `**${place}`)
  const onItsWay = second.waitForRequest(`**${place}`)
  const arrives = second.goto(place)
  await onItsWay
  await page.goto('/stories')
  await workerIsThere(page)
  await release()
  await arrives
  await workerIsThere(second)
})

test('signing out leaves no member data in storage, by Back or offline', async () => {
  const { page, path } = await leaveTraces()
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/settings')
  await join(site, page)
  await page.goto('/stories')
  await expectNoTraces(page, path)
})

test('an open tab stores nothing more of a member who has signed out in another tab', async () => {
  const { page, context } = await openStory()
  const writing = await context.newPage()
  await writing.goto('/create-stories')
  await writing.getByRole('button', { name: 'Paste' }).and(writing.locator(':enabled')).waitFor()
  const saved = Promise.withResolvers<void>()
  await page.route('**/api/content/*', async (route) => {
    await saved.promise
    await route.continue()
  })
  const fetched = page.waitForRequest('**/api/content/*')
  await page.getByRole('button', { name: 'Keep offline: The Night Ferry' }).click()
  await fetched

  const leaving = await context.newPage()
  await leaving.goto('/settings')
  await leaving.getByRole('button', { name: 'Sign out', exact: true }).click()
  await leaving.waitForURL((url) => url.pathname !== '/settings')
  saved.resolve()
  await page.getByText(/^Keeping,/).waitFor({ state: 'detached' })
  await writing.getByLabel('Title').fill('The Wheatear')
  await writing.getByLabel('Text', { exact: true }).fill('Nobody else is to read of the Wheatear.')
  // Three times as long as a draft waits for more typing.
  await writing.waitForTimeout(1_800)
  const stored = await readBrowserData(leaving)
  expect(['Wheatear', 'Night Ferry'].filter((each) => stored.includes(each))).toEqual([])
})

test('the first page after a revoked session leaves no member data in storage, by Back or offline', async () => {
  const { page, path, email } = await leaveTraces()
  await site.services.db.execute(
    sql`delete from sessions where user_id = (select id from users where email = ${email})`,
  )
  // The session is lost without the sign-out button.
  await page.goto('/stories')
  await workerIsThere(page)
  await until(async () => (await countOfflineItems(page)) === 0)
  await join(site, page)
  await page.goto('/stories')
  await expectNoTraces(page, path)
})

test('soft navigation after a revoked session clears all but the draft, and Back clears a cached page', async () => {
  const { page, context, email } = await leaveTraces()
  const second = await context.newPage()
  await second.goto('/my-content')
  await second.getByText('The Goldcrest').first().waitFor()
  await site.services.db.execute(
    sql`delete from sessions where user_id = (select id from users where email = ${email})`,
  )
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  // The page clears the storage in the task that clears this.
  await page.waitForFunction(() =>
    [localStorage, sessionStorage].every((storage) => storage.getItem('nocturne.owner') === null),
  )
  await page.locator('audio[src]').first().waitFor({ state: 'detached' })
  const stored = await page.evaluate(() => Object.entries({ ...localStorage, ...sessionStorage }))
  const found = stored.filter((entry) => canaries.some((canary) => entry.join().includes(canary)))
  // The draft is retained for its member (draft-stored.e2e.ts).
  expect(found.map(([name]) => name)).toEqual([expect.stringMatching(/^nocturne\.writing~/)])
  // The driver turns the back/forward cache off, so the second tab is sent the event that a browser sends to a restored
  // page.
  await second.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  // The body of the next page may not be there yet.
  await second.waitForFunction(() => document.body?.textContent.includes('The Goldcrest') === false)
})

test('no cache contains personal pages or API responses', async () => {
  const { page } = await openStory()
  await saveStory(page)
  await page.goto('/settings')
  await page.goto('/my-content')
  const cached = await page.evaluate<string[]>(`(async () => {
    const paths = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    return paths
  })()`)
  expect(cached.length).toBeGreaterThan(5)
  expect([...new Set(cached.filter((path) => !path.startsWith('/assets/')))].sort()).toEqual([
    '/leave',
    '/offline',
  ])
})

test('an item removed from the library is deleted from the device at the next contact', async () => {
  const { page } = await openStory()
  await saveStory(page)
  await site.services.db.update(stories).set({ status: 'removed' }).where(eq(stories.id, storyId))
  try {
    await meetAgain(page)
    await page.locator('#offline').getByText('The Night Ferry').waitFor({ state: 'detached' })
    await until(async () => (await countOfflineItems(page)) === 0)
    expect(await countOfflineItems(page)).toBe(0)
  } finally {
    await site.services.db.update(stories).set({ status: 'published' }).where(eq(stories.id, storyId))
  }
})

test('a saved item is hidden after 30 days without contact with the server', async () => {
  const { page, context } = await openStory()
  await saveStory(page)
  await context.setOffline(true)
  await page.clock.setFixedTime(Date.now() + 31 * 24 * 3_600_000)
  await page.goto(place)
  await page.getByText('No network here').waitFor()
  expect(await page.getByRole('link', { name: 'The Night Ferry' }).count()).toBe(0)
})

test('an interrupted download can be resumed, and a saved item removed', async () => {
  const { page, context } = await openStory()
  let refused = 0
  await context.route('**/api/premium-audio/**', (route) => {
    const { range } = route.request().headers()
    if (range && !range.startsWith('bytes=0-') && refused === 0) {
      refused += 1
      return route.abort()
    }
    return route.continue()
  })
  await page.getByRole('button', { name: 'Keep offline: The Night Ferry' }).click()
  await seeToast(page, 'Not kept yet')
  await page.getByText('Go on keeping').click()
  await page.getByText('Kept offline', { exact: true }).click()
  await page.getByText('Keep offline', { exact: true }).waitFor()
})

test('the offline page says that nothing is saved, and reloads itself when back online', async () => {
  const { page, context } = await openStory()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await context.setOffline(true)
  await page.goto('/trending')
  await page.getByText('Nothing is kept on this device. This page comes back with the network.').waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Trending Now' }).waitFor()
})

test('saved items and the offline page have no accessibility or layout faults at either width and theme', async () => {
  const { page, context } = await openStory()
  await saveStory(page)
  await page.goto('/settings#offline')
  await page.locator('#offline').getByText('The Night Ferry').waitFor()
  expect(await findFaults(page, 'kept')).toEqual([])
  await context.setOffline(true)
  await page.goto('/trending')
  await page.getByRole('link', { name: 'The Night Ferry' }).waitFor()
  expect(await findFaults(page, 'offline')).toEqual([])
  await page.getByRole('link', { name: 'The Night Ferry' }).click()
  await page.getByText('Offline: kept on this device').waitFor()
  expect(await findFaults(page, 'item')).toEqual([])
})

test('a PIN hides saved items offline, and the PIN page does not delete them', async () => {
  const { page, context } = await openStory()
  const saved = await page.request.post('/settings/pin', {
    headers: { 'sec-fetch-site': 'same-origin' },
    form: { pin: '2468' },
  })
  expect(saved.ok()).toBe(true)
  await saveStory(page)
  await page.goto('/stories')
  await waitForState(page, 'hasPin')
  // The session is older than the PIN's idle time, and the browser was closed since.
  await site.services.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  await context.clearCookies({ name: 'nocturne_open' })
  await page.goto('/stories')
  await page.getByRole('heading', { name: 'Enter your PIN' }).waitFor()
  await workerIsThere(page)
  expect(await countOfflineItems(page)).toBe(1)
  await context.setOffline(true)
  await page.goto(place)
  await page.getByText('No network here').waitFor()
  expect(await page.locator('.saved-offline').count()).toBe(0)
  expect(await page.content()).not.toContain('The Night Ferry')
})

test('a PIN that is set after an item was saved hides it offline at once', async () => {
  const { page, context } = await openStory()
  await saveStory(page)
  await page.goto('/settings#discretion')
  await page.getByRole('textbox', { name: 'PIN on opening' }).fill('2468')
  await page.keyboard.press('Enter')
  await page.getByText('Your PIN is set.').waitFor()
  await waitForState(page, 'hasPin')
  await context.setOffline(true)
  await page.goto('/stories')
  await page.getByText('No network here').waitFor()
  expect(await page.content()).not.toContain('The Night Ferry')
})

test('the page that asks for a PIN set on another device hides saved items offline', async () => {
  const { page, context } = await openStory()
  await saveStory(page)
  await page.goto('/stories')
  // First the session: a request of the open page would unlock a new one that has a PIN.
  await site.services.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  await site.services.db.update(users).set({ pinHash: await hashPin('2468') })
  await page.goto('/stories')
  await page.getByRole('heading', { name: 'Enter your PIN' }).waitFor()
  await waitForState(page, 'hasPin')
  await context.setOffline(true)
  await page.goto('/stories')
  await page.getByText('No network here').waitFor()
  expect(await page.content()).not.toContain('The Night Ferry')
})

test('Keep offline asks for the PIN when the session has been locked, and continues after it', async () => {
  const { page, context } = await openMemberPage(site, '/settings#discretion')
  await page.getByRole('textbox', { name: 'PIN on opening' }).fill('2468')
  await page.keyboard.press('Enter')
  await page.getByText('Your PIN is set.').waitFor()
  await page.goto(place)
  await site.services.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  await context.clearCookies({ name: 'nocturne_open' })
  await page.getByRole('button', { name: 'Keep offline: The Night Ferry' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your PIN' })
  await dialog.locator('[name=pin]:focus').waitFor()
  await page.keyboard.type('2468')
  await page.keyboard.press('Enter')
  await page.getByText('Kept offline', { exact: true }).waitFor()
})

test('Keep offline says so when the browser blocks storage', async () => {
  const { page } = await openMemberPage(site, place)
  await page.addInitScript(() => {
    indexedDB.open = () => {
      throw new DOMException('Refused', 'SecurityError')
    }
  })
  await page.reload()
  await page.getByRole('button', { name: 'Keep offline: The Night Ferry' }).click()
  await seeToast(page, 'This browser does not let this site store anything.')
})

test('saving an item offline survives another tab deleting the database meanwhile', async () => {
  const { page, context } = await openMemberPage(site, place)
  const goOn = await holdBack(page, '**/api/user/offline')
  await page.getByRole('button', { name: 'Keep offline: The Night Ferry' }).click()
  await page.getByRole('button', { name: /^Keeping/ }).waitFor()
  const other = await context.newPage()
  await other.goto('/leave')
  await other.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase('nocturne').onsuccess = resolve
      }),
  )
  await goOn()
  await page.getByText('Kept offline', { exact: true }).waitFor()
})

test('the app manifest and the offline page have a neutral name and icon in discreet mode', async () => {
  const { page, context } = await openStory()
  const session = await context.newCDPSession(page)
  await page.goto('/settings#discretion')
  await page.getByRole('switch', { name: /^Discreet mode/ }).press('Space')
  await page.waitForFunction(() => document.title === 'Library')
  await page.getByRole('link', { name: 'Explore Audios' }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  const manifest = await session.send('Page.getAppManifest')
  expect(JSON.parse(manifest.data ?? '{}')).toMatchObject({ name: 'Library', short_name: 'Library' })
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  await waitForState(page, 'isDiscreet')
  await context.setOffline(true)
  await page.goto(place)
  await page.getByText('No network here').waitFor()
  expect(await page.title()).toBe('Library')
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  expect(icon).toContain('plain')
  expect(await page.evaluate(async (href) => (await fetch(href)).ok, icon ?? '')).toBe(true)
})

test('a changed item is fetched again, and its old copy stays usable until the new one is complete', async () => {
  const { services } = site
  const { id, slug } = await publishTestItem(services, { title: 'Tides', content: 'Low water. '.repeat(40) })
  const hashNow = async () => {
    const isCurrent = and(eq(narrations.storyId, id), eq(narrations.isCurrent, true))
    const [row] = await services.db.select({ hash: narrations.audioHash }).from(narrations).where(isCurrent)
    return row?.hash ?? ''
  }
  await narrateWithTone(services, id, 70)
  const before = { text: 'Low water. L', hash: await hashNow(), pieces: 2 }
  const { page, context } = await openMemberPage(site, `/story/${slug}`, { serviceWorkers: 'allow' })
  await workerIsThere(page)
  await page.getByRole('button', { name: 'Keep offline: Tides' }).click()
  await page.getByText('Kept offline', { exact: true }).waitFor()
  await waitForOfflineItem(page, before)

  await services.db
    .update(stories)
    .set({ content: 'High water. '.repeat(40) })
    .where(eq(stories.id, id))
  await narrateWithTone(services, id, 80)
  const after = { text: 'High water. ', hash: await hashNow(), pieces: 4 }
  expect(after.hash).not.toBe(before.hash)
  clearPermissions()
  // The audio cannot be fetched yet.
  await services.storage.remove({ hash: after.hash, extension: 'mp3' })
  await meetAgain(page)
  await context.setOffline(true)
  await page.goto(`/story/${slug}`)
  await page.getByText('Offline: kept on this device').waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  expect(await readOfflineItem(page)).toEqual(before)

  await context.setOffline(false)
  await narrateWithTone(services, id, 80)
  await meetAgain(page)
  await waitForOfflineItem(page, after)
  // The old audio can be heard to its end. It is deleted at the next contact with the server.
  await meetAgain(page)
  await waitForOfflineItem(page, { ...after, pieces: 2 })
  await context.setOffline(true)
  await page.goto(`/story/${slug}`)
  await page.locator('.story-text').getByText('High water.').first().waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  const etag = await page.evaluate<string | null>(
    "fetch(document.querySelector('audio').src, { method: 'HEAD' }).then((answer) => answer.headers.get('etag'))",
  )
  expect(etag).toBe(`"${after.hash}"`)
})
