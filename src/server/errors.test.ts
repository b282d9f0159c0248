import { describe, expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { AppError, type AppErrorCode, appErrorCodes } from '#src/app-error'
import { answerOf, errorResponse } from '#src/http/errors'
import { createLog } from '#src/process/log'
import { createApp } from '#src/server/app'
import { fieldSentence, labelOf } from '#src/shape/invalid-field'
import { browser, memberPassword, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)

/** The problems of a refused body by field. */
async function problemsOf(path: string, json: unknown): Promise<Record<string, string>> {
  const response = await operator.call(path, { json })
  expect(response.status).toBe(422)
  const { code, error, message, fields } = await response.json()
  expect(code).toBe('invalid')
  expect(message).toBe(error)
  const [first] = fields
  expect(message).toBe(fieldSentence(first))
  expect(message).toStartWith(labelOf(first.path))
  return Object.fromEntries(
    fields.map((each: { path: string; message: string }) => [each.path, each.message]),
  )
}

describe('validation errors', () => {
  test('say "Required" for a missing field', async () => {
    expect(await problemsOf('/api/auth/register', {})).toEqual({ email: 'Required', password: 'Required' })
    expect(await problemsOf('/api/stories', { content: 'A text.' })).toEqual({ title: 'Required' })
  })

  test('name the expected and the received type', async () => {
    const types = { number: 1, boolean: true, null: null, array: [], object: {} }
    for (const [name, password] of Object.entries(types)) {
      expect(await problemsOf('/api/auth/login', { email: 'ana@example.com', password })).toEqual({
        password: `Expected string, received ${name}`,
      })
    }
    expect(await problemsOf('/api/stories/bulk', { stories: 'one' })).toEqual({
      stories: 'Expected array, received string',
    })
    expect(await problemsOf('/api/stories/bulk', { stories: [1] })).toEqual({
      'stories[0]': 'Expected object, received number',
    })
    expect(await problemsOf('/api/auth/login', [])).toMatchObject({ '': 'Expected object, received array' })
  })

  test('name the minimum or maximum length', async () => {
    expect(await problemsOf('/api/auth/register', { email: 'ana@example.com', password: '12345' })).toEqual({
      password: 'String must contain at least 6 character(s)',
    })
    const long = { email: 'ana@example.com', password: memberPassword, firstName: 'x'.repeat(81) }
    expect(await problemsOf('/api/auth/register', long)).toEqual({
      firstName: 'String must contain at most 80 character(s)',
    })
  })

  test.each(['', ' ', 'ana', '@', 'ana@', '@example.com', 'a b@example.com', 'ana@exa mple.com', 'a@b@c'])(
    'reject the email %p',
    async (email) => {
      const expected = email === '' ? 'String must contain at least 1 character(s)' : 'Invalid email'
      expect(await problemsOf('/api/auth/login', { email, password: 'x' })).toEqual({ email: expected })
      expect(await problemsOf('/api/beta-signup', { email })).toEqual({ email: expected })
    },
  )

  test('list the accepted values', async () => {
    expect(await problemsOf('/api/premium-content', { title: 'A', content: 'B', type: 'poem' })).toEqual({
      type: 'Expected one of: story, flow',
    })
  })

  test('name the accepted range of a number', async () => {
    for (const duration of [4, 61, 5.5, '15', null]) {
      expect(await problemsOf('/api/stories', { title: 'A', content: 'B', duration })).toEqual({
        duration: 'Expected whole minutes from 5 to 60',
      })
    }
  })

  test('contain the path of a nested field', async () => {
    const stories = [{ title: 'A', story: 'B' }, { title: 'A' }, { title: 'A', story: 'B', tags: ['x', 5] }]
    expect(await problemsOf('/api/stories/bulk', { stories })).toHaveProperty(
      ['stories[1].story'],
      'Required',
    )
  })

  test('use the same messages for query parameters', async () => {
    for (const [query, path, message] of [
      ['limit=0', 'limit', 'Expected a whole number from 1 to 50'],
      ['limit=51', 'limit', 'Expected a whole number from 1 to 50'],
      ['limit=ten', 'limit', 'Expected a whole number from 1 to 50'],
      ['limit=1.5', 'limit', 'Expected a whole number from 1 to 50'],
      ['sort=best', 'sort', 'Expected one of: newest, oldest, duration'],
      ['type=poem', 'type', 'Expected one of: story, flow'],
      [`q=${'x'.repeat(201)}`, 'q', 'String must contain at most 200 character(s)'],
    ]) {
      const response = await operator.call(`/api/content?${query}`)
      expect(response.status).toBe(422)
      expect((await response.json()).fields).toEqual([{ path, message }])
    }
  })

  test('reject an object with a length in place of an array', async () => {
    for (const stories of [{ length: 1 }, { length: 4_000_000_000 }, { length: 1e300 }, { length: -1 }]) {
      expect(await problemsOf('/api/stories/bulk', { stories })).toEqual({
        stories: 'Expected array, received object',
      })
    }
    expect(
      await problemsOf('/api/premium-content', { title: 'A', content: 'B', contentNotes: 'AB' }),
    ).toEqual({
      contentNotes: 'Expected array, received string',
    })
  })

  test('list at most 20 problems', async () => {
    const problems = await problemsOf('/api/stories/bulk', { stories: Array(100).fill({}) })
    expect(Object.keys(problems)).toHaveLength(20)
  })
})

test('unknown fields of a request body are ignored', async () => {
  const { id } = await publishTestItem(services, { title: 'Untouched' })
  // The router compiles the schema of a call on its first use, and mutates it. This call triggers that before the body
  // below is checked.
  await operator.call(`/api/premium-content/${id}`, { method: 'PUT' })
  const json = {
    title: 'Touched',
    id: crypto.randomUUID(),
    upvotes: 99,
    isGenerating: true,
    source: 'user_generated',
    slug: 'x',
  }
  const response = await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json })
  expect(response.status).toBe(200)
  const item = await operator.json(`/api/content/${id}`)
  expect(item).toMatchObject({
    id,
    title: 'Touched',
    upvotes: 0,
    isGenerating: false,
    source: 'pre_uploaded',
  })
  expect(item.slug).toStartWith('untouched')
})

