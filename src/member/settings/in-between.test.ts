import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { sessions, users } from '#db/schema'
import { checkSignIn, type Device, startMemberSession } from '#src/member/sign-in/sign-in'
import { browser, memberBrowser, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { deleteOwnAccount } from './account'

/** Hashing takes time: when it is done, what the password was verified for may have changed. */
const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
const device: Device = { userAgent: 'A test', addressHash: 'somewhere', token: null }

const signIn = (email: string, word: string) =>
  browser(app, '10.42.1.1').call('/api/auth/login', { json: { email, password: word } })

test('only one of two concurrent password changes succeeds, and the other session ends', async () => {
  const owner = await memberBrowser(app, 'two@example.com', '10.42.0.1')
  const other = browser(app, '10.42.0.2')
  await other.call('/api/auth/login', { json: { email: 'two@example.com', password } })
  const words = ['the first of two', 'the other of two'] as const
  const statuses = await Promise.all(
    [owner, other].map(
      async (who, at) =>
        (
          await who.call('/api/user/password', {
            json: { currentPassword: password, newPassword: words[at] },
          })
        ).status,
    ),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const won = statuses.indexOf(200)
  expect([
    (await signIn('two@example.com', words[won] ?? '')).status,
    (await signIn('two@example.com', words[1 - won] ?? '')).status,
  ]).toEqual([200, 401])
  expect(await [owner, other][1 - won]?.json('/api/auth/user')).toBeNull()
})

test.each([
  ['was changed', { password: 'another hash' }],
  ['belongs to a member who was suspended', { suspendedAt: new Date() }],
])('a password that %s during its verification opens no session', async (_, change) => {
  const email = `${crypto.randomUUID()}@example.com`
  const { id } = await memberBrowser(app, email, '10.42.0.3')
  const verified = await checkSignIn(db, { email, password }, device)
  const before = await db.$count(sessions, eq(sessions.userId, id))
  await db.update(users).set(change).where(eq(users.id, id))
  expect(await rejectionOf(startMemberSession(db, verified, device, 'password'))).toMatchObject({
    code: 'wrong_credentials',
  })
  expect(await db.$count(sessions, eq(sessions.userId, id))).toBe(before)
})

test('a session that ended meanwhile cannot delete the account', async () => {
  const { id } = await memberBrowser(app, 'stays@example.com', '10.42.0.4')
  await db.execute(sql`delete from sessions where user_id = ${id}`)
  const gone = deleteOwnAccount(services, { id, sid: 'ended' }, { password })
  expect(await rejectionOf(gone)).toMatchObject({ code: 'sign_in_required' })
  expect(await db.$count(users, eq(users.id, id))).toBe(1)
})
