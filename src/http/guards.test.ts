import { describe, expect, test } from 'bun:test'
import { networkInterfaces } from 'node:os'
import { hostGuard } from '#src/http/guards'
import {
  type Browser,
  browser,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  operatorToken,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp({ ALLOWED_HOSTS: 'Stories.example, reading.example' })
const ana = await memberBrowser(app, 'ana@example.com')
const operator = await operatorBrowser(app)
const cookiesOf = ({ jar }: Browser) => [...jar].map((pair) => pair.join('=')).join('; ')

describe('Host guard', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address))
  const ours = [
    ...['localhost', 'localhost:3000', 'localhost:1', 'LOCALHOST:65535', '127.0.0.1', '127.0.0.1:80'],
    ...['[::1]', '[::1]:3000', 'stories.example', 'STORIES.EXAMPLE:443', 'reading.example'],
    ...own,
  ]
  const foreign = [
    ...[
      '',
      ' ',
      'x',
      'l',
      'evil.example',
      'evil.example:3000',
      'localhost.evil.example',
      'evil.localhost',
      'localhost.',
    ],
    ...[
      'localhost:3000, evil.example',
      'evil.example, localhost',
      'localhost, localhost',
      'localhost localhost',
    ],
    ...[
      'localhost:',
      'localhost:123456',
      'localhost:port',
      'localhost:80:80',
      'localhost#',
      'localhost?',
      'localhost/',
      '/',
    ],
    ...[
      'user@localhost',
      'localhost@evil.example',
      'localhost\\evil.example',
      '127.0.0.1.evil.example',
      '127.1',
      '2130706433',
    ],
    ...[
      '::1',
      '[::1',
      '::1]',
      '[::1].evil.example',
      '[::1%25lo]',
      '[0:0:0:0:0:0:0:1]',
      '0.0.0.0',
      '[::]',
      '0',
      '127.0.0.2',
    ],
    ...[
      '169.254.169.254',
      'metadata.google.internal',
      'xn--localhost',
      'sub.stories.example',
      'stories.example.evil',
    ],
  ]

  test.each(ours)('accepts %p', async (host) => {
    expect(
      (await app.fetch(new Request('http://localhost:3000/healthz', { headers: { host } }))).status,
    ).toBe(200)
  })

  test.each(foreign)('rejects %p with 403 before anything else', async (host) => {
    for (const path of ['/healthz', '/', '/api/content', '/assets/styles.css', '/nothing']) {
      // The page is cached for our own host first, and must not be served to others.
      await app.fetch(new Request(`http://localhost:3000${path}`, { headers: { host: 'localhost:3000' } }))
      const response = await app.fetch(new Request(`http://localhost:3000${path}`, { headers: { host } }))
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('ALLOWED_HOSTS')
    }
  })

  test('rejects a request without a Host', async () => {
    const request = new Request('http://localhost:3000/healthz')
    request.headers.delete('host')
    expect((await app.fetch(request)).status).toBe(403)
  })

  test('rejects thousands of foreign hosts and still accepts ours', () => {
    const guard = hostGuard(services.env)
    const requestTo = (host: string) => new Request('http://localhost/', { headers: { host } })
    for (let each = 0; each < 3_000; each += 1) expect(() => guard(requestTo(`h${each}.example`))).toThrow()
    expect(() => guard(requestTo('localhost:3000'))).not.toThrow()
  })

  test('accepts the public host with and without its port', async () => {
    const other = await testApp({ PUBLIC_URL: 'https://evening.example:8443' })
    for (const host of ['evening.example', 'evening.example:8443']) {
      const request = new Request('https://evening.example:8443/healthz', { headers: { host } })
      expect((await other.app.fetch(request)).status).toBe(200)
    }
    const foreign = new Request('https://evening.example/healthz', { headers: { host: 'stories.example' } })
    expect((await other.app.fetch(foreign)).status).toBe(403)
  })
})

