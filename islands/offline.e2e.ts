import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { narrations, stories } from '#db/schema'
import { seedDemo } from '#db/seed'
import {
  closeBrowser,
  findFaults,
  join,
  narrateWithTone,
  openMemberPage,
  openSite,
  seeToast,
} from '#src/browser-testing'
import { forgetPermissions } from '#src/narration/permissions'
import { publishTestItem } from '#src/testing'

/** An evening without a network: what was kept is read and heard, and what was heard arrives later. */
const site = await openSite()
const toneSeconds = 120
const place = '/story/the-night-ferry'
let storyId = ''

beforeAll(async () => {
  await seedDemo(site.parts.db)
  const [story] = await site.parts.db
    .select({ id: stories.id })
    .from(stories)
    .where(eq(stories.slug, 'the-night-ferry'))
  storyId = story?.id ?? ''
  await narrateWithTone(site.parts, storyId, toneSeconds)
})
afterAll(closeBrowser)

/** The worker answers for this page. */
async function workerIsThere(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 })
}

/** A member in front of the story, with the worker at work. */
async function openStory() {
  const opened = await openMemberPage(site, place, { serviceWorkers: 'allow' })
  await workerIsThere(opened.page)
  return opened
}

async function keepStory(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keep offline: The Night Ferry' }).click()
  await page.getByText('Kept offline', { exact: true }).waitFor()
}

const soundAt = (page: Page) => page.evaluate<number>("document.querySelector('audio')?.currentTime ?? -1")
const waitForSound = (page: Page, from: number) =>
  page.waitForFunction((at) => (document.querySelector('audio')?.currentTime ?? -1) > at, from, {
    timeout: 60_000,
  })

/** What the worker keeps of the pages' words. */
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

/** What is kept of the one item: its text's beginning, the hash of its sound, and how many pieces lie there. */
const readKept = (page: Page) =>
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

/** As if the ten minutes between two questions of the worker had passed: it asks with the next page. */
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

/** Waits until what is kept is as it should be. */
async function waitForKept(page: Page, wanted: Partial<Awaited<ReturnType<typeof readKept>>>): Promise<void> {
  const isThere = async () => {
    const kept: Record<string, string | number> = await readKept(page)
    return Object.entries(wanted).every(([name, value]) => kept[name] === value)
  }
  for (let tries = 0; !(await isThere()) && tries < 400; tries += 1) await Bun.sleep(50)
  expect(await readKept(page)).toMatchObject(wanted)
}

