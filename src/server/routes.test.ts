import { afterAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { sessions } from '#db/schema'
import { listChanges } from '#src/audit/list-changes'
import { createChallenge } from '#src/challenge/edit'
import type { Access, Route } from '#src/http/route'
import { enqueue } from '#src/job/enqueue'
import { register } from '#src/member/sign-in/register'
import { recordChange } from '#src/operator/audit'
import { tokenFingerprint } from '#src/operator/token'
import { sha256 } from '#src/security/keyed-hash'
import { createApp } from '#src/server/app'
import { findRoute } from '#src/server/find-route'
import { listen } from '#src/server/listen'
import { routes } from '#src/server/routes'
import { openSession } from '#src/session/session'
import { memberPassword, operatorToken, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const story = await publishTestItem(services)
const flow = await publishTestItem(services, { title: 'The Tide', type: 'flow' })
const challenge = await createChallenge(
  db,
  { name: 'One Evening', items: [flow.id], isPublished: true },
  'nocturne',
)
const [ana, ben] = await Promise.all(
  ['ana@example.com', 'ben@example.com'].map((email) =>
    register(db, { email, password: memberPassword }, email),
  ),
)

await recordChange(db, 'nocturne', { action: 'import', subjectType: 'import' })
const jobId = await enqueue(db, { kind: 'narrate', dedupeKey: 'a route', payload: {} })
const [change] = await listChanges(db, { limit: 1 })

const device = { userAgent: '', addressHash: '' }
const memberCookie = async (userId?: string) =>
  `nocturne_session=${await openSession(db, { kind: 'member', userId, ...device })}`
const operatorCookie = async () =>
  `nocturne_operator=${await openSession(db, { kind: 'operator', tokenFingerprint: tokenFingerprint(services), ...device })}`
async function expired(cookie: string): Promise<string> {
  const sid = sha256(cookie.slice(cookie.indexOf('=') + 1))
  await db.update(sessions).set({ expire: sql`now() - interval '1 second'` }).where(eq(sessions.sid, sid))
  return cookie
}

/** Every kind of caller. */
const actors = {
  visitor: async () => ({}),
  'member A': async () => ({ cookie: await memberCookie(ana?.id) }),
  'member B': async () => ({ cookie: await memberCookie(ben?.id) }),
  'expired session': async () => ({
    cookie: `${await expired(await memberCookie(ana?.id))}; ${await expired(await operatorCookie())}`,
  }),
  operator: async () => ({ cookie: await operatorCookie() }),
  bearer: async () => ({ authorization: `Bearer ${operatorToken}` }),
} satisfies Record<string, () => Promise<Record<string, string>>>
type Actor = keyof typeof actors
const everyone = Object.keys(actors) as Actor[]

/** Headers with a session, by actor. They are replaced after a route that ends sessions. */
const sessionsOpen = new Map<Actor, Record<string, string>>()
async function headersOf(actor: Actor): Promise<Record<string, string>> {
  const headers = sessionsOpen.get(actor) ?? (await actors[actor]())
  sessionsOpen.set(actor, headers)
  return headers
}

/** The actors whom a route's access admits. The handler may still refuse them. */
const passes: Record<Access, readonly Actor[]> = {
  public: everyone,
  member: ['member A', 'member B'],
  operator: ['operator', 'bearer'],
}
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const table = Object.entries(routes).map(([name, route]) => {
  const [method = '', pattern = ''] = name.split(' ')
  const path = pattern
    .replace('/story/:slug', `/story/${story.slug}`)
    .replace('/flow/:slug', `/flow/${flow.slug}`)
    .replace(':contentKey', encodeURIComponent(`pre_uploaded:story:${story.id}`))
    .replace(/(?<=challenges?\/):id/, challenge.id)
    .replace(':day', '1')
    .replace('/sitemap/:file', '/sitemap/1.xml')
    .replace('/members/:id', `/members/${ana?.id}`)
    .replace('/audit/:id', `/audit/${change?.id}`)
    .replace('/jobs/:id', `/jobs/${jobId}`)
    .replace(/:id|:contentId/, story.id)
    .replace(':contentType', 'story')
    .replace(':voice', 'female')
  return { name, route, method, path }
})

const bodies = { json: '{}', form: '', stream: '--b--' } as const
const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  stream: 'multipart/form-data; boundary=b',
} as const

async function request(actor: Actor, method: string, path: string, body?: Route['body']): Promise<Response> {
  const response = await send(await headersOf(actor), method, path, body)
  if (/(out|sessions)$/.test(path)) sessionsOpen.clear()
  return response
}

async function send(
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: Route['body'],
  address?: string,
): Promise<Response> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return app.fetch(
    new Request(`http://localhost:3000${path}`, {
      method,
      headers: {
        host: 'localhost:3000',
        'sec-fetch-site': 'same-origin',
        ...(hasBody && { 'content-type': types[body] }),
        ...headers,
      },
      ...(hasBody && { body: bodies[body] }),
    }),
    address,
  )
}

