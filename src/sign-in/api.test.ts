import { describe, expect, onTestFinished, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { loginEvents, sessions, throttles, users } from '#db/schema'
import { createApp } from '#src/server/app'
import { browser, memberBrowser, testApp } from '#src/testing/app'
import { hashAtLeastCost, hashAtStatedCost } from '#src/testing/cheap-passwords'
import { normalizeText } from '#src/text/normalize'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'

/** Each browser has an address of its own here, except in tests of rate limits. */
let addresses = 0
const stranger = () => {
  addresses += 1
  return browser(app, `10.4.${addresses >> 8}.${addresses & 255}`)
}
const register = (json: unknown) => stranger().call('/api/auth/register', { json })
const login = (json: unknown) => stranger().call('/api/auth/login', { json })

describe('registration', () => {
  test('creates a member, signs in and returns 201', async () => {
    const ana = stranger()
    const json = { email: 'Ana@Example.com', password, firstName: ' A\u001bna\u202e ', lastName: '\u0007' }
    const response = await ana.call('/api/auth/register', { json })
    expect(response.status).toBe(201)
    const { success, message, user } = await response.json()
    expect(success).toBe(true)
    expect(message).toMatch(/account/)
    expect(user).toEqual({
      id: expect.any(String),
      email: 'ana@example.com',
      firstName: 'Ana',
      lastName: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      oauthProvider: null,
    })
    expect(await ana.json('/api/auth/user')).toEqual(user)
  })

  test('stores the password only as an argon2id hash', async () => {
    hashAtStatedCost()
    onTestFinished(hashAtLeastCost)
    await register({ email: 'hash@example.com', password })
    const [row] = await db.select().from(users).where(eq(users.email, 'hash@example.com'))
    expect(row?.password).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    const dump = await db.execute(sql`select string_agg(users::text, '') as rows from users`)
    expect(JSON.stringify(dump)).not.toContain(password)
  })

  test('returns 409 for a known email in any letter case, and changes nothing', async () => {
    await register({ email: 'known@example.com', password })
    for (const email of ['known@example.com', 'KNOWN@example.com', 'Known@Example.COM']) {
      const again = stranger()
      const response = await again.call('/api/auth/register', {
        json: { email, password: 'another password', firstName: 'Eve' },
      })
      expect(response.status).toBe(409)
      expect(await response.json()).toMatchObject({ success: false, code: 'already_exists' })
      expect(await again.json('/api/auth/user')).toBeNull()
    }
    expect((await login({ email: 'known@example.com', password })).status).toBe(200)
    expect((await login({ email: 'known@example.com', password: 'another password' })).status).toBe(401)
  })

  test('creates one member from three concurrent requests', async () => {
    const json = { email: 'twice@example.com', password }
    const answers = await Promise.all([register(json), register(json), register(json)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test.each([
    ['a short password', { email: 'x@example.com', password: '12345' }, 'password'],
    ['an empty password', { email: 'x@example.com', password: '' }, 'password'],
    ['no password', { email: 'x@example.com' }, 'password'],
    ['an email without an @', { email: 'nobody', password }, 'email'],
    ['no email', { password }, 'email'],
    ['a very long email', { email: `${'x'.repeat(250)}@example.com`, password }, 'email'],
    ['a very long password', { email: 'x@example.com', password: 'x'.repeat(1_025) }, 'password'],
    ['a password of too many bytes', { email: 'x@example.com', password: 'é'.repeat(600) }, 'password'],
    ['a very long first name', { email: 'x@example.com', password, firstName: 'x'.repeat(81) }, 'firstName'],
    ['a last name that is a number', { email: 'x@example.com', password, lastName: 5 }, 'lastName'],
  ])('rejects %s', async (_, json, field) => {
    const response = await register(json)
    expect(response.status).toBe(422)
    expect((await response.json()).fields).toEqual([{ path: field, message: expect.any(String) }])
    expect(await db.select().from(users).where(eq(users.email, 'x@example.com'))).toEqual([])
  })

  test('accepts an uncommon password of six characters and one of 1,024 bytes', async () => {
    expect((await register({ email: 'six@example.com', password: 'qzvjxk' })).status).toBe(201)
    const long = 'x'.repeat(1_024)
    expect((await register({ email: 'long@example.com', password: long })).status).toBe(201)
    expect((await login({ email: 'long@example.com', password: long })).status).toBe(200)
    expect((await login({ email: 'long@example.com', password: long.slice(1) })).status).toBe(401)
  })

  test('rejects a common password in any letter case, and says that it is common', async () => {
    for (const common of ['123456', 'password', 'PassWord', 'QWERTY', 'iloveyou', 'dragon']) {
      const response = await register({ email: 'common@example.com', password: common })
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({
        fields: [{ path: 'password', message: expect.stringContaining('common') }],
      })
    }
  })

  test('is rate-limited to ten per address and hour', async () => {
    const before = await windowsOf('register:')
    const from = browser(app, '10.4.200.1')
    const statuses = []
    for (let at = 0; at < 14; at += 1) {
      statuses.push(
        (await from.call('/api/auth/register', { json: { email: `many${at}@example.com`, password } }))
          .status,
      )
    }
    const windows = (await windowsOf('register:')) - before
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(10 * Math.max(1, windows))
    expect(statuses).toContain(429)
    expect(
      (await stranger().call('/api/auth/register', { json: { email: 'other@example.com', password } }))
        .status,
    ).toBe(201)
  })
})

describe('sign-in', () => {
  test('returns 200, a greeting and the member', async () => {
    await register({ email: 'bea@example.com', password, firstName: 'Bea' })
    const bea = stranger()
    const response = await bea.call('/api/auth/login', {
      json: { email: ' BEA@example.com'.trim(), password },
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      success: true,
      message: 'Successfully logged in! Enjoy unlimited stories.',
      user: expect.objectContaining({ email: 'bea@example.com', firstName: 'Bea' }),
    })
    expect(await bea.json('/api/auth/user')).toMatchObject({ email: 'bea@example.com' })
  })

  test('gives the same response for an unknown email and a wrong password', async () => {
    await register({ email: 'cal@example.com', password })
    await register({ email: 'social@example.com', password })
    await db.update(users).set({ password: null }).where(eq(users.email, 'social@example.com'))
    const answers = await Promise.all(
      ['cal@example.com', 'nobody@example.com', 'social@example.com'].map(async (email) => {
        const response = await login({ email, password: 'not this one' })
        const { requestId, ...body } = await response.json()
        const headers = Object.fromEntries(response.headers)
        return { status: response.status, body, headers: { ...headers, 'x-request-id': '' } }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 401, body: { success: false, code: 'wrong_credentials' } })
    expect(answers[0]?.headers).not.toHaveProperty('set-cookie')
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  test('rejects a password with a different letter case or an extra space', async () => {
    await register({ email: 'dot@example.com', password })
    for (const wrong of [
      password.toUpperCase(),
      ` ${password}`,
      `${password} `,
      normalizeText(password, 'NFKD').slice(1),
    ]) {
      expect((await login({ email: 'dot@example.com', password: wrong })).status).toBe(401)
    }
  })

  test('records each success with its method and a hash of the address', async () => {
    await register({ email: 'eve@example.com', password })
    await login({ email: 'eve@example.com', password })
    await login({ email: 'eve@example.com', password: 'not this one' })
    const events = await db
      .select({ method: loginEvents.method, ipHash: loginEvents.ipHash })
      .from(loginEvents)
      .innerJoin(users, eq(users.id, loginEvents.userId))
      .where(eq(users.email, 'eve@example.com'))
      .orderBy(loginEvents.timestamp)
    expect(events.map(({ method }) => method)).toEqual(['register', 'password'])
    for (const { ipHash } of events) expect(ipHash).toMatch(/^[\w-]{43}$/)
  })

  test('opens a new session for each device', async () => {
    const { user } = await (await register({ email: 'fay@example.com', password })).json()
    for (let device = 0; device < 3; device += 1) await login({ email: 'fay@example.com', password })
    expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toHaveLength(4)
  })
})

/** The number of windows with counters of a kind: a test may run past the end of one. */
async function windowsOf(prefix: string): Promise<number> {
  const [row] = await db.execute<{ windows: number }>(
    sql`select count(distinct window_start)::int as windows from throttles where key like ${`${prefix}%`}`,
  )
  return row?.windows ?? 0
}

describe('password guessing', () => {
  const other = createApp(services)
  const guess = async (at: number, from: string, email: string) => {
    const response = await browser(at % 2 ? app : other, from).call('/api/auth/login', {
      json: { email, password: `guess number ${at}` },
    })
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  const many = async (count: number, guessed: (at: number) => ReturnType<typeof guess>) => {
    const answers: Awaited<ReturnType<typeof guess>>[] = []
    for (let at = 0; at < count; at += 50) {
      answers.push(...(await Promise.all(Array.from({ length: 50 }, (_, each) => guessed(at + each)))))
    }
    return answers
  }
  /** The number of windows used; each allows the limit again. */
  const spanned = async (key: string) =>
    Math.max(1, (await db.select().from(throttles).where(sql`key like ${key}`)).length)

  test('is limited to 5 tries per account and address, even over two servers', async () => {
    await register({ email: 'goal@example.com', password })
    await db.delete(throttles)
    const answers = await many(1_000, (at) => guess(at, '10.5.0.1', 'goal@example.com'))
    const tried = answers.filter(({ status }) => status === 401)
    expect(tried.length).toBeGreaterThanOrEqual(5)
    expect(tried.length).toBeLessThanOrEqual(5 * (await spanned('signin:%:%')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBe(1_000 - tried.length)
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeWithin(1, 15 * 60 + 1)
    // The right password gets the same response.
    const right = await browser(app, '10.5.0.1').call('/api/auth/login', {
      json: { email: 'goal@example.com', password },
    })
    expect(right.status).toBe(429)
  })

  test('is limited to 10 tries per account from many addresses, then one after each wait', async () => {
    await db.delete(throttles)
    const answers = await many(200, (at) => guess(at, `10.6.0.${at}`, 'goal@example.com'))
    const tried = answers.filter(({ status }) => status === 401).length
    expect(tried).toBeGreaterThanOrEqual(10)
    // While this runs, one more attempt is accepted after 2 seconds, then after 4, then after 8.
    expect(tried).toBeLessThanOrEqual(15 * (await spanned('signin:account:%')))
    for (const { status, retryAfter } of answers)
      if (status === 429) expect(Number(retryAfter)).toBeWithin(1, 61)
  })

  test('is limited to 25 tries per address over many accounts in five minutes', async () => {
    await db.delete(throttles)
    const answers = await many(200, (at) => guess(at, '10.7.0.1', `someone${at}@example.com`))
    const tried = answers.filter(({ status }) => status === 401).length
    expect(tried).toBeGreaterThanOrEqual(25)
    expect(tried).toBeLessThanOrEqual(
      25 * Math.max(1, (await db.execute(sql`select 1 from throttles where key ~ '^signin:[^:]+$'`)).length),
    )
  })

  test('does not lock other members out', async () => {
    await register({ email: 'aside@example.com', password })
    expect((await login({ email: 'aside@example.com', password })).status).toBe(200)
  })
})

test('/api/auth/user returns the signed-in member, or null for a visitor', async () => {
  const response = await stranger().call('/api/auth/user')
  expect(response.status).toBe(200)
  expect(await response.json()).toBeNull()
  const ana = await memberBrowser(app, 'gil@example.com', '10.4.250.1')
  expect(Object.keys(await ana.json('/api/auth/user')).sort()).toEqual([
    'createdAt',
    'email',
    'firstName',
    'id',
    'lastName',
    'oauthProvider',
  ])
})

test.each(['google', 'apple', 'facebook'])(
  'signing in with %s returns 422 when it is not configured',
  async (provider) => {
    const response = await stranger().call(`/api/auth/${provider}`)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ success: false, code: 'not_configured' })
  },
)