const countKept = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => {
    const asked = indexedDB.open('nocturne')
    asked.onsuccess = () => {
      const count = asked.result.transaction('items').objectStore('items').count()
      count.onsuccess = () => { asked.result.close(); done(count.result) }
    }
  })`)

test('Chromium finds nothing that keeps the site from being installed', async () => {
  const { page, context, complaints } = await openStory()
  const session = await context.newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A window of the driver's is a private one.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('what was kept is read, heard and sought without a network; the place arrives when it is back', async () => {
  const { page, context, complaints } = await openStory()
  await keepStory(page)
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

  // Another page that is not kept: the voice goes on.
  const heard = await soundAt(page)
  await page.getByRole('link', { name: 'All that is kept' }).click()
  await page.getByText('No network here').waitFor()
  await page.locator('.kept-offline').getByRole('link', { name: 'The Night Ferry' }).waitFor()
  await waitForSound(page, heard + 0.5)

  await context.setOffline(false)
  await page.evaluate("document.querySelector('audio').pause()")
  const kept = async () => {
    const answer = await page.request.get(`/api/analytics/progress/${storyId}/story`)
    return ((await answer.json()) as { lastPositionSec: number } | null)?.lastPositionSec ?? 0
  }
  for (let tries = 0; (await kept()) < 90 && tries < 200; tries += 1) await Bun.sleep(50)
  expect(await kept()).toBeGreaterThan(90)
  // What the browser itself says of a line that is down, and of the range that is not there.
  const isOfTheLine = /ERR_(INTERNET_DISCONNECTED|FAILED)|status of 416/
  expect(complaints.filter((each) => !isOfTheLine.test(each))).toEqual([])
  await context.close()
})

test('what is not kept plays and is sought through the worker as without it', async () => {
  const { page, context, complaints } = await openStory()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  await page.evaluate("document.querySelector('audio').currentTime = 100")
  await waitForSound(page, 100.5)
  expect(complaints).toEqual([])
  await context.close()
})

test('in a browser that two people use, the second has nothing of the first', async () => {
  const { page, context } = await openStory()
  await keepStory(page)
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
  await context.close()
})

test('a page and an answer of a person are in no cache', async () => {
  const { page, context } = await openStory()
  await keepStory(page)
  await page.goto('/settings')
  await page.goto('/my-content')
  const cached = await page.evaluate<string[]>(`(async () => {
    const paths = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    return paths
  })()`)
  expect(cached.length).toBeGreaterThan(5)
  expect([...new Set(cached.filter((path) => !path.startsWith('/assets/')))]).toEqual(['/offline'])
  await context.close()
})

test('what is removed from the library leaves the device at the next contact', async () => {
  const { page, context } = await openStory()
  await keepStory(page)
  await site.parts.db.update(stories).set({ status: 'removed' }).where(eq(stories.id, storyId))
  try {
    await page.goto('/settings')
    await page.locator('#offline').getByText('The Night Ferry').waitFor({ state: 'detached' })
    for (let tries = 0; (await countKept(page)) > 0 && tries < 200; tries += 1) await Bun.sleep(50)
    expect(await countKept(page)).toBe(0)
  } finally {
    await site.parts.db.update(stories).set({ status: 'published' }).where(eq(stories.id, storyId))
  }
  await context.close()
})

test('after thirty days without a word from the server it is gone', async () => {
  const { page, context } = await openStory()
  await keepStory(page)
  await context.setOffline(true)
  await page.clock.setFixedTime(Date.now() + 31 * 24 * 3_600_000)
  await page.goto(place)
  await page.getByText('No network here').waitFor()
  expect(await page.getByRole('link', { name: 'The Night Ferry' }).count()).toBe(0)
  await context.close()
})

test('one is removed by a press, and a broken connection is gone on with', async () => {
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
  await context.close()
})

test('axe finds no barrier in what is kept and in the page without a network, in both sizes and themes', async () => {
  const { page, context } = await openStory()
  await keepStory(page)
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
  await context.close()
})

test('behind a PIN nothing is listed without a network, and the PIN page takes nothing away', async () => {
  const { page, context } = await openStory()
  const saved = await page.request.post('/settings/pin', {
    headers: { 'sec-fetch-site': 'same-origin' },
    form: { pin: '2468' },
  })
  expect(saved.ok()).toBe(true)
  await keepStory(page)
  await page.goto('/stories')
  await waitForState(page, 'hasPin')
  // The session is older than the PIN's patience, and the browser was closed since.
  await site.parts.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  await context.clearCookies({ name: 'nocturne_open' })
  await page.goto('/stories')
  await page.getByRole('heading', { name: 'Enter your PIN' }).waitFor()
  await workerIsThere(page)
  expect(await countKept(page)).toBe(1)
  await context.setOffline(true)
  await page.goto(place)
  await page.getByText('No network here').waitFor()
  expect(await page.locator('.kept-offline').count()).toBe(0)
  expect(await page.content()).not.toContain('The Night Ferry')
  await context.close()
})

test('discreet, the app and the page without a network have the plain name and the plain icon', async () => {
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
  await context.close()
})

test('what changes in the library is fetched anew; until all of it is there the old one is read and heard', async () => {
  const { parts } = site
  const { id, slug } = await publishTestItem(parts, { title: 'Tides', content: 'Low water. '.repeat(40) })
  const hashNow = async () => {
    const isCurrent = and(eq(narrations.storyId, id), eq(narrations.isCurrent, true))
    const [row] = await parts.db.select({ hash: narrations.audioHash }).from(narrations).where(isCurrent)
    return row?.hash ?? ''
  }
  await narrateWithTone(parts, id, 70)
  const before = { text: 'Low water. L', hash: await hashNow(), pieces: 2 }
  const { page, context } = await openMemberPage(site, `/story/${slug}`, { serviceWorkers: 'allow' })
  await workerIsThere(page)
  await page.getByRole('button', { name: 'Keep offline: Tides' }).click()
  await page.getByText('Kept offline', { exact: true }).waitFor()
  await waitForKept(page, before)

  await parts.db
    .update(stories)
    .set({ content: 'High water. '.repeat(40) })
    .where(eq(stories.id, id))
  await narrateWithTone(parts, id, 80)
  const after = { text: 'High water. ', hash: await hashNow(), pieces: 4 }
  expect(after.hash).not.toBe(before.hash)
  forgetPermissions()
  // Its sound cannot be fetched yet.
  await parts.storage.remove({ hash: after.hash, extension: 'mp3' })
  await meetAgain(page)
  await context.setOffline(true)
  await page.goto(`/story/${slug}`)
  await page.getByText('Offline: kept on this device').waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  expect(await readKept(page)).toEqual(before)

  await context.setOffline(false)
  await narrateWithTone(parts, id, 80)
  await meetAgain(page)
  await waitForKept(page, after)
  // The old sound may be heard to its end; with the next contact it goes.
  await meetAgain(page)
  await waitForKept(page, { ...after, pieces: 2 })
  await context.setOffline(true)
  await page.goto(`/story/${slug}`)
  await page.locator('.story-text').getByText('High water.').first().waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await waitForSound(page, 0.5)
  const etag = await page.evaluate<string | null>(
    "fetch(document.querySelector('audio').src, { method: 'HEAD' }).then((answer) => answer.headers.get('etag'))",
  )
  expect(etag).toBe(`"${after.hash}"`)
  await context.close()
})