/** Checks the envelope that all errors of /api calls share. */
async function expectEnvelope(response: Response, path: string): Promise<void> {
  if (!path.startsWith('/api/') || response.status < 400) return
  const text = await response.text()
  if (text === '') return
  expect(JSON.parse(text)).toEqual({
    success: false,
    error: expect.stringMatching(/\S/),
    message: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z_]+$/),
    requestId: response.headers.get('x-request-id'),
    ...(text.includes('"fields"') && { fields: expect.any(Array) }),
  })
}

test('GET routes that need no further setup return 200 to a caller with access', async () => {
  const isElsewhere = (path: string) =>
    /^\/(cover|picture)/.test(path) ||
    /^\/(feed|opds)\//.test(path) ||
    path.startsWith('/age/') ||
    path.startsWith('/.well-known/') ||
    /^\/api\/auth\/(google|apple|facebook)/.test(path)
  const isAudio = (path: string) => path.includes('premium-audio') || path.endsWith('/audio')
  // Ownership is tested where it is implemented (src/user-story/api.test.ts, src/import/draft/api.test.ts).
  const isOwn = (path: string) => /^\/api\/(user\/content|import-drafts)\//.test(path)
  for (const { name, method, path, route } of table) {
    const actor = passes[route.access][0]
    if (method !== 'GET' || isOwn(path) || isAudio(path) || isElsewhere(path) || !actor) continue
    expect(`${name}: ${(await request(actor, 'GET', path)).status}`).toBe(`${name}: 200`)
  }
})

test.each(table)(
  '$name admits only the callers that the route table names',
  async ({ route, method, path }) => {
    for (const actor of everyone) {
      for (const requested of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        const response = await request(actor, requested, path, route.body)
        const answer = `${actor} ${requested} ${path}: ${response.status}`
        expect(response.status < 500 || answer).toBe(true)
        if (passes[route.access].includes(actor)) expect(response.status !== 401 || answer).toBe(true)
        else expect(response.status === 401 || answer).toBe(true)
        await expectEnvelope(response, path)
      }
    }
  },
)

const server = listen(app, { port: 0, hostname: '127.0.0.1' })
afterAll(() => server.stop(true))

/** The answer as it is sent over the wire: status, headers and the body. Only the beginning of a stream is read. */
async function exchange(actor: Actor, method: string, path: string, known?: string) {
  const response = await fetch(new URL(path, server.url), {
    method,
    redirect: 'manual',
    decompress: false,
    headers: {
      ...(await headersOf(actor)),
      host: 'localhost:3000',
      'accept-encoding': 'gzip, br, zstd',
      // Errors repeat this id in their bodies, which then have the same length.
      'x-request-id': 'asked',
      ...(known && { 'if-none-match': known }),
    },
  })
  const reader = response.body?.getReader()
  const body = await reader?.read()
  await reader?.cancel()
  const headers = new Map(response.headers)
  for (const name of ['date', 'set-cookie', 'connection', 'transfer-encoding']) headers.delete(name)
  return { status: response.status, headers, hasBody: (body?.value?.byteLength ?? 0) > 0 }
}

