import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { sessions, users } from '#db/schema'
import { endAccess } from '#src/member/data/access'
import { toneMp3 } from '#src/narration/testing'
import { sha256 } from '#src/security/keyed-hash'
import { findSession, pruneSessions } from '#src/session/session'
import {
  type Browser,
  browser,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
let members = 0
/** A new member with a new address, since one address may create only a few. */
const member = () => {
  members += 1
  return memberBrowser(app, `member${members}@example.com`, `10.3.0.${members}`)
}

const tokenOf = ({ jar }: Browser, name = 'nocturne_session') => jar.get(name) ?? ''
const rowOf = async (token: string) =>
  (
    await db
      .select()
      .from(sessions)
      .where(eq(sessions.sid, sha256(token)))
  )[0] ?? null
const isSignedIn = async (who: Browser) => (await who.json('/api/auth/user')) !== null

/** Moves a session into the past, as if that much time had passed. */
async function letPass(token: string, interval: string): Promise<void> {
  await db.execute(sql`
    update sessions set expire = expire - ${interval}::interval, last_seen_at = last_seen_at - ${interval}::interval,
      sess = jsonb_set(sess, '{startedAt}', to_jsonb(((sess->>'startedAt')::timestamptz - ${interval}::interval)::text))
    where sid = ${sha256(token)}`)
}

test('the database stores only the hash of a session token', async () => {
  const ana = await member()
  const token = tokenOf(ana)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(await rowOf(token)).toMatchObject({ kind: 'member', sid: sha256(token) })
  const dump = await db.execute(sql`select string_agg(sessions::text, '') as rows from sessions`)
  expect(JSON.stringify(dump)).not.toContain(token)
})

test('no two sessions have the same token', async () => {
  const ana = await member()
  const before = tokenOf(ana)
  const ben = await member()
  expect(tokenOf(ben)).not.toBe(before)
})

test('signing in again ends the browser’s previous session', async () => {
  const ana = await member()
  const before = tokenOf(ana)
  const email = (await ana.json('/api/auth/user')).email
  const again = await ana.call('/api/auth/login', { json: { email, password: memberPassword } })
  expect(again.status).toBe(200)
  expect(tokenOf(ana)).not.toBe(before)
  expect(await rowOf(before)).toBeNull()
  expect(await isSignedIn(ana)).toBe(true)
})

test('registering replaces a session token that an attacker planted', async () => {
  const planted = 'A'.repeat(43)
  const victim = browser(app, '10.3.1.1')
  victim.jar.set('nocturne_session', planted)
  const json = { email: 'victim@example.com', password: memberPassword }
  expect((await victim.call('/api/auth/register', { json })).status).toBe(201)
  expect(tokenOf(victim)).not.toBe(planted)
  expect(await rowOf(planted)).toBeNull()
})

test('signing out ends the session for every copy of the cookie', async () => {
  const ana = await member()
  const copy = browser(app)
  copy.jar.set('nocturne_session', tokenOf(ana))
  expect(await isSignedIn(copy)).toBe(true)
  const response = await ana.call('/api/auth/logout', { method: 'POST' })
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^nocturne_session=;.*Max-Age=0/)])
  expect(await isSignedIn(ana)).toBe(false)
  expect(await isSignedIn(copy)).toBe(false)
  expect((await copy.call('/api/content-favorites')).status).toBe(401)
})

test('signing out revokes access to audio that was played a moment before', async () => {
  const { id } = await publishTestItem(services)
  const operator = await operatorBrowser(app)
  const form = new FormData()
  form.set('audioFile', new File([await toneMp3(1)], 'lamp.mp3'))
  expect((await operator.call(`/api/premium-content/${id}/upload-audio`, { body: form })).status).toBe(200)
  const ana = await member()
  const copy = browser(app)
  copy.jar.set('nocturne_session', tokenOf(ana))
  const play = (who: Browser) => who.call(`/api/premium-audio/${id}/female`)
  expect([(await play(ana)).status, (await play(ana)).status, (await play(copy)).status]).toEqual([
    200, 200, 200,
  ])
  await ana.call('/api/auth/logout', { method: 'POST' })
  expect((await play(copy)).status).toBe(403)
})

test('signing out twice or without a session succeeds', async () => {
  expect((await browser(app).call('/api/auth/logout', { method: 'POST' })).status).toBe(200)
  const ana = await member()
  await ana.call('/api/auth/logout', { method: 'POST' })
  expect((await ana.call('/api/auth/logout', { method: 'POST' })).status).toBe(200)
})

test('a member who comes back within 30 days stays signed in, each time', async () => {
  const ana = await member()
  for (let visit = 0; visit < 3; visit += 1) {
    await letPass(tokenOf(ana), '29 days 23 hours')
    expect(await isSignedIn(ana)).toBe(true)
  }
})

test('the cookie expires with the session in the database, and is not renewed by every request', async () => {
  const ana = await member()
  await letPass(tokenOf(ana), '10 days')
  const response = await ana.call('/api/auth/user')
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toStartWith(`nocturne_session=${tokenOf(ana)};`)
  expect(cookie).toContain(`Max-Age=${30 * 24 * 3_600}`)
  const left = await db.execute<{ days: number }>(
    sql`select extract(epoch from expire - now()) / 86400 as days from sessions where sid = ${sha256(tokenOf(ana))}`,
  )
  expect(Number(left[0]?.days)).toBeCloseTo(30, 2)
  // The session is not extended by every request.
  expect((await ana.call('/api/auth/user')).headers.getSetCookie()).toEqual([])
})

