import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import Parser from 'rss-parser'
import { attachAudio } from '#src/narration/attach'
import { storeTimings } from '#src/narration/timing/store-timings'
import { packTimings } from '#src/narration/timing/timing-rules'
import { sha256 } from '#src/security/keyed-hash'
import { browser, memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'
import { feedItemsMax } from './rules'
import type { FeedAddresses } from './schema'

async function openFeeds() {
  const { app, services } = await testApp()
  const ana = await memberBrowser(app, 'ana@example.com')
  const { podcastUrl, catalogueUrl }: FeedAddresses = await ana.json('/api/user/feeds', { json: {} })
  const player = browser(app)
  const call = async (url: string) => player.call(url.slice(services.env.publicUrl.length))
  const podcast = async (url = podcastUrl) => (await call(url)).text()
  return { services, call, podcast, podcastUrl, catalogueUrl }
}

test('the podcast and the catalogue of an empty library are valid', async () => {
  const { call, podcast, podcastUrl, catalogueUrl } = await openFeeds()
  expect((await new Parser().parseString(await podcast())).items).toEqual([])
  const catalogue = await (await call(catalogueUrl)).json()
  expect(catalogue).toEqual({
    metadata: { title: 'Nocturne', numberOfItems: 0, itemsPerPage: feedItemsMax, currentPage: 1 },
    links: [
      ...['self', 'first', 'last'].map((rel) => ({ rel, href: catalogueUrl, type: 'application/opds+json' })),
      { rel: 'alternate', href: podcastUrl, type: 'application/rss+xml' },
    ],
    navigation: [{ title: 'Library', href: 'http://localhost:3000', type: 'text/html' }],
  })
})

test('a large library is split into pages with each item exactly once', async () => {
  const { services, call, podcast, podcastUrl, catalogueUrl } = await openFeeds()
  const { db } = services
  const first = await publishTestItem(services)
  await narrateWithTone(services, first.id, 1)
  const others = feedItemsMax * 2 + 4
  for (let at = 0; at < others; at += 1) await publishTestItem(services, { title: `Evening ${at}` })
  await db.execute(sql`
    insert into narrations (id, story_id, voice, audio_hash, provider)
    select gen_random_uuid(), id, 'female', (select hash from audio_files), 'upload'
    from stories where id <> ${first.id}`)

  const seen: string[] = []
  const sizes: number[] = []
  for (let url: string | undefined = podcastUrl; url; ) {
    const xml = await podcast(url)
    const { items } = await new Parser().parseString(xml)
    seen.push(...items.map(({ guid }) => guid ?? ''))
    sizes.push(items.length)
    expect(hrefOf(xml, 'first')).toBe(podcastUrl)
    expect(hrefOf(xml, 'last')).toBe(`${podcastUrl}?page=3`)
    expect(hrefOf(xml, 'self')).toBe(url)
    url = hrefOf(xml, 'next')
  }
  expect(sizes).toEqual([feedItemsMax, feedItemsMax, 5])
  expect(new Set(seen).size).toBe(others + 1)
  const found = new Set<string>()
  for (let url: string | undefined = catalogueUrl; url; ) {
    const { links, publications } = await (await call(url)).json()
    for (const { metadata } of publications) found.add(metadata.identifier)
    url = links.find(({ rel }: { rel: string }) => rel === 'next')?.href
  }
  expect(found.size).toBe(others + 1)
  expect((await call(`${podcastUrl}?page=4`)).status).toBe(404)
  expect((await call(`${podcastUrl}?page=0`)).status).toBe(422)
  expect((await call(`${catalogueUrl}?page=x`)).status).toBe(422)
})

const hrefOf = (xml: string, rel: string) =>
  new RegExp(`<atom:link rel="${rel}" href="([^"]+)"`).exec(xml)?.[1]

test('an episode keeps its GUID when its item gets another voice', async () => {
  const { services, podcast } = await openFeeds()
  const item = await publishTestItem(services, { voice: 'male' })
  await narrateWithTone(services, item.id, 1)
  const guid = `<guid isPermaLink="false">${item.id}</guid>`
  const before = await podcast()
  const [file] = await services.db.query.audioFiles.findMany()
  if (!file) throw new Error('The tone is not stored.')
  await attachAudio(services.db, {
    storyId: item.id,
    voice: 'male',
    file: { ...file, peaks: undefined },
    provider: 'upload',
  })
  const after = await podcast()
  expect([before.includes(guid), after.includes(guid)]).toEqual([true, true])
  expect([before.includes('/female.mp3'), after.includes('/male.mp3')]).toEqual([true, true])
})

test('a narration with timings has a WebVTT transcript until its text changes', async () => {
  const { services, call, podcast } = await openFeeds()
  const content = 'The *lamp* & <the> sea.\n\nThey danced --> slowly.'
  const item = await publishTestItem(services, { content })
  await narrateWithTone(services, item.id, 2)
  expect(await podcast()).not.toContain('podcast:transcript ')
  const [narration] = await services.db.query.narrations.findMany()
  await storeTimings(services.db, narration?.id ?? '', {
    ...packTimings({
      sentences: [
        { at: 0, length: 23, startSeconds: 0.25, endSeconds: 1 },
        { at: 25, length: 23, startSeconds: 1, endSeconds: 3_725.5 },
      ],
      words: [],
    }),
    source: 'voice',
    textHash: sha256(content),
  })
  const url = /<podcast:transcript url="([^"]+)" type="text\/vtt"/.exec(await podcast())?.[1] ?? ''
  const answer = await call(url)
  expect(answer.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(await answer.text()).toBe(
    'WEBVTT\n\n00:00:00.250 --> 00:00:01.000\nThe lamp &amp; &lt;the&gt; sea.\n\n' +
      '00:00:01.000 --> 01:02:05.500\nThey danced --&gt; slowly.\n',
  )
  await services.db.execute(sql`update stories set content = 'Another text.' where id = ${item.id}`)
  expect(await podcast()).not.toContain('podcast:transcript ')
  expect((await call(url)).status).toBe(404)
})