test('error responses never contain a value that was sent', async () => {
  const secret = 'correct-horse-battery'
  for (const [path, json] of [
    ['/api/auth/login', { email: secret, password: secret }],
    ['/api/auth/login', { email: 'ana@example.com', password: secret }],
    ['/api/auth/login', { email: 'ana@example.com', password: { [`x${secret}`]: secret } }],
    ['/api/auth/register', { email: [secret], password: secret }],
    ['/api/admin/login', { token: secret }],
    ['/api/admin/login', { token: [secret] }],
    ['/api/stories', { title: 'A', content: 'B', categories: [secret], voice: secret }],
    ['/api/stories', secret],
    ['/api/content-favorites', { contentKey: secret }],
  ] as const) {
    const response = await operator.call(path, { json })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await response.text()).not.toContain(secret)
  }
  const unread = await operator.call('/api/auth/login', {
    body: `{"password":"${secret}"`,
    headers: { 'content-type': 'application/json' },
  })
  expect(await unread.text()).not.toContain(secret)
})

describe('unexpected error', () => {
  const lines: string[] = []
  const inside = 'ENOENT: /srv/secret/place, select * from users, password=hunter2'
  const broken = createApp({
    ...services,
    log: createLog('error', (line) => void lines.push(line)),
    storage: {
      ...services.storage,
      respond() {
        throw new Error(inside, { cause: new Error('the deeper reason') })
      },
    },
    assets: {
      ...services.assets,
      respond() {
        throw new Error(inside)
      },
    },
  })

  test('returns 500 with its request id and no internals', async () => {
    const response = await browser(broken).call('/assets/styles.css')
    expect(response.status).toBe(500)
    const text = await response.text()
    const id = response.headers.get('x-request-id') ?? ''
    expect(JSON.parse(text)).toEqual({
      success: false,
      code: 'internal',
      error: expect.stringContaining(id),
      message: expect.stringContaining(id),
      requestId: id,
    })
    expect(text).not.toMatch(/ENOENT|secret|select|hunter2|Error|\.ts/)
  })

  test('returns an HTML page to a request that accepts HTML', async () => {
    const response = await browser(broken).call('/assets/styles.css', { headers: { accept: 'text/html' } })
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const text = await response.text()
    expect(text).toContain(response.headers.get('x-request-id') ?? 'none')
    expect(text).not.toMatch(/ENOENT|hunter2/)
  })

  test('is logged with its request id and stack, without its message', async () => {
    lines.length = 0
    const response = await browser(broken).call('/assets/styles.css')
    const [line = '{}'] = lines
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      message: 'unexpected error',
      requestId: response.headers.get('x-request-id'),
      error: expect.stringMatching(/^Error\n +at respond /),
    })
    expect(line).not.toMatch(/ENOENT|hunter2/)
  })

  test('returns 500 without internals when a route handler throws it', async () => {
    lines.length = 0
    const policy = (await operator.call('/healthz')).headers.get('content-security-policy')
    // A service that fails.
    const db: typeof services.db = Object.create(services.db, {
      execute: {
        value() {
          throw new TypeError(inside)
        },
      },
    })
    const poisoned = createApp({ ...services, db, log: createLog('error', (line) => void lines.push(line)) })
    const response = await browser(poisoned).call('/readyz')
    expect(response.status).toBe(500)
    expect(response.headers.get('content-security-policy')).toBe(policy)
    expect(await response.text()).not.toMatch(/ENOENT|hunter2|TypeError/)
    expect(lines.join()).toContain('hunter2')
  })
})