test.each(table.filter(({ method }) => method === 'GET'))(
  '$name answers HEAD with the headers of GET and no body',
  async ({ route, path }) => {
    for (const actor of new Set(['visitor' as const, passes[route.access].at(-1) ?? 'visitor'])) {
      const first = await exchange(actor, 'GET', path)
      const head = await exchange(actor, 'HEAD', path)
      const second = await exchange(actor, 'GET', path)
      expect(head.hasBody).toBe(false)
      expect(head.status).toBe(second.status)
      const tag = second.headers.get('etag')
      const isSteady = tag === first.headers.get('etag')
      // A tag that differs from one GET to the next is ignored, and so is the length of a stream, which is known only
      // at its end.
      for (const { headers } of [head, second]) {
        if (!isSteady && headers.has('etag')) headers.set('etag', 'of the moment')
        if (!isSteady || !tag) headers.delete('content-length')
      }
      expect([...head.headers].sort()).toEqual([...second.headers].sort())
      if (tag && isSteady) expect((await exchange(actor, 'HEAD', path, tag)).status).toBe(304)
    }
  },
)

const sessionIn = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)
/** Invalid values in place of the operator's token. */
const wrongBearers: Record<string, () => Promise<string>> = {
  'another token': async () => `Bearer ${'n'.repeat(43)}`,
  'the token cut short': async () => `Bearer ${operatorToken.slice(0, -1)}`,
  nothing: async () => 'Bearer',
  'a space': async () => 'Bearer  ',
  '512 characters': async () => `Bearer ${operatorToken.padEnd(512, 'x')}`,
  '513 characters': async () => `Bearer ${operatorToken.padEnd(513, 'x')}`,
  '4,000 characters': async () => `Bearer ${operatorToken.padEnd(4_000, 'x')}`,
  'the token twice': async () => `Bearer ${operatorToken} ${operatorToken}`,
  'two headers': async () => `Bearer ${operatorToken}, Bearer ${operatorToken}`,
  'a space before the token': async () => `Bearer  ${operatorToken}`,
  'a tab before the token': async () => `Bearer\t${operatorToken}`,
  'a space within the token': async () => `Bearer ${operatorToken.slice(0, 9)} ${operatorToken.slice(9)}`,
  'the scheme in lower case': async () => `bearer ${operatorToken}`,
  'the scheme in upper case': async () => `BEARER ${operatorToken}`,
  'a member’s session': async () => `Bearer ${sessionIn(await memberCookie(ana?.id))}`,
  'an operator’s session': async () => `Bearer ${sessionIn(await operatorCookie())}`,
  'an operator’s cookie': async () => `Bearer ${await operatorCookie()}`,
}
let addresses = 0
/** Wrong tokens are counted by address, so each comes from a different one. */
function nextAddress(): string {
  addresses += 1
  return `10.${60 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`
}

test.each(Object.entries(wrongBearers))(
  'a bearer of %s grants no access, whatever the cookie',
  async (_, wrong) => {
    const authorization = await wrong()
    const cookies = {
      'no cookie': '',
      'a member': await memberCookie(ana?.id),
      operator: await operatorCookie(),
    }
    const opened: string[] = []
    for (const { route, method, path } of table) {
      for (const [beside, cookie] of Object.entries(cookies)) {
        // A member can still reach their own data, whatever the header claims.
        if (route.access === 'public' || (route.access === 'member' && beside === 'a member')) continue
        const headers = { authorization, ...(cookie && { cookie }) }
        const { status } = await send(headers, method, path, route.body, nextAddress())
        if (status !== 401) opened.push(`${method} ${path} beside ${beside}: ${status}`)
      }
    }
    expect(opened).toEqual([])
  },
)

