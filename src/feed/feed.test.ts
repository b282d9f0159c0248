import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import Parser from 'rss-parser'
import { stories, users } from '#db/schema'
import { suspendMember } from '#src/member/console/suspend'
import { deleteMember } from '#src/member/data/delete'
import { saveSettings } from '#src/member/settings/settings'
import { pngSize, whenDrawn } from '#src/picture/testing'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'
import type { FeedAddresses } from './schema'
import { printXml } from './xml'

const { app, services } = await testApp()
const { db } = services
const nobody = browser(app)
const hostile = 'Salt & <Air> "]]>'
const spoken = await publishTestItem(services, {
  title: hostile,
  description: 'A hut by the sea.',
  contentNotes: ['argument'],
})
const flow = await publishTestItem(services, { title: 'The Tide', type: 'flow' })
await publishTestItem(services, { title: 'Only Words' })
const draft = await publishTestItem(services, { title: 'Not Yet' })
await db.update(stories).set({ status: 'draft' }).where(eq(stories.id, draft.id))
for (const { id } of [spoken, flow, draft]) await narrateWithTone(services, id, 2)

const people = new Map<string, string>()
async function join(email: string) {
  const who = await memberBrowser(app, email)
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  people.set(email, row?.id ?? '')
  return who
}
const ana = await join('ana@example.com')
const ben = await join('ben@example.com')
const make = async (who: typeof ana): Promise<FeedAddresses> => who.json('/api/user/feeds', { json: {} })
const pathOf = (url: string) => url.slice(services.env.publicUrl.length)
const read = async (path: string) => new Parser().parseString(await (await nobody.call(path)).text())

test('visitors and operators get 401: only members have feeds', async () => {
  const operator = await operatorBrowser(app)
  for (const who of [nobody, operator])
    for (const call of [{}, { json: {} }, { method: 'DELETE', json: {} }])
      expect((await who.call('/api/user/feeds', call)).status).toBe(401)
  expect(await ana.json('/api/user/feeds')).toEqual({ isOn: false, createdAt: null, lastUsedAt: null })
})

