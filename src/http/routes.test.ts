import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { sessions } from '#db/schema'
import { createApp } from '#src/app'
import { createChallenge } from '#src/challenge/edit'
import { findRoute } from '#src/http/find-route'
import { type Access, type Route, routes } from '#src/http/routes'
import { sha256 } from '#src/keyed-hash'
import { register } from '#src/member/register'
import { openSession } from '#src/member/session'
import { operatorToken, publishTestItem, testApp } from '#src/testing'

const { app, parts } = await testApp()
const { db } = parts
const story = await publishTestItem(parts)
const flow = await publishTestItem(parts, { title: 'The Tide', type: 'flow' })
const challenge = await createChallenge(
  db,
  { name: 'One Evening', items: [flow.id], isPublished: true },
  'nocturne',
)
const [ana, ben] = await Promise.all(
  ['ana@example.com', 'ben@example.com'].map((email) =>
    register(db, { email, password: 'lanterns on the water' }, email),
  ),
)

const device = { userAgent: '', addressHash: '' }
const memberCookie = async (userId?: string) =>
  `nocturne_session=${await openSession(db, { kind: 'member', userId, ...device })}`
const operatorCookie = async () =>
  `nocturne_operator=${await openSession(db, { kind: 'operator', ...device })}`
async function expired(cookie: string): Promise<string> {
  const sid = sha256(cookie.slice(cookie.indexOf('=') + 1))
  await db.update(sessions).set({ expire: sql`now() - interval '1 second'` }).where(eq(sessions.sid, sid))
  return cookie
}

/** Everyone who can ask. */
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

/** The headers of an actor; a route that ends sessions is followed by new ones. */
const sessionsOpen = new Map<Actor, Record<string, string>>()
async function headersOf(actor: Actor): Promise<Record<string, string>> {
  const headers = sessionsOpen.get(actor) ?? (await actors[actor]())
  sessionsOpen.set(actor, headers)
  return headers
}

/** Who passes the door of a route; what is behind it may still decline. */
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
    .replace('/members/:id', `/members/${ana?.id}`)
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

async function ask(actor: Actor, method: string, path: string, body?: Route['body']): Promise<Response> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const response = await app.fetch(
    new Request(`http://localhost:3000${path}`, {
      method,
      headers: {
        host: 'localhost:3000',
        'sec-fetch-site': 'same-origin',
        ...(hasBody && { 'content-type': types[body] }),
        ...(await headersOf(actor)),
      },
      ...(hasBody && { body: bodies[body] }),
    }),
  )
  if (/(out|sessions)$/.test(path)) sessionsOpen.clear()
  return response
}

/** Every refusal of an /api call has the envelope of product.md §6. */
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

test('what is there for someone is really there', async () => {
  const isElsewhere = (path: string) =>
    path === '/cover' ||
    /^\/(feed|opds)\//.test(path) ||
    path.startsWith('/age/') ||
    /^\/api\/auth\/(google|apple|facebook)/.test(path)
  // What is somebody's own is tried where it is made (src/creation/api.test.ts, src/import/draft/api.test.ts).
  const isOwn = (path: string) => /^\/api\/(user\/content|import-drafts)\//.test(path)
  for (const { name, method, path, route } of table) {
    const actor = passes[route.access][0]
    if (method !== 'GET' || isOwn(path) || path.includes('premium-audio') || isElsewhere(path) || !actor)
      continue
    expect(`${name}: ${(await ask(actor, 'GET', path)).status}`).toBe(`${name}: 200`)
  }
})

test.each(table)(
  '$name opens for those whom the table names, and for nobody else',
  async ({ route, method, path }) => {
    for (const actor of everyone) {
      for (const asked of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        const response = await ask(actor, asked, path, route.body)
        const answer = `${actor} ${asked} ${path}: ${response.status}`
        expect(response.status < 500 || answer).toBe(true)
        if (passes[route.access].includes(actor)) expect(response.status !== 401 || answer).toBe(true)
        else expect(response.status === 401 || answer).toBe(true)
        await expectEnvelope(response, path)
      }
    }
  },
)

test.each(table)('$name answers under no other method', async ({ path, route }) => {
  for (const actor of everyone) {
    for (const method of methods) {
      if (findRoute(method, path).route) continue
      const response = await ask(actor, method, path, route.body)
      expect(`${actor} ${method} ${path}: ${response.status}`).toBe(`${actor} ${method} ${path}: 403`)
      await expectEnvelope(response, path)
    }
  }
})

/** An address written another way; null where it stays the same. */
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

test.each(Object.entries(otherWritings))('no route answers to its address with %s', async (_, rewrite) => {
  for (const { path, method, route } of table) {
    const other = rewrite(path)
    if (other === path) continue
    for (const actor of everyone) {
      for (const asked of new Set([method, 'GET', 'HEAD'])) {
        const response = await ask(actor, asked, other, route.body)
        const answer = `${actor} ${asked} ${other}: ${response.status}`
        expect(response.status >= 400 || answer).toBe(true)
        expect(response.status < 500 || answer).toBe(true)
        await expectEnvelope(response, other)
      }
    }
  }
})

test('an unknown /api path is a 404 as JSON, whatever is accepted', async () => {
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

test('an unknown page is a 404 with the page that says so', async () => {
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

test('the program does not start with a route that stands in the table and is mounted nowhere', () => {
  routes['GET /api/nowhere'] = { access: 'public', kind: 'api' }
  try {
    expect(() => createApp(parts)).toThrow('Not mounted: GET /api/nowhere.')
  } finally {
    delete routes['GET /api/nowhere']
  }
})

test('the program does not start with a mounted route that stands in no table', () => {
  const { 'GET /healthz': kept, ...others } = routes
  delete routes['GET /healthz']
  try {
    expect(() => createApp(parts)).toThrow('Not in the table: GET /healthz.')
  } finally {
    if (kept) Object.assign(routes, { 'GET /healthz': kept })
  }
  expect(Object.keys(routes)).toHaveLength(Object.keys(others).length + 1)
})
