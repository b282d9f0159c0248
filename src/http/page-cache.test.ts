import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chooseEncoding, createPageCache, encodedBody, type KeptPage } from '#src/http/page-cache'
import {
  type Browser,
  browser,
  markupOf,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing'

const page = (text: string): KeptPage => ({ html: new TextEncoder().encode(text), bodies: {} })
const textOf = (kept: KeptPage | null) => new TextDecoder().decode(kept?.html)

describe('kept pages', () => {
  test('a page is made once for all who ask within a second, also at the same moment', async () => {
    let now = 0
    let made = 0
    const cache = createPageCache(() => now)
    const find = () =>
      cache.find('/', async () => {
        made += 1
        await Bun.sleep(1)
        return page(`page ${made}`)
      })
    expect((await Promise.all(Array.from({ length: 20 }, find))).map(textOf)).toEqual(
      Array(20).fill('page 1'),
    )
    now = 999
    expect(textOf(await find())).toBe('page 1')
    now = 1_000
    expect(textOf(await find())).toBe('page 2')
  })

  test('what must not be kept, and what fails, is made again', async () => {
    const cache = createPageCache(() => 0)
    expect(await cache.find('/', async () => null)).toBeNull()
    expect(cache.find('/', async () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    await Bun.sleep(1)
    expect(textOf(await cache.find('/', async () => page('there')))).toBe('there')
  })

  test('five hundred are kept, the oldest goes', async () => {
    const cache = createPageCache(() => 0)
    for (let each = 0; each <= 500; each += 1) await cache.find(`/${each}`, async () => page(`first ${each}`))
    expect(textOf(await cache.find('/500', async () => page('again')))).toBe('first 500')
    expect(textOf(await cache.find('/0', async () => page('again')))).toBe('again')
  })

  test('a page is compressed once for each encoding', async () => {
    const kept = page('words '.repeat(1_000))
    expect(encodedBody(kept, 'br')).toBe(encodedBody(kept, 'br'))
    expect(brotliDecompressSync(await encodedBody(kept, 'br')).toString()).toBe('words '.repeat(1_000))
    expect(gunzipSync(await encodedBody(kept, 'gzip')).toString()).toBe('words '.repeat(1_000))
    expect(await encodedBody(kept, 'identity')).toBe(kept.html)
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

describe('over the whole program', () => {
  test('a page arrives in the encoding that was asked for, kept or not', async () => {
    const { app, parts } = await testApp()
    const { slug } = await publishTestItem(parts)
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

  test('whoever asks first, nobody sees the page of another', async () => {
    const { app, parts } = await testApp()
    const { slug } = await publishTestItem(parts)
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
      // One after the other in both orders, then all at once.
      for (const kind of Object.keys(kinds)) await look(kind, path)
      for (const kind of Object.keys(kinds).reverse()) await look(kind, path)
      await Promise.all(
        Array.from({ length: 5 }, () => Object.keys(kinds))
          .flat()
          .map((kind) => look(kind, path)),
      )
    }
  })

  test('how many stories are left is each reader’s own', async () => {
    const { app, parts } = await testApp()
    const slugs = []
    for (const title of ['One', 'Two']) slugs.push((await publishTestItem(parts, { title })).slug)
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

  test('a kept page hands out no cookie', async () => {
    const { app, parts } = await testApp()
    await publishTestItem(parts)
    for (const path of ['/', '/stories', '/landing', '/', '/stories']) {
      expect((await browser(app).call(path)).headers.getSetCookie()).toEqual([])
    }
  })

  test('a page that failed is not kept', async () => {
    const { app } = await testApp()
    const wrong = await browser(app).call('/?category=nothing', { headers: { accept: 'text/html' } })
    expect(wrong.status).toBe(422)
    const again = await browser(app).call('/?category=nothing')
    expect(again.headers.get('content-type')).toStartWith('application/json')
    expect(again.headers.get('x-request-id')).not.toBe(wrong.headers.get('x-request-id'))
  })

  test('two servers, or two addresses of one page, share nothing', async () => {
    const one = await testApp({ SITE_NAME: 'Evening' })
    const two = await testApp({ SITE_NAME: 'Morning' })
    expect(await (await browser(one.app).call('/landing')).text()).toContain('Evening')
    expect(await (await browser(two.app).call('/landing')).text()).not.toContain('Evening')
    await publishTestItem(one.parts, { title: 'A Tide', type: 'flow' })
    expect(await (await browser(one.app).call('/?type=flow')).text()).toContain('A Tide')
    expect(await (await browser(one.app).call('/?type=story')).text()).not.toContain('A Tide')
  })
})