test('the podcast lists what the member may hear and serves its audio by ranges', async () => {
  const { podcastUrl } = await make(ana)
  const answer = await nobody.call(pathOf(podcastUrl))
  expect(answer.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  const feed = await read(pathOf(podcastUrl))
  expect(feed.title).toBe('Nocturne')
  expect(feed.items.map(({ title }) => title)).toEqual(['The Tide', hostile])
  const [, episode] = feed.items
  expect(episode?.guid).toBe(spoken.id)
  expect(episode?.content).toBe('A hut by the sea.\n\nContent notes: argument.')
  expect(episode?.itunes.duration).toBe('2')
  const { url, length, type } = episode?.enclosure ?? { url: '' }
  expect(type).toBe('audio/mpeg')

  const whole = await nobody.call(pathOf(url))
  const bytes = await whole.bytes()
  expect(bytes.length).toBe(Number(length))
  const part = await nobody.call(pathOf(url), { headers: { range: 'bytes=100-199' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${length}`])
  expect(await part.bytes()).toEqual(bytes.slice(100, 200))
  const head = await nobody.call(pathOf(url), { method: 'HEAD' })
  expect([head.status, head.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
  const etag = answer.headers.get('etag') ?? ''
  expect((await nobody.call(pathOf(podcastUrl), { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await ana.json('/api/user/feeds')).lastUsedAt).not.toBeNull()
})

const square = { width: 3000, height: 3000 }
const artOf = (xml: string) =>
  [...xml.matchAll(/<itunes:image href="([^"]+)"/g)].map(([, url = '']) => pathOf(url))

test('the podcast and each of its items have their own artwork of 3000 × 3000 pixels', async () => {
  const { podcastUrl } = await make(ana)
  const xml = await (await nobody.call(pathOf(podcastUrl))).text()
  const [ofFeed = '', ...ofItems] = artOf(xml)
  expect(new Set([ofFeed, ...ofItems]).size).toBe(3)
  expect(ofItems.join()).toMatch(/^(\/feed\/[^,]+\.png,?){2}$/)
  for (const path of [ofFeed, ofItems[0] ?? '']) {
    const answer = await whenDrawn(() => nobody.call(path))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    const etag = answer.headers.get('etag') ?? ''
    expect((await nobody.call(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await pngSize(answer)).toEqual(square)
  }
  // An address from before the art changed.
  const old = await whenDrawn(() => nobody.call(ofFeed.replace(/\?v=.*/, '')))
  expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
})

test('the OPDS 2 catalogue lists the same items with their texts and audio', async () => {
  const { catalogueUrl } = await make(ana)
  const answer = await nobody.call(pathOf(catalogueUrl))
  expect(answer.headers.get('content-type')).toBe('application/opds+json')
  const { metadata, links, publications } = await answer.json()
  expect(metadata).toEqual({ title: 'Nocturne', numberOfItems: 3, itemsPerPage: 300, currentPage: 1 })
  expect(links[0]).toEqual({ rel: 'self', href: catalogueUrl, type: 'application/opds+json' })
  const [read, , heard] = publications
  expect(read).toMatchObject({
    metadata: { '@type': 'http://schema.org/Book', title: 'Only Words' },
    links: [{ rel: 'http://opds-spec.org/acquisition', type: 'application/xhtml+xml' }],
    images: [{ type: 'image/png' }],
  })
  const text = await nobody.call(pathOf(read.links[0].href))
  expect(text.headers.get('content-type')).toBe('application/xhtml+xml; charset=utf-8')
  expect(await text.text()).toContain('<h1>Only Words</h1><p>')
  expect(heard).toMatchObject({
    metadata: {
      '@type': 'http://schema.org/Audiobook',
      title: hostile,
      identifier: `urn:uuid:${spoken.id}`,
      duration: 2,
    },
    links: [
      { rel: 'http://opds-spec.org/acquisition', type: 'audio/mpeg' },
      { rel: 'http://opds-spec.org/acquisition', type: 'application/xhtml+xml' },
    ],
    images: [{ type: 'image/png' }],
  })
  expect((await nobody.call(pathOf(heard.links[0].href))).status).toBe(200)
})

test('a feed key gives no access to drafts or to private items of another member', async () => {
  const anas = pathOf((await make(ana)).podcastUrl).slice('/feed/'.length, -'.xml'.length)
  expect((await nobody.call(`/feed/${anas}/${draft.id}/female.mp3`)).status).toBe(404)
  expect((await nobody.call(`/feed/${anas}/${spoken.id}/male.mp3`)).status).toBe(404)
  for (const file of ['text.xhtml', 'female.vtt', 'art-1.png'])
    expect((await nobody.call(`/feed/${anas}/${draft.id}/${file}`)).status).toBe(404)
  expect((await nobody.call(`/feed/${anas}/${spoken.id}/female.vtt`)).status).toBe(404)
  expect((await nobody.call(`/feed/nonsense/${spoken.id}/female.mp3`)).status).toBe(404)
  const saved = await ben.json('/api/user/content', {
    json: { title: "Ben's own", content: 'He hummed.', categories: ['romantic'], voice: 'female' },
  })
  await narrateWithTone(services, saved.id, 1)
  for (const file of ['female.mp3', 'text.xhtml', 'art-1.png'])
    expect((await nobody.call(`/feed/${anas}/${saved.id}/${file}`)).status).toBe(404)
  const bens = await read(pathOf((await make(ben)).podcastUrl))
  expect(bens.items.map(({ title }) => title)).toContain("Ben's own")
})

test('feed URLs stop working when renewed or ended, or when the member is suspended or deleted', async () => {
  const before = await make(ana)
  const now = await make(ana)
  const status = async (url: string) => (await nobody.call(pathOf(url))).status
  expect([await status(before.podcastUrl), await status(now.podcastUrl)]).toEqual([404, 200])
  expect((await ana.call('/api/user/feeds', { method: 'DELETE', json: {} })).status).toBe(200)
  expect([await status(now.podcastUrl), await status(now.catalogueUrl)]).toEqual([404, 404])
  const bens = await make(ben)
  await suspendMember(db, people.get('ben@example.com') ?? '', 'A test', 'Ada')
  expect([await status(bens.podcastUrl), await status(bens.catalogueUrl)]).toEqual([404, 404])
  const cleos = await make(await join('cleo@example.com'))
  expect([await status(cleos.podcastUrl), await status(cleos.catalogueUrl)]).toEqual([200, 200])
  await deleteMember(services, people.get('cleo@example.com') ?? '', null)
  expect([await status(cleos.podcastUrl), await status(cleos.catalogueUrl)]).toEqual([404, 404])
})

test('items with a word that the member hides are left out of the podcast', async () => {
  await saveSettings(db, people.get('ana@example.com') ?? '', { hiddenWords: ['tide'] })
  const { podcastUrl } = await make(ana)
  expect((await read(pathOf(podcastUrl))).items.map(({ title }) => title)).toEqual([hostile])
  await saveSettings(db, people.get('ana@example.com') ?? '', { hiddenWords: [] })
})

test('discreet mode hides titles, topics, artwork and the site’s name', async () => {
  await saveSettings(db, people.get('ana@example.com') ?? '', { discreetMode: true })
  const { podcastUrl, catalogueUrl } = await make(ana)
  const text =
    (await (await nobody.call(pathOf(podcastUrl))).text()) +
    (await (await nobody.call(pathOf(catalogueUrl))).text())
  for (const word of ['Tide', 'Salt', 'hut', 'romantic', 'argument', 'Nocturne'])
    expect(text).not.toContain(word)
  const [first = '', ...others] = artOf(text)
  expect(others.length).toBe(2)
  const plain = await nobody.call(first)
  expect(plain.headers.get('etag')).toBe((await nobody.call(others[0] ?? '')).headers.get('etag'))
  expect(await pngSize(plain)).toEqual(square)
  expect((await read(pathOf(podcastUrl))).items.map(({ title }) => title)).toEqual(['Part 2', 'Part 1'])
})

test('an episode keeps its number in discreet mode when others are added or removed', async () => {
  const { podcastUrl } = await make(ana)
  const names = async () =>
    new Map((await read(pathOf(podcastUrl))).items.map(({ guid, title }) => [guid, title]))
  const before = await names()
  expect(before.get(flow.id)).toBe('Part 2')
  const [late, early] = [await publishTestItem(services), await publishTestItem(services)]
  for (const { id } of [late, early]) await narrateWithTone(services, id, 3)
  await db
    .update(stories)
    .set({ publishedAt: new Date('2020-01-01') })
    .where(eq(stories.id, early.id))
  await db.update(stories).set({ status: 'removed' }).where(eq(stories.id, spoken.id))
  const after = await names()
  expect([after.get(flow.id), after.has(spoken.id)]).toEqual(['Part 2', false])
  expect(new Set(after.values()).size).toBe(3)
  await db.update(stories).set({ status: 'published' }).where(eq(stories.id, spoken.id))
  expect((await names()).get(spoken.id)).toBe(before.get(spoken.id))
})

test('the settings form creates and ends feeds without JavaScript', async () => {
  const made = await ana.call('/settings/feeds', { form: { action: 'make' } })
  expect(await made.text()).toContain('/feed/')
  const ended = await ana.call('/settings/feeds', { form: { action: 'end' } })
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/settings?said=feeds'])
})

test('printXml replaces invalid characters and escapes the others', () => {
  const text = `a\u0000\u0008\ud800<&>"'\ufffe🏮`
  expect(printXml({ name: 'a', attributes: { b: text }, content: text })).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<a b="a\ufffd&lt;&amp;&gt;&quot;&#39;🏮">a\ufffd&lt;&amp;&gt;&quot;&#39;🏮</a>\n',
  )
})
