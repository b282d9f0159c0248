import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chooseEncoding } from '#src/http/encoding'
import { createPageCache } from '#src/http/page-cache'
import {
  type Browser,
  browser,
  markupOf,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'

type Made = { response: Response; isCacheable: boolean }
const page = (text: string): Made => ({
  response: new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  isCacheable: true,
})
const ask = (path: string, accepted = '') =>
  new Request(`http://localhost:3000${path}`, { headers: { 'accept-encoding': accepted } })
const textOf = (response: Response) => response.text()

describe('page cache', () => {
  test('renders a page once for concurrent requests and for one second', async () => {
    let now = 1
    let made = 0
    const cache = createPageCache(() => now)
    const find = async () =>
      textOf(
        await cache.answer(ask('/'), '/', async () => {
          made += 1
          await Promise.resolve()
          return page(`page ${made}`)
        }),
      )
    expect(await Promise.all(Array.from({ length: 20 }, find))).toEqual(Array(20).fill('page 1'))
    now = 1_001
    expect(await find()).toBe('page 1')
    now = 1_002
    expect(await find()).toBe('page 2')
  })

  test('renders again after an uncacheable page and after an error', async () => {
    const cache = createPageCache(() => 1)
    const own = async (text: string) => ({ ...page(text), isCacheable: false })
    expect(await textOf(await cache.answer(ask('/'), '/', () => own('mine')))).toBe('mine')
    expect(await textOf(await cache.answer(ask('/'), '/', () => own('yours')))).toBe('yours')
    const away = () => Promise.reject(new Error('away'))
    expect((await rejectionOf(cache.answer(ask('/'), '/', away))).message).toContain('away')
    expect(await textOf(await cache.answer(ask('/'), '/', async () => page('there')))).toBe('there')
  })

  test('never shares an uncacheable response between concurrent requests', async () => {
    const cache = createPageCache(() => 1)
    let made = 0
    const own = async () => {
      made += 1
      return { ...page(`for ${made}`), isCacheable: false }
    }
    const answers = await Promise.all(Array.from({ length: 5 }, () => cache.answer(ask('/'), '/', own)))
    expect(new Set(await Promise.all(answers.map(textOf))).size).toBe(5)
  })

  test('holds 500 pages and evicts the oldest', async () => {
    const cache = createPageCache(() => 1)
    for (let each = 0; each <= 500; each += 1)
      await cache.answer(ask(`/${each}`), `/${each}`, async () => page(`first ${each}`))
    const again = async (path: string) =>
      textOf(await cache.answer(ask(path), path, async () => page('again')))
    expect(await again('/500')).toBe('first 500')
    expect(await again('/0')).toBe('again')
  })

  test('serves a page in every encoding', async () => {
    const cache = createPageCache(() => 1)
    const words = 'words '.repeat(1_000)
    const answer = (accepted: string) => cache.answer(ask('/', accepted), '/', async () => page(words))
    for (const _ of [1, 2]) {
      const brotli = await answer('br')
      expect(brotli.headers.get('content-encoding')).toBe('br')
      expect(brotliDecompressSync(await brotli.bytes()).toString()).toBe(words)
      expect(gunzipSync(await (await answer('gzip')).bytes()).toString()).toBe(words)
      expect(await textOf(await answer(''))).toBe(words)
    }
  })
})

test.each([
  [null, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=1.0, gzip;q=0.8', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0, gzip;q=0', 'identity'],
  ['br ; q=0.000 , gzip ; q=0.5', 'gzip'],
  ['br;q=0.1', 'br'],
  ['GZIP', 'gzip'],
  ['BR', 'br'],
  ['abr, xgzip, gzipped', 'identity'],
  ['x-gzip', 'identity'],
  ['*;q=0', 'identity'],
  ['br-x', 'identity'],
])('Accept-Encoding %p gets %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding === 'br' ? 'br' : encoding === 'gzip' ? 'gzip' : 'identity')
})

