import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { narrationTimings, stories } from '#db/schema'
import { attachAudio } from '#src/narration/attach'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import type { AllowedItems } from './schema'
import { webManifest } from './web-manifest'

const { app, services } = await testApp({ SITE_NAME: 'Evenings' })
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const files = { 'icon-192.png': 'a.png', 'icon-512.png': 'b.png', 'icon-maskable-512.png': 'c.png' }

test('the web manifest has the site’s name and the fields that installation requires', async () => {
  const answer = await browser(app).call('/manifest.webmanifest')
  expect(answer.headers.get('content-type')).toBe('application/manifest+json')
  expect(await answer.json()).toMatchObject({ name: 'Evenings', display: 'standalone', scope: '/' })
  const { icons } = webManifest('Evenings', files)
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
})

test('the discreet manifest reveals neither the site’s name nor its icon', async () => {
  const manifest = (await browser(app).json('/manifest.webmanifest?look=discreet')) as object
  expect(manifest).toMatchObject({ name: 'Library', short_name: 'Library' })
  expect(JSON.stringify(manifest)).not.toContain('Evenings')
  expect(JSON.stringify(manifest)).not.toContain('.png')
})

test('the offline page contains nothing personal, even when a member requests it', async () => {
  const page = await (await ana.call('/offline')).text()
  expect(page).toBe(await (await browser(app).call('/offline')).text())
  expect(page).toContain('data-owner=""')
  expect(page).toContain('No network here')
  const discreet = await (await browser(app).call('/offline?look=discreet')).text()
  expect(discreet).toContain('<title>Library</title>')
  expect(discreet).toContain('No network here')
})

test('OFFLINE=off removes the manifest link and unregisters the service worker', async () => {
  const { app: off } = await testApp({ OFFLINE: 'off' })
  const visitor = browser(off)
  expect(await (await visitor.call('/')).text()).not.toContain('rel="manifest"')
  const worker = await visitor.call('/service-worker.js')
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  expect(await worker.text()).toContain('registration.unregister()')
})

test('members may keep published items and their own items offline, and no others', async () => {
  const open = await publishTestItem(services)
  const gone = await publishTestItem(services, { title: 'Gone' })
  const own = await publishTestItem(services, { title: 'Own' })
  const { id: userId } = ana
  await services.db.update(stories).set({ status: 'removed' }).where(eq(stories.id, gone.id))
  await services.db.update(stories).set({ source: 'user_generated', userId }).where(eq(stories.id, own.id))
  const json = { ids: [open.id, gone.id, own.id, 'no-id', '019c0000-0000-7000-8000-000000000001'] }
  const allowedTo = async (who: typeof ana) =>
    ((await who.json('/api/user/offline', { json })) as { allowed: string[] }).allowed.toSorted()
  expect(await allowedTo(ana)).toEqual([open.id, own.id].toSorted())
  expect(await allowedTo(ben)).toEqual([open.id])
})

test('an item’s offline version changes only with its text, audio and word timings', async () => {
  const { id } = await publishTestItem(services, { title: 'Tides' })
  const versionOf = async () => {
    const answer = (await ana.json('/api/user/offline', { json: { ids: [id] } })) as AllowedItems
    return answer.versions[id] ?? ''
  }
  const first = await versionOf()
  await services.db.update(stories).set({ upvotes: 7, audioDurationSeconds: 90 }).where(eq(stories.id, id))
  expect(await versionOf()).toBe(first)
  await services.db.update(stories).set({ content: 'The sea came back.' }).where(eq(stories.id, id))
  const second = await versionOf()
  expect(second).not.toBe(first)
  const file = {
    hash: 'a'.repeat(64),
    extension: 'mp3' as const,
    sizeBytes: 10,
    durationSeconds: 1,
  }
  const { narrationId } = await attachAudio(services.db, {
    storyId: id,
    voice: 'female',
    file,
    provider: 'upload',
  })
  const third = await versionOf()
  expect(third).toBe(`${second}.${file.hash}`)
  await services.db
    .insert(narrationTimings)
    .values({ narrationId, textHash: 'b', source: 'file', sentences: [], words: [] })
  expect(await versionOf()).not.toBe(third)
  expect(await versionOf()).toEndWith(file.hash)
})

test('the offline check rejects visitors, operators and more than 200 ids', async () => {
  const json = { ids: [] }
  expect((await browser(app).call('/api/user/offline', { json })).status).toBe(401)
  expect((await (await operatorBrowser(app)).call('/api/user/offline', { json })).status).toBe(401)
  expect((await ana.call('/api/user/offline', { json: { ids: Array(201).fill('a') } })).status).toBe(422)
})