test('a member who stays away for 30 days is signed out', async () => {
  const ana = await member()
  await letPass(tokenOf(ana), '30 days 1 second')
  expect(await isSignedIn(ana)).toBe(false)
  expect((await ana.call('/api/content-favorites')).status).toBe(401)
})

test('signing out deletes the cookie even if the same request would have extended it', async () => {
  const ana = await member()
  await letPass(tokenOf(ana), '1 day')
  const response = await ana.call('/api/auth/logout', { method: 'POST' })
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^nocturne_session=;.*Max-Age=0/)])
})

test('an operator is signed out after half an hour without a request', async () => {
  const operator = await operatorBrowser(app)
  await letPass(tokenOf(operator, 'nocturne_operator'), '29 minutes')
  expect((await operator.call('/api/imports')).status).toBe(200)
  await letPass(tokenOf(operator, 'nocturne_operator'), '29 minutes')
  expect((await operator.call('/api/imports')).status).toBe(200)
  await letPass(tokenOf(operator, 'nocturne_operator'), '30 minutes 1 second')
  expect((await operator.call('/api/imports')).status).toBe(401)
  expect(await operator.json('/api/admin/status')).toEqual({ isAdmin: false })
})

test('an operator is signed out after eight hours, however busy', async () => {
  const operator = await operatorBrowser(app)
  const token = tokenOf(operator, 'nocturne_operator')
  for (let quarter = 0; quarter < 32; quarter += 1) {
    expect((await operator.call('/api/imports')).status).toBe(200)
    await letPass(token, '15 minutes')
  }
  expect((await operator.call('/api/imports')).status).toBe(401)
})

test('member and operator session tokens are not interchangeable', async () => {
  const ana = await member()
  const operator = await operatorBrowser(app)
  const swapped = browser(app)
  swapped.jar.set('nocturne_operator', tokenOf(ana))
  swapped.jar.set('nocturne_session', tokenOf(operator, 'nocturne_operator'))
  expect(await swapped.json('/api/admin/status')).toEqual({ isAdmin: false })
  expect(await isSignedIn(swapped)).toBe(false)
})

test('a forged or altered token signs nobody in', async () => {
  const ana = await member()
  const row = await rowOf(tokenOf(ana))
  for (const value of [
    '',
    ' ',
    row?.sid ?? '',
    `${tokenOf(ana)}x`,
    tokenOf(ana).slice(1),
    tokenOf(ana).toUpperCase(),
    "' or 1=1 --",
    'x'.repeat(5_000),
    '%00',
  ]) {
    const stranger = browser(app)
    stranger.jar.set('nocturne_session', value)
    expect(await isSignedIn(stranger)).toBe(false)
  }
})

test('a suspended member is signed out at once, and can sign in when the suspension ends', async () => {
  const ana = await member()
  const { id, email } = await ana.json('/api/auth/user')
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, id))
  expect(await isSignedIn(ana)).toBe(false)
  const login = () => browser(app).call('/api/auth/login', { json: { email, password: memberPassword } })
  expect((await login()).status).toBe(403)
  await db.update(users).set({ suspendedAt: null }).where(eq(users.id, id))
  expect((await login()).status).toBe(200)
})

test('deleting a member ends their session', async () => {
  const ana = await member()
  const { id } = ana
  await db.delete(users).where(eq(users.id, id))
  expect(await isSignedIn(ana)).toBe(false)
  expect(await rowOf(tokenOf(ana))).toBeNull()
})

test('ending a member’s other sessions keeps the current one and those of other members', async () => {
  const ana = await member()
  const ben = await member()
  const { id, email } = await ana.json('/api/auth/user')
  const phone = browser(app, '10.3.2.1')
  await phone.call('/api/auth/login', { json: { email, password: memberPassword } })
  expect(await isSignedIn(phone)).toBe(true)
  const here = { sid: sha256(tokenOf(ana)), deviceToken: null }
  await db.transaction((tx) => endAccess(tx, id, 'sign-out', here))
  expect(await isSignedIn(ana)).toBe(true)
  expect(await isSignedIn(phone)).toBe(false)
  expect(await isSignedIn(ben)).toBe(true)
  await db.transaction((tx) => endAccess(tx, id, 'sign-out'))
  expect(await isSignedIn(ana)).toBe(false)
})

test('pruning removes expired sessions only', async () => {
  const ana = await member()
  const gone = await member()
  await letPass(tokenOf(gone), '31 days')
  await pruneSessions(db)
  expect(await rowOf(tokenOf(gone))).toBeNull()
  expect(await findSession(db, 'member', tokenOf(ana))).not.toBeNull()
})

test('a session stores the user agent, cut to 300 characters, and the address only as a hash', async () => {
  const phone = browser(app, '203.0.113.77')
  const json = { email: 'phone@example.com', password: memberPassword }
  await phone.call('/api/auth/register', { json, headers: { 'user-agent': `Phone ${'x'.repeat(1_000)}` } })
  const row = await rowOf(tokenOf(phone))
  expect(row?.sess.userAgent).toStartWith('Phone x')
  expect(row?.sess.userAgent.length).toBe(300)
  expect(JSON.stringify(row)).not.toContain('203.0.113.77')
  expect(row?.sess.addressHash).toMatch(/^[\w-]{43}$/)
})
