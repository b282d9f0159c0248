import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { sessions } from '#db/schema'
import { findRoute } from '#src/server/find-route'
import { routes } from '#src/server/routes'
import {
  browser,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  operatorToken,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { coverPath } from '#src/text/cover-seed'

const { app, services } = await testApp()
/** The operator's calls may remove `passing`; `item` stays. */
const passing = await publishTestItem(services)
const item = await publishTestItem(services, { title: 'The Lantern' })
const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; manifest-src 'self'; style-src 'self'; " +
  "img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'"
const always = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  rating: 'RTA-5042-1996-1400-1577-RTA',
}

/**
 * `resources` is the expected Cross-Origin-Resource-Policy; src/feed/any-origin.test.ts lists the routes that open it.
 */
function expectSecurityHeaders(response: Response, resources = 'same-origin'): void {
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({ ...always, 'cross-origin-resource-policy': resources })
  // No header reveals the server's software.
  expect(headers.server).toBeUndefined()
  expect(headers['x-powered-by']).toBeUndefined()
}

const paths = Object.keys(routes).map((name) => {
  const [method = '', path = ''] = name.split(' ')
  return {
    name,
    method,
    path: path
      .replace(/:(id|contentId)/, passing.id)
      .replace(':slug', item.slug)
      .replace(/:\w+/g, 'x'),
  }
})

test.each(paths)('$name sends the security headers for every method and caller', async ({ method, path }) => {
  const clients = [browser(app), await operatorBrowser(app)]
  for (const client of clients) {
    for (const asked of new Set([method, 'GET', 'HEAD', 'POST', 'OPTIONS'])) {
      const resources = findRoute(asked, path).route?.isForAnyOrigin ? 'cross-origin' : undefined
      const html = { accept: 'text/html' }
      expectSecurityHeaders(await client.call(path, { method: asked }), resources)
      expectSecurityHeaders(await client.call(path, { method: asked, headers: html }), resources)
    }
  }
})

