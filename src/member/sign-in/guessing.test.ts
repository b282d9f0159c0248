import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { rememberedDevices, throttles } from '#db/schema'
import { requirePassword } from '#src/member/settings/account'
import { createApp } from '#src/server/app'
import { browser, memberBrowser, operatorToken, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const other = createApp(services)
const { db } = services
const password = 'lanterns on the water'

const signIn = (who: ReturnType<typeof browser>, email: string, typed = password) =>
  who.call('/api/auth/login', { json: { email, password: typed } })
/** Guesses a password from any address, at one of two servers on one database. */
const guess = (at: number, from: string, email: string) =>
  signIn(browser(at % 2 ? app : other, from), email, `guess number ${at}`)
const logIn = (from: string, token: string, at: number) =>
  browser(at % 2 ? app : other, from).call('/api/admin/login', { json: { token } })
const letPass = (seconds: number) =>
  db.execute(sql`update throttles set taken_at = taken_at - make_interval(secs => ${seconds})`)

/** Delays shorten only by `letPass`: the time that a guess takes on a busy machine is compensated. */
async function whileTimeStands<T>(work: () => Promise<T>): Promise<T> {
  const [before] = await db.execute<{ at: string }>(sql`select now()::text as at`)
  const done = await work()
  await db.execute(sql`
    update throttles set taken_at = case
      when taken_at >= ${before?.at}::timestamptz then now() else taken_at + (now() - ${before?.at}::timestamptz) end`)
  return done
}

/**
 * Sends twenty-five wrong passwords for an account, from as many addresses: above every limit except that of a device.
 * The count is then raised, so that the next attempt has to wait for a minute: within a shorter delay of two seconds a
 * busy machine completes nothing.
 */
async function besiege(email: string): Promise<void> {
  await Promise.all(Array.from({ length: 25 }, (_, at) => guess(at, `10.31.0.${at}`, email)))
  await db.execute(
    sql`update throttles set count = count + 10, taken_at = now() where key like 'signin:account:%'`,
  )
}

beforeEach(async () => {
  await db.delete(throttles)
})

test('known devices and operators sign in 100 times of 100 during a thousand guesses', async () => {
  const owner = await memberBrowser(app, 'owner@example.com', '10.30.0.1')
  const seen = { owner: 0, operator: 0, verified: 0, tokens: 0 }
  for (let round = 0; round < 100; round += 1) {
    // The guesses come from the owner's address, from the operator's own, and from everywhere else.
    const from = round % 3 === 0 ? '10.30.0.1' : round % 3 === 1 ? '10.30.0.2' : `10.30.1.${round}`
    const guesses = Array.from({ length: 10 }, async (_, each) => {
      const at = round * 10 + each
      const { status } = await (each < 7 ? guess(at, from, 'owner@example.com') : logIn(from, `no ${at}`, at))
      if (status === 401) seen[each < 7 ? 'verified' : 'tokens'] += 1
    })
    const [member, operator] = await Promise.all([
      signIn(owner, 'owner@example.com'),
      logIn('10.30.0.2', operatorToken, round),
      ...guesses,
    ])
    if (member.status === 200) seen.owner += 1
    if (operator.status === 200) seen.operator += 1
  }
  expect(seen).toMatchObject({ owner: 100, operator: 100 })
  // At most about 25 passwords are checked in an hour. Every address has five attempts at the operator's token, too few
  // to guess it.
  expect(seen.verified).toBeWithin(10, 26)
  expect(seen.tokens).toBeWithin(5, 301)
})

describe('sign-in from a new device during an attack', () => {
  test('waits a minute at most and then succeeds', async () => {
    await memberBrowser(app, 'far@example.com', '10.32.0.1')
    await besiege('far@example.com')
    const traveller = browser(app, '10.32.3.1')
    const refused = await signIn(traveller, 'far@example.com')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect((await refused.json()).message).toMatch(/device you used before.*passkey.*Forgotten password/)
    const page = await traveller.call('/sign-in', { form: { email: 'far@example.com', password, next: '/' } })
    expect(page.status).toBe(429)
    // The page states the same delay, shorter by the time that has passed.
    expect(Number(page.headers.get('retry-after'))).toBeWithin(
      1,
      Number(refused.headers.get('retry-after')) + 1,
    )
    expect(await page.text()).toContain('on a device you used before, with a passkey')
    await letPass(60)
    expect((await signIn(traveller, 'far@example.com')).status).toBe(200)
  })

  test('is not delayed further by trying too early', async () => {
    await memberBrowser(app, 'early@example.com', '10.33.0.1')
    await besiege('early@example.com')
    const traveller = browser(app, '10.33.0.2')
    for (let time = 0; time < 40; time += 1)
      expect((await signIn(traveller, 'early@example.com')).status).toBe(429)
    await letPass(60)
    expect((await signIn(traveller, 'early@example.com')).status).toBe(200)
  })

  test('gets the same answers for unknown and known accounts', async () => {
    await memberBrowser(app, 'known@example.com', '10.34.0.1')
    const answerTo = async (email: string, at: number) => {
      const response = await whileTimeStands(() => guess(at, `10.34.${email.length}.${at >> 2}`, email))
      const { requestId: _, ...body } = await response.json()
      const headers = { ...Object.fromEntries(response.headers), 'x-request-id': '', 'retry-after': '' }
      return { status: response.status, body, headers }
    }
    const known = []
    const unknown = []
    for (let at = 0; at < 30; at += 1) {
      known.push(await answerTo('known@example.com', at))
      unknown.push(await answerTo('nobody@example.com', at))
      if (at % 3 === 0) await letPass(5)
    }
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect(unknown).toEqual(known)
  })
})

describe('remembered device', () => {
  test('is exempt from an attack’s delay only for its own account', async () => {
    const ana = await memberBrowser(app, 'ana@example.com', '10.35.0.1')
    await memberBrowser(app, 'bea@example.com', '10.35.0.2')
    await besiege('bea@example.com')
    expect((await signIn(ana, 'bea@example.com')).status).toBe(429)
    expect((await signIn(ana, 'ana@example.com')).status).toBe(200)
  })

  test('is remembered for every member who signed in on it', async () => {
    const shared = await memberBrowser(app, 'cal@example.com', '10.36.0.1')
    await memberBrowser(app, 'dot@example.com', '10.36.0.2')
    expect((await signIn(shared, 'dot@example.com')).status).toBe(200)
    await besiege('cal@example.com')
    await besiege('dot@example.com')
    for (const email of ['cal@example.com', 'dot@example.com', 'cal@example.com'])
      expect((await signIn(shared, email)).status).toBe(200)
  })

  test('is rate-limited after five wrong passwords of its own', async () => {
    const eve = await memberBrowser(app, 'eve@example.com', '10.37.0.1')
    const statuses = []
    for (let time = 0; time < 7; time += 1)
      statuses.push((await signIn(eve, 'eve@example.com', `wrong ${time}`)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  test('is forgotten with the account and by a password change, except where it was made', async () => {
    const jo = await memberBrowser(app, 'jo@example.com', '10.42.0.1')
    const phone = browser(app, '10.42.0.2')
    expect((await signIn(phone, 'jo@example.com')).status).toBe(200)
    const { id } = jo
    const newPassword = 'a boat upon the lake'
    const changed = await jo.call('/api/user/password', { json: { currentPassword: password, newPassword } })
    expect(changed.status).toBe(200)
    await besiege('jo@example.com')
    expect((await signIn(phone, 'jo@example.com', newPassword)).status).toBe(429)
    expect((await signIn(jo, 'jo@example.com', newPassword)).status).toBe(200)
    await jo.call('/api/user', { method: 'DELETE', json: { password: newPassword } })
    expect(await db.$count(rememberedDevices, eq(rememberedDevices.userId, id))).toBe(0)
  })

  test('is dropped when twenty others were used more recently', async () => {
    const first = await memberBrowser(app, 'kim@example.com', '10.43.0.1')
    const { id } = first
    const second = browser(app, '10.43.0.2')
    await signIn(second, 'kim@example.com')
    for (let at = 0; at < 18; at += 1) await signIn(browser(app, `10.43.1.${at}`), 'kim@example.com')
    await signIn(first, 'kim@example.com')
    await signIn(browser(app, '10.43.0.3'), 'kim@example.com')
    expect(await db.$count(rememberedDevices, eq(rememberedDevices.userId, id))).toBe(20)
    await besiege('kim@example.com')
    expect((await signIn(first, 'kim@example.com')).status).toBe(200)
    expect((await signIn(second, 'kim@example.com')).status).toBe(429)
  })

  test('is not recognised by a forged cookie or one copied before the last sign-in', async () => {
    const fay = await memberBrowser(app, 'fay@example.com', '10.38.0.1')
    const copy = browser(app, '10.38.0.2')
    copy.jar.set('nocturne_device', fay.jar.get('nocturne_device') ?? '')
    const forger = browser(app, '10.38.0.3')
    forger.jar.set('nocturne_device', 'x'.repeat(43))
    expect((await signIn(fay, 'fay@example.com')).status).toBe(200)
    await besiege('fay@example.com')
    expect((await signIn(copy, 'fay@example.com')).status).toBe(429)
    expect((await signIn(forger, 'fay@example.com')).status).toBe(429)
    expect((await signIn(fay, 'fay@example.com')).status).toBe(200)
  })
})

describe('correct password', () => {
  test('is accepted for thirty sign-ins in a row, each from a new device', async () => {
    await memberBrowser(app, 'gil@example.com', '10.39.0.1')
    for (let time = 0; time < 30; time += 1)
      expect((await signIn(browser(app, '10.39.0.2'), 'gil@example.com')).status).toBe(200)
  })

  test('is accepted twelve times in Settings without counting as a guess', async () => {
    const hal = await memberBrowser(app, 'hal@example.com', '10.40.0.1')
    const { id } = hal
    for (let time = 0; time < 12; time += 1) await requirePassword(db, id, password, 'password')
    const codes = []
    for (let time = 0; time < 12; time += 1)
      codes.push(await requirePassword(db, id, `wrong ${time}`, 'password').catch(({ code }) => code))
    expect(codes).toEqual([...Array(10).fill('invalid'), 'throttled', 'throttled'])
  })
})

test('every caller of isPassword rate-limits guesses', async () => {
  const root = join(import.meta.dir, '../../..')
  const files = (await Array.fromAsync(new Bun.Glob('src/**/*.{ts,tsx}').scan(root))).filter(
    (file) => !file.includes('.test.') && file !== 'src/member/sign-in/password.ts',
  )
  const texts = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()))
  const looking = texts.filter((text) => text.includes('isPassword('))
  expect(looking).toHaveLength(3)
  expect(looking.filter((text) => !text.includes('rateLimitGuess('))).toEqual([])
})

test('IPv6 addresses of one /64 share a rate limit', async () => {
  await memberBrowser(app, 'ida@example.com', '10.41.0.1')
  const statuses = []
  for (let at = 0; at < 8; at += 1)
    statuses.push((await guess(at, `2001:db8:0:1:${at}::${at}`, 'ida@example.com')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  expect((await guess(9, '2001:db8:0:2::1', 'ida@example.com')).status).toBe(401)
})