describe('CSRF guard', () => {
  const sites = [null, 'same-origin', 'same-site', 'cross-site', 'none', 'Same-Origin', ''] as const
  const origins = [
    null,
    'http://localhost:3000',
    'http://localhost:3001',
    'https://localhost:3000',
    'http://127.0.0.1:3000',
    'http://evil.example',
    'http://localhost:3000.evil.example',
    'null',
    '',
  ] as const
  const callers = {
    nobody: {},
    cookie: { cookie: cookiesOf(ana) },
    operator: { cookie: cookiesOf(operator) },
    bearer: { authorization: `Bearer ${operatorToken}` },
    'wrong bearer and a cookie': { authorization: 'Basic YTpi', cookie: cookiesOf(ana) },
  }

  /** Whether a request is from one of our pages, or from a program without cookies; any other may be forged. */
  function isOurs(site: string | null, origin: string | null, caller: keyof typeof callers): boolean {
    if (caller === 'bearer') return true
    if (site !== null && site !== 'same-origin') return false
    if (origin !== null) return origin === 'http://localhost:3000' || origin === 'https://localhost:3000'
    return site !== null || caller === 'nobody'
  }

  const cases = Object.keys(callers).flatMap((caller) =>
    sites.flatMap((site) =>
      origins.map((origin) => ({ caller: caller as keyof typeof callers, site, origin })),
    ),
  )

  test.each(cases)(
    'judges writes by $caller with Sec-Fetch-Site $site and Origin $origin',
    async ({ caller, site, origin }) => {
      for (const [method, path] of [
        ['POST', '/api/auth/logout'],
        ['DELETE', '/api/premium-content/nothing'],
        ['PUT', '/api/premium-content/nothing'],
        ['POST', '/sign-out'],
      ]) {
        const request = new Request(`http://localhost:3000${path}`, {
          method,
          headers: {
            host: 'localhost:3000',
            ...callers[caller],
            ...(site !== null && { 'sec-fetch-site': site }),
            ...(origin !== null && { origin }),
          },
        })
        const response = await app.fetch(request)
        const code = response.status === 403 ? (await response.json()).code : null
        expect(`${method} ${path} ${code === 'cross_site'}`).toBe(
          `${method} ${path} ${!isOurs(site, origin, caller)}`,
        )
      }
    },
  )

  test('tells a script with a cookie and no Origin to send one', async () => {
    const refused = await app.fetch(
      new Request('http://localhost:3000/api/auth/logout', {
        method: 'POST',
        headers: { host: 'localhost:3000', ...callers.cookie },
      }),
    )
    expect([refused.status, (await refused.json()).error]).toEqual([
      403,
      'A call without a bearer token must name the site it comes from. Send Origin: http://localhost:3000 with it.',
    ])
    const { components } = await browser(app).json('/api/openapi.json')
    for (const scheme of ['member', 'operator'])
      expect(components.securitySchemes[scheme].description).toContain('`Origin: http://localhost:3000`')
  })

  test('rejects writes from an unencrypted page when the site is on https', async () => {
    const { app } = await testApp({ PUBLIC_URL: 'https://evening.example' })
    const statusFrom = async (origin: string, host: string) => {
      const headers = { host, origin }
      const request = new Request(`https://${host}/api/auth/logout`, { method: 'POST', headers })
      return (await app.fetch(request)).status
    }
    expect(await statusFrom('https://evening.example', 'evening.example')).toBe(200)
    expect(await statusFrom('http://evening.example', 'evening.example')).toBe(403)
    // A page on this machine itself cannot be changed in transit.
    expect(await statusFrom('http://localhost:3000', 'localhost:3000')).toBe(200)
    expect(await statusFrom('http://evening.example', 'localhost:3000')).toBe(403)
  })

  test('rejects a write before it changes anything', async () => {
    const item = await publishTestItem(services)
    const ben = await memberBrowser(app, 'ben@example.com')
    const key = `pre_uploaded:story:${item.id}`
    const forged = await ben.call('/api/content-favorites', {
      json: { contentKey: key },
      headers: { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' },
    })
    expect(forged.status).toBe(403)
    const out = await ben.call('/api/auth/logout', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(out.status).toBe(403)
    expect(await ben.json('/api/content-favorites')).toEqual([])
    expect(await ben.json('/api/auth/user')).toMatchObject({ email: 'ben@example.com' })
  })

  test('allows reads from every site', async () => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }
      expect((await ana.call('/stories', { method, headers })).status).toBe(200)
    }
  })

  test('sends no CORS headers', async () => {
    for (const path of ['/', '/api/content', '/api/auth/user', '/nothing']) {
      const response = await ana.call(path, { headers: { origin: 'http://evil.example' } })
      const allowing = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect(allowing).toEqual([])
    }
  })
})