describe('unreachable database', () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { max: 1 })
  const lines: string[] = []
  const alone = createApp({ ...services, db: away, log: createLog('error', (line) => void lines.push(line)) })

  test('makes API calls return 503 with Retry-After', async () => {
    for (const path of ['/api/content', '/readyz', '/sitemap.xml']) {
      const response = await browser(alone).call(path)
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await response.json()).toMatchObject({ success: false, code: 'unavailable' })
    }
    expect(lines.join()).toContain('database unavailable')
    expect(lines.join()).toContain('ECONNREFUSED')
    expect(lines.join()).not.toContain(' at ')
  })

  test('makes /readyz return 503, and logs only changes, without a stack', async () => {
    const probed: string[] = []
    let current = away
    const db: typeof away = Object.create(away, {
      execute: { value: (query: Parameters<typeof away.execute>[0]) => current.execute(query) },
      transaction: { value: (work: Parameters<typeof away.transaction>[0]) => current.transaction(work) },
    })
    const log = createLog('info', (line) => void probed.push(line))
    const probe = browser(createApp({ ...services, db, log }))
    const statuses: number[] = []
    for (const each of [away, away, services.db, services.db, away]) {
      current = each
      statuses.push((await probe.call('/readyz')).status)
    }
    expect(statuses).toEqual([503, 503, 200, 200, 503])
    const logged = probed.map((line) => JSON.parse(line))
    expect(logged.map(({ message, code, error }) => [message, code, error])).toEqual([
      ['not ready', 'ECONNREFUSED', undefined],
      ['ready again', undefined, undefined],
      ['not ready', 'ECONNREFUSED', undefined],
    ])
  })

  test('makes pages return 503 with an error page', async () => {
    for (const [path, words] of [
      ['/', 'Error loading content'],
      ['/stories', 'Failed to Load Stories'],
      ['/story/the-lamp', 'Back in a few minutes'],
    ] as const) {
      const response = await browser(alone).call(path, { headers: { accept: 'text/html' } })
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await response.text()).toContain(words)
    }
  })

  test('leaves /healthz at 200', async () => {
    expect((await browser(alone).call('/healthz')).status).toBe(200)
  })
})

describe('request ids', () => {
  test('are unique for each response, and repeated in API errors', async () => {
    const ids = new Set<string>()
    const paths = ['/sign-in', '/api/content', '/api/nothing', '/nothing', '/healthz', '/api/content?limit=0']
    for (const path of paths) {
      for (const method of ['GET', 'GET', 'POST']) {
        const response = await browser(app).call(path, { method })
        const id = response.headers.get('x-request-id') ?? ''
        expect(id).toMatch(/^[a-z0-9]+-[a-z0-9]+$/)
        ids.add(id)
        if (path.startsWith('/api/') && response.status >= 400)
          expect((await response.json()).requestId).toBe(id)
      }
    }
    expect(ids.size).toBe(paths.length * 3)
  })
})

test('every AppError code has its HTTP status', () => {
  const statuses: Record<AppErrorCode, number> = {
    unreadable: 400,
    sign_in_required: 401,
    operator_required: 401,
    wrong_credentials: 401,
    forbidden: 403,
    cross_site: 403,
    sign_up_to_listen: 403,
    suspended: 403,
    locked: 403,
    built_in: 403,
    not_found: 404,
    already_exists: 409,
    already_undone: 409,
    conflict: 409,
    too_large: 413,
    wrong_content_type: 415,
    range_not_satisfiable: 416,
    changed_since: 412,
    invalid: 422,
    guideline_blocked: 422,
    not_configured: 422,
    throttled: 429,
    unavailable: 503,
  }
  for (const code of appErrorCodes) {
    const answer = answerOf(new AppError(code, 'No.', { retryAfterSeconds: 1.2 }), services.log, 'id')
    const response = errorResponse(answer, 'id')
    expect(response.status).toBe(statuses[code])
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  }
})

test('the cause of an AppError is logged by its code alone, and never sent', async () => {
  const lines: string[] = []
  const log = createLog('warn', (line) => void lines.push(line))
  const cause = Object.assign(new Error('hunter2'), { code: 'EAUTH' })
  const answer = answerOf(new AppError('conflict', 'No.', { cause }), log, 'id')
  expect(await errorResponse(answer, 'id').text()).not.toMatch(/hunter2|EAUTH/)
  expect(lines.join()).toContain('EAUTH')
  expect(lines.join()).not.toContain('hunter2')
})