describe('pages of the app', () => {
  test('are sent in the requested encoding, cached or not', async () => {
    const { app, services } = await testApp()
    const { slug } = await publishTestItem(services)
    const decode = {
      br: brotliDecompressSync,
      gzip: gunzipSync,
      identity: (bytes: Uint8Array) => Buffer.from(bytes),
    }
    for (const path of ['/', '/stories', `/story/${slug}`, '/sign-in']) {
      const plain = await (await browser(app).call(path)).text()
      for (const encoding of ['br', 'gzip', 'identity', 'gzip', 'br'] as const) {
        const response = await browser(app).call(path, { headers: { 'accept-encoding': encoding } })
        expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
        const text = decode[encoding](await response.bytes()).toString()
        expect(text.replace(/nocturne-\w+|:\w+:/g, '')).toBe(plain.replace(/nocturne-\w+|:\w+:/g, ''))
      }
    }
  })

  test('are compressed with zstd for one member and with brotli when shared', async () => {
    const { app } = await testApp()
    const ana = await memberBrowser(app, 'ana.zstd@example.com')
    const ask = (path: string, who: Browser = ana) =>
      who.call(path, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } })
    const response = await ask('/settings')
    expect(response.headers.get('content-encoding')).toBe('zstd')
    expect((await Bun.zstdDecompress(await response.bytes())).toString()).toContain('ana.zstd@example.com')
    expect((await ask('/stories', browser(app))).headers.get('content-encoding')).toBe('br')
  })

  test('are never shown to another kind of caller, in any order of requests', async () => {
    const { app, services } = await testApp()
    const { slug } = await publishTestItem(services)
    const ana = await memberBrowser(app, 'ana.private@example.com')
    const operator = await operatorBrowser(app)
    const paper = browser(app)
    paper.jar.set('nocturne_theme', 'paper')
    const settled = browser(app)
    settled.jar.set('nocturne_welcome', 'hidden')
    const reader = browser(app)
    await reader.call(`/story/${slug}`)

    const kinds: Record<string, { who: () => Browser; sees: RegExp[]; never: RegExp[] }> = {
      member: {
        who: () => ana,
        sees: [/href="\/settings"/],
        never: [/href="\/sign-in/, /href="\/analytics"/],
      },
      operator: { who: () => operator, sees: [/href="\/analytics"/], never: [/href="\/settings"/] },
      newcomer: {
        who: () => browser(app),
        sees: [/href="\/sign-in/],
        never: [/href="\/settings"/, /href="\/analytics"/, /data-theme="paper"/],
      },
      paper: {
        who: () => paper,
        sees: [/data-theme="paper"/, /href="\/sign-in/],
        never: [/href="\/settings"/],
      },
      settled: {
        who: () => settled,
        sees: [/href="\/sign-in/],
        never: [/data-hide-welcome/, /href="\/settings"/],
      },
      reader: { who: () => reader, sees: [/href="\/sign-in/], never: [/href="\/settings"/] },
    }
    const look = async (kind: string, path: string) => {
      const { who, sees, never } = kinds[kind] ?? { who: () => browser(app), sees: [], never: [] }
      const html = await markupOf(await who().call(path))
      const answer = `${kind} ${path}`
      for (const each of sees) expect(each.test(html) || `${answer} misses ${each}`).toBe(true)
      for (const each of never) expect(!each.test(html) || `${answer} shows ${each}`).toBe(true)
      expect(html.includes('ana.private@example.com') && kind !== 'member').toBe(false)
    }
    for (const path of ['/', '/stories', '/?category=romantic']) {
      // One request after the other in both orders, then all at once.
      for (const kind of Object.keys(kinds)) await look(kind, path)
      for (const kind of Object.keys(kinds).reverse()) await look(kind, path)
      await Promise.all(
        Array.from({ length: 5 }, () => Object.keys(kinds))
          .flat()
          .map((kind) => look(kind, path)),
      )
    }
  })

  test('show each reader their own number of free stories left', async () => {
    const { app, services } = await testApp()
    const slugs = []
    for (const title of ['One', 'Two']) slugs.push((await publishTestItem(services, { title })).slug)
    const [one, two] = [browser(app, '10.0.0.1'), browser(app, '10.0.0.2')]
    await one.call(`/story/${slugs[0]}`)
    await two.call(`/story/${slugs[0]}`)
    await two.call(`/story/${slugs[1]}`)
    const left = async (who: Browser) =>
      /(\d) of 3 free stories left/.exec(await markupOf(await who.call('/stories')))?.[1]
    expect(await Promise.all([left(browser(app)), left(one), left(two), left(browser(app))])).toEqual([
      '3',
      '2',
      '1',
      '3',
    ])
  })

  test('set no cookie when cached', async () => {
    const { app, services } = await testApp()
    await publishTestItem(services)
    for (const path of ['/', '/stories', '/landing', '/', '/stories']) {
      expect((await browser(app).call(path)).headers.getSetCookie()).toEqual([])
    }
  })

  test('are not cached when they failed', async () => {
    const { app } = await testApp()
    const wrong = await browser(app).call('/?category=nothing', { headers: { accept: 'text/html' } })
    expect(wrong.status).toBe(422)
    const again = await browser(app).call('/?category=nothing')
    expect(again.headers.get('content-type')).toStartWith('application/json')
    expect(again.headers.get('x-request-id')).not.toBe(wrong.headers.get('x-request-id'))
  })

  test('are cached separately for each server and URL', async () => {
    const one = await testApp({ SITE_NAME: 'Evening' })
    const two = await testApp({ SITE_NAME: 'Morning' })
    expect(await (await browser(one.app).call('/landing')).text()).toContain('Evening')
    expect(await (await browser(two.app).call('/landing')).text()).not.toContain('Evening')
    await publishTestItem(one.services, { title: 'A Tide', type: 'flow' })
    expect(await (await browser(one.app).call('/?type=flow')).text()).toContain('A Tide')
    expect(await (await browser(one.app).call('/?type=story')).text()).not.toContain('A Tide')
  })
})