describe('content types', () => {
  const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'application/json;']
  const otherTypes = [
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'application/xml',
      '',
    ],
    ...[
      'text/plain; application/json',
      'application/json-patch+json',
      'application/jsonp',
      'json',
      'text/json',
    ],
    ...['text/plain, application/json', '*/*', 'Application/JSON'],
  ]
  const body = JSON.stringify({ email: 'ana@example.com', password: 'not this one' })

  test.each(jsonTypes)('%p is accepted as JSON', async (type) => {
    const response = await browser(app).call('/api/auth/login', { body, headers: { 'content-type': type } })
    expect(response.status).toBe(401)
  })

  test.each(otherTypes)('%p is rejected as JSON with 415', async (type) => {
    const response = await browser(app).call('/api/auth/login', { body, headers: { 'content-type': type } })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ success: false, code: 'wrong_content_type' })
  })

  test('a body without a content type is rejected with 415', async () => {
    const response = await browser(app).call('/api/auth/login', { body: new Blob([body]) })
    expect(response.status).toBe(415)
  })

  test('a form and an upload reject JSON with 415', async () => {
    const form = await browser(app).call('/sign-in', { json: { email: 'ana@example.com', password: 'x' } })
    expect(form.status).toBe(415)
    const upload = await operator.call('/api/premium-content/excel-import', { json: {} })
    expect(upload.status).toBe(415)
  })

  test('a call without arguments needs no body', async () => {
    const response = await browser(app).call('/api/auth/logout', { method: 'POST' })
    expect(response.status).toBe(200)
  })
})

describe('body size limit', () => {
  const KB = 1024
  const json = (bytes: number) => `{"email":"ana@example.com","password":"${'x'.repeat(bytes - 41)}"}`
  const type = { 'content-type': 'application/json' }

  /** The text in chunks and without a length, as a chunked request arrives. */
  function chunked(text: string, pieceBytes = 10_000): ReadableStream<Uint8Array> {
    const bytes = Buffer.from(text)
    let at = 0
    return new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.subarray(at, at + pieceBytes))
        at += pieceBytes
      },
    })
  }

  test('accepts 64 KB and rejects one byte more, with Content-Length', async () => {
    const call = (bytes: number) =>
      browser(app).call('/api/auth/login', {
        body: json(bytes),
        headers: { ...type, 'content-length': String(bytes) },
      })
    expect(json(64 * KB)).toHaveLength(64 * KB)
    expect((await call(64 * KB)).status).toBe(422)
    const refused = await call(64 * KB + 1)
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('64 KB'),
    })
  })

  test('accepts 64 KB and rejects one byte more, in chunks', async () => {
    const call = (bytes: number) =>
      browser(app).call('/api/auth/login', { body: chunked(json(bytes)), headers: type })
    expect((await call(64 * KB)).status).toBe(422)
    expect((await call(64 * KB + 1)).status).toBe(413)
  })

  test('stops reading an endless body', async () => {
    let given = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 16 * KB
        controller.enqueue(new Uint8Array(16 * KB))
      },
    })
    expect((await browser(app).call('/api/auth/login', { body: endless, headers: type })).status).toBe(413)
    expect(given).toBeLessThan(256 * KB)
  })

  test('accepts a small body in many chunks', async () => {
    const text = JSON.stringify({ email: 'ana@example.com', password: memberPassword })
    const response = await browser(app).call('/api/auth/login', { body: chunked(text, 7), headers: type })
    expect(response.status).toBe(200)
  })

  test('rejects a form of more than 16 KB', async () => {
    const response = await browser(app).call('/reset-password', {
      form: { email: 'x'.repeat(17 * KB) },
    })
    expect(response.status).toBe(413)
  })

  test('lets an operator send a long text, but not a visitor', async () => {
    const draft = { title: 'Long', content: 'word '.repeat(40 * KB) }
    expect((await operator.call('/api/stories', { json: draft })).status).toBe(201)
    expect((await browser(app).call('/api/beta-signup', { json: draft })).status).toBe(413)
  })

  test('rejects an upload by its Content-Length before reading it', async () => {
    const { id } = await publishTestItem(services)
    const response = await operator.call(`/api/premium-content/${id}/upload-audio`, {
      body: '--b--',
      headers: {
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': String(1025 * KB * KB),
      },
    })
    expect(response.status).toBe(413)
  })
})

test.each(['{', '{"a":1', '[1,]', 'undefined', "{'a':1}", '\u0000', 'nothing', '{"a":1}{"a":1}'])(
  'the malformed JSON body %p returns 400',
  async (body) => {
    const response = await browser(app).call('/api/auth/login', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, code: 'unreadable' })
  },
)