test('a Basic Authorization header leaves an operator’s session valid', async () => {
  const headers = { authorization: `Basic ${btoa('proxy:password')}`, cookie: await operatorCookie() }
  expect((await send(headers, 'GET', '/api/admin/sessions')).status).toBe(200)
  expect((await send({ authorization: headers.authorization }, 'GET', '/api/admin/sessions')).status).toBe(
    401,
  )
})

test.each(table)('$name returns 403 for every other method', async ({ path, route }) => {
  for (const actor of everyone) {
    for (const method of methods) {
      if (findRoute(method, path).route) continue
      const response = await request(actor, method, path, route.body)
      expect(`${actor} ${method} ${path}: ${response.status}`).toBe(`${actor} ${method} ${path}: 403`)
      await expectEnvelope(response, path)
    }
  }
})

/** Other spellings of an address. Null if the address does not change. */
const otherWritings: Record<string, (path: string) => string> = {
  'a trailing slash': (path) => `${path}/`,
  'two slashes in front': (path) => `/${path}`,
  'two slashes within': (path) => path.replace(/(.)\/([^/]*)$/, '$1//$2'),
  'an encoded slash': (path) => path.replace(/(.)\/([^/]*)$/, '$1%2f$2'),
  'an encoded slash in front': (path) => `/%2F${path.slice(1)}`,
  'an encoded letter': (path) =>
    path.replace(/^\/([a-z])/, (_, letter) => `/%${letter.charCodeAt(0).toString(16)}`),
  'upper case': (path) => path.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  'a semicolon': (path) => `${path};x=1`,
  'a full stop': (path) => (path === '/' ? path : `${path}.`),
  'a NUL': (path) => `${path}%00`,
  backslashes: (path) => `/${path.slice(1).replaceAll('/', '%5c')}`,
}

test.each(Object.entries(otherWritings))('no route answers a URL with %s', async (_, rewrite) => {
  for (const { path, method, route } of table) {
    const other = rewrite(path)
    if (other === path) continue
    for (const actor of everyone) {
      for (const requested of new Set([method, 'GET', 'HEAD'])) {
        const response = await request(actor, requested, other, route.body)
        const answer = `${actor} ${requested} ${other}: ${response.status}`
        expect(response.status >= 400 || answer).toBe(true)
        expect(response.status < 500 || answer).toBe(true)
        await expectEnvelope(response, other)
      }
    }
  }
})

test('an unknown /api path returns 404 as JSON, even when HTML is accepted', async () => {
  for (const path of [
    '/api/',
    '/api/nothing',
    '/api/content/a/b',
    '/api/admin',
    '/api/stories/bulk/x',
    '/api/%00',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const request = new Request(`http://localhost:3000${path}`, {
        method,
        headers: { host: 'localhost:3000', accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      })
      const response = await app.fetch(request)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/json;charset=utf-8')
      expect(await response.json()).toMatchObject({ success: false, code: 'not_found' })
    }
  }
})

test('an unknown page returns 404 as HTML', async () => {
  for (const path of [
    '/nothing',
    '/story/nothing',
    '/flow/nothing',
    '/stories/',
    '/Admin',
    '/.env',
    '/wp-login.php',
  ]) {
    const request = new Request(`http://localhost:3000${path}`, {
      headers: { host: 'localhost:3000', accept: 'text/html,*/*' },
    })
    const response = await app.fetch(request)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('404 Page Not Found')
  }
})

test('createApp() throws for a listed route that is not mounted', () => {
  routes['GET /api/nowhere'] = { access: 'public', kind: 'api' }
  try {
    expect(() => createApp(services)).toThrow('Not mounted: GET /api/nowhere.')
  } finally {
    delete routes['GET /api/nowhere']
  }
})

test('createApp() throws for a mounted route that is not listed', () => {
  const { 'GET /healthz': removed, ...others } = routes
  delete routes['GET /healthz']
  try {
    expect(() => createApp(services)).toThrow('Not in the table: GET /healthz.')
  } finally {
    if (removed) Object.assign(routes, { 'GET /healthz': removed })
  }
  expect(Object.keys(routes)).toHaveLength(Object.keys(others).length + 1)
})