test('responses of every status send the security headers', async () => {
  const visitor = browser(app, '10.1.1.3')
  const ana = await memberBrowser(app, 'ana@example.com', '10.1.1.1')
  const badToken = { json: { token: 'no' } }
  const answers = [
    await visitor.call('/'),
    await ana.call('/api/auth/register', {
      json: { email: 'ben@example.com', password: memberPassword },
    }),
    await visitor.call('/age', { form: { next: '/' } }),
    await visitor.call('/api/auth/login', { body: '{', headers: { 'content-type': 'application/json' } }),
    await visitor.call('/api/imports'),
    await visitor.call('/api/content', { method: 'POST' }),
    await visitor.call('/api/nothing'),
    await ana.call('/api/auth/register', {
      json: { email: 'ana@example.com', password: memberPassword },
    }),
    await visitor.call('/api/auth/login', {
      body: 'x'.repeat(70_000),
      headers: { 'content-type': 'application/json' },
    }),
    await visitor.call('/api/auth/login', { body: 'x', headers: { 'content-type': 'text/plain' } }),
    await visitor.call('/api/auth/login', { json: {} }),
    await [1, 2, 3, 4, 5].reduce(
      (last) => last.then(() => visitor.call('/api/admin/login', badToken)),
      visitor.call('/api/admin/login', badToken),
    ),
    await visitor.call('/healthz', { headers: { host: 'evil.example' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    200, 201, 303, 400, 401, 403, 404, 409, 413, 415, 422, 429, 403,
  ])
  for (const answer of answers) expectSecurityHeaders(answer)
})

test('HSTS is sent only when the site is on https', async () => {
  const { app: secure } = await testApp({ PUBLIC_URL: 'https://evening.example' })
  for (const path of ['/', '/api/content', '/nothing', '/healthz']) {
    const request = new Request(`https://evening.example${path}`, { headers: { host: 'evening.example' } })
    const response = await secure.fetch(request)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect((await browser(app).call(path)).headers.get('strict-transport-security')).toBeNull()
  }
})

test('the CSP allows media from the S3 endpoint and nothing else', async () => {
  const { app: withStore } = await testApp({
    S3_ENDPOINT: 'https://audio.example:9000/path',
    AUDIO_DELIVERY: 'redirect',
    S3_BUCKET: 'audio',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  })
  const { headers } = await browser(withStore).call('/')
  expect(headers.get('content-security-policy')).toBe(
    policy.replace('blob:', 'blob: https://audio.example:9000'),
  )
})

test('responses that depend on the caller are private and not stored', async () => {
  const clients = [
    browser(app),
    await memberBrowser(app, 'cleo@example.com', '10.1.1.2'),
    await operatorBrowser(app),
  ]
  // Responses that depend on nobody: drawn from the address, or the same file for all.
  const keptByAnyone = new Set([
    '/cover',
    '/cover/x',
    '/manifest.webmanifest',
    '/service-worker.js',
    '/offline',
  ])
  for (const { path, method } of paths) {
    for (const client of clients) {
      const { headers } = await client.call(path, { method: method === 'GET' ? 'GET' : 'HEAD' })
      if (keptByAnyone.has(path)) continue
      expect(`${path}: ${headers.get('cache-control')}`).toBe(`${path}: private, no-store`)
    }
  }
})

test('a cover is publicly cached as immutable, and a rejected one is not stored', async () => {
  const { headers } = await browser(app).call(coverPath('The Lamp'))
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(headers.get('set-cookie')).toBeNull()
  // A refused cover may not be cached.
  for (const path of ['/cover', '/cover/-']) {
    const refusal = await browser(app).call(path)
    expect(refusal.headers.get('cache-control')).toBe('private, no-store')
  }
})

test('a response that sets a cookie is never publicly cached', async () => {
  const member = await memberBrowser(app, 'dora@example.com', '10.1.1.3')
  for (const path of [coverPath('The Lamp'), '/picture/site/a.png', '/offline', '/manifest.webmanifest']) {
    await services.db.update(sessions).set({ lastSeenAt: sql`now() - interval '2 days'` })
    const { headers } = await member.call(path)
    expect(`${path}: ${headers.getSetCookie().length}`).toBe(`${path}: 1`)
    expect(`${path}: ${headers.get('cache-control')}`).toBe(`${path}: private, no-store`)
  }
})

test('pages vary by cookie and accept-encoding', async () => {
  for (const path of ['/', '/stories', `/story/${item.slug}`, '/sign-in', '/landing']) {
    const { headers } = await browser(app).call(path)
    expect(`${path}: ${headers.get('vary')}`).toBe(`${path}: cookie, accept-encoding`)
  }
})

test('pages carry the RTA label in the header and in the document', async () => {
  for (const path of ['/', '/stories', `/story/${item.slug}`, '/sign-in', '/nothing', '/cover?title=x']) {
    const response = await browser(app).call(path, { headers: { accept: 'text/html' } })
    expect(response.headers.get('rating')).toBe('RTA-5042-1996-1400-1577-RTA')
    if (!path.startsWith('/cover')) {
      expect(await response.text()).toContain('<meta name="rating" content="RTA-5042-1996-1400-1577-RTA"/>')
    }
  }
})

test('pages contain nothing that the CSP forbids', async () => {
  for (const path of [
    '/',
    '/stories',
    `/story/${item.slug}`,
    '/sign-in',
    '/landing',
    '/nothing',
    '/api/docs',
    '/leave',
  ]) {
    const html = await (await browser(app).call(path, { headers: { accept: 'text/html' } })).text()
    for (const [, attributes = '', code] of html.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)) {
      expect(code === '' || /type="application\/(ld\+)?json"/.test(attributes)).toBe(true)
    }
    expect(html).not.toMatch(/<[^>]+\s(style|on[a-z]+)=/i)
    expect(html).not.toMatch(/(src|href|action)="(https?:)?\/\/(?!localhost)[^"]*\.(js|css|png|svg|woff2)/i)
    expect(html).not.toContain('javascript:')
  }
})

test('no response contains the operator’s token or the server’s secrets', async () => {
  const operator = await operatorBrowser(app)
  for (const { path, method } of paths.filter(({ method }) => method === 'GET')) {
    const response = await operator.call(path, { method })
    // A stream of events has no end, so only its beginning is read.
    const text = response.headers.get('content-type')?.startsWith('text/event-stream')
      ? await beginningOf(response)
      : await response.text()
    expect(text).not.toContain(operatorToken)
    expect(text).not.toContain(services.secrets.session)
    expect(text).not.toContain(services.secrets.encryption)
  }
})

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}
