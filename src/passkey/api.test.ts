import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { identities, loginEvents, passkeys, sessions, signInAttempts, users } from '#db/schema'
import { commitMeanwhile } from '#src/library/testing'
import { suspendMember } from '#src/member/console/suspend'
import { endAccess } from '#src/member/data/access'
import { type Browser, browser, markupOf, memberBrowser, testApp } from '#src/testing/app'
import { passkeysMax } from './rules'
import { testAuthenticator } from './testing'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
let people = 0

async function newMember() {
  people += 1
  const who = await memberBrowser(app, `key${people}@example.com`, `10.30.0.${people}`)
  const { id } = who
  return { who, id }
}

async function challengeFor(who: Browser, path: string, json: object = {}): Promise<string> {
  const options = await who.json(path, { json })
  expect(options.challenge).toBeString()
  return options.challenge
}

const toAdd = (who: Browser) => challengeFor(who, '/api/user/passkeys/options')
const toEnter = (who: Browser) => challengeFor(who, '/api/auth/passkey/options')

/** Creates a member with a passkey on a device. */
async function withPasskey(name = 'My phone') {
  const member = await newMember()
  const device = testAuthenticator()
  const credential = device.register(await toAdd(member.who))
  const added = await member.who.call('/api/user/passkeys', { json: { name, credential } })
  expect(added.status).toBe(201)
  return { ...member, device, passkeyId: (await added.json()).id as string }
}

const visitor = () => browser(app, `10.31.0.${people % 250}`)
/** Whether the browser is signed out. */
const isOut = async (who: Browser) => (await who.json('/api/auth/user')) === null

describe('passkey', () => {
  test('is added by a member and signs in without a typed email', async () => {
    const { id, device } = await withPasskey()
    const who = visitor()
    const answer = await who.call('/api/auth/passkey', { json: device.answer(await toEnter(who)) })
    expect(answer.status).toBe(200)
    expect((await answer.json()).user.id).toBe(id)
    expect((await who.json('/api/auth/user')).id).toBe(id)
    expect(who.jar.has('nocturne_device')).toBe(true)
    const [event] = await db.select().from(loginEvents).where(eq(loginEvents.method, 'passkey'))
    expect(event?.userId).toBe(id)
    const [row] = await db.select().from(passkeys).where(eq(passkeys.userId, id))
    expect(row).toMatchObject({ name: 'My phone', counter: 1, transports: ['internal'] })
    expect(row?.lastUsedAt).toBeInstanceOf(Date)
  })

  test('requires user verification, and its options reveal no credentials', async () => {
    const { who } = await newMember()
    const adding = await who.json('/api/user/passkeys/options', { json: {} })
    expect(adding).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const entering = await visitor().json('/api/auth/passkey/options', { json: {} })
    expect(entering).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(entering.allowCredentials ?? []).toEqual([])
  })

  test('is listed, named after the device by default, and can be removed', async () => {
    const { who, passkeyId } = await withPasskey('')
    const [key] = (await who.json('/api/user/ways-in')).passkeys
    expect(key).toMatchObject({ id: passkeyId, lastUsedAt: null })
    expect(key.name).toMatch(/\S/)
    expect(await markupOf(await who.call('/settings'))).toContain(`aria-label="Remove ${key.name}"`)
    const removed = await who.call('/settings/remove-passkey', { form: { id: passkeyId } })
    expect(removed.headers.get('location')).toBe('/settings?said=removed')
    const again = await who.call(`/api/user/passkeys/${passkeyId}`, { method: 'DELETE', json: {} })
    expect(again.status).toBe(404)
  })

  test('is removed long after the sign-in only with the password', async () => {
    const { who, id, passkeyId } = await withPasskey()
    await db.execute(
      sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}' where user_id = ${id}::uuid`,
    )
    const path = `/api/user/passkeys/${passkeyId}`
    for (const json of [undefined, {}, { password: 'not this one' }]) {
      const refused = await who.call(path, { method: 'DELETE', json })
      expect(refused.status).toBe(422)
      expect((await refused.json()).fields).toMatchObject([{ path: 'password' }])
    }
    const page = await markupOf(await who.call('/settings/remove-passkey', { form: { id: passkeyId } }))
    expect(page).toContain('Type your password again to remove a way to sign in.')
    expect(page.match(/name="password"/g)).toHaveLength(1)
    expect((await who.json('/api/user/ways-in')).passkeys).toHaveLength(1)
    expect((await who.call(path, { method: 'DELETE', json: { password } })).status).toBe(200)
  })

  test('cannot be removed by another member', async () => {
    const ana = await withPasskey()
    const { who: ben } = await newMember()
    const answer = await ben.call(`/api/user/passkeys/${ana.passkeyId}`, { method: 'DELETE', json: {} })
    expect(answer.status).toBe(404)
    expect((await ana.who.json('/api/user/ways-in')).passkeys).toHaveLength(1)
  })

  test('cannot be removed as the only sign-in method', async () => {
    const { who, id, passkeyId } = await withPasskey()
    await db.update(users).set({ password: null }).where(eq(users.id, id))
    const answer = await who.call(`/api/user/passkeys/${passkeyId}`, { method: 'DELETE', json: {} })
    expect(answer.status).toBe(409)
    expect((await who.json('/api/user/ways-in')).passkeys).toHaveLength(1)
  })

  test('cannot be removed when the only other sign-in method is removed concurrently', async () => {
    const { who, id, passkeyId } = await withPasskey()
    const credential = testAuthenticator().register(await toAdd(who))
    const other = await who.json('/api/user/passkeys', { json: { credential } })
    await db.update(users).set({ password: null }).where(eq(users.id, id))
    const removeOther = async (tx: Transaction) => {
      await tx.select().from(users).where(eq(users.id, id)).for('update')
      await tx.delete(passkeys).where(eq(passkeys.id, other.id))
    }
    const remove = () => who.call(`/api/user/passkeys/${passkeyId}`, { method: 'DELETE', json: {} })
    expect((await commitMeanwhile(db, removeOther, remove)).status).toBe(409)
    expect((await who.json('/api/user/ways-in')).passkeys).toHaveLength(1)
  })

  test('stays where the session of its removal ends at the same moment', async () => {
    const { who, id } = await withPasskey()
    const [key] = (await who.json('/api/user/ways-in')).passkeys
    const recoverMeanwhile = async (tx: Transaction) => {
      await tx.update(users).set({ password: 'another hash' }).where(eq(users.id, id))
      await endAccess(tx, id, 'recovery')
    }
    const remove = () => who.call(`/api/user/passkeys/${key.id}`, { method: 'DELETE', json: {} })
    expect((await commitMeanwhile(db, recoverMeanwhile, remove)).status).toBe(401)
    expect(await db.$count(passkeys, eq(passkeys.userId, id))).toBe(1)
  })

  test('stays where the only other way in is an account at a provider that is no longer set up', async () => {
    const { who, id, passkeyId } = await withPasskey()
    await db.update(users).set({ password: null }).where(eq(users.id, id))
    await db.insert(identities).values({ userId: id, provider: 'google', subject: `subject of ${id}` })
    const answer = await who.call(`/api/user/passkeys/${passkeyId}`, { method: 'DELETE', json: {} })
    expect(answer.status).toBe(409)
  })

  test('shows a suspended member the reason instead of signing in', async () => {
    const { id, device } = await withPasskey()
    await suspendMember(db, id, 'A mix-up', 'Ada')
    const who = visitor()
    const answer = await who.call('/api/auth/passkey', { json: device.answer(await toEnter(who)) })
    expect(answer.status).toBe(403)
    expect((await answer.json()).message).toContain('A mix-up')
  })
})

describe('passkey registration', () => {
  test('requires the password when the sign-in is older than ten minutes', async () => {
    const { who, id } = await newMember()
    await db
      .update(sessions)
      .set({ sess: sql`jsonb_set(sess, '{startedAt}', to_jsonb(now() - interval '11 minutes'))` })
      .where(eq(sessions.userId, id))
    const path = '/api/user/passkeys/options'
    const options = await who.call(path, { json: {} })
    expect(options.status).toBe(422)
    expect((await options.json()).fields).toMatchObject([{ path: 'password' }])
    expect((await who.call(path, { json: { password: 'not this one' } })).status).toBe(422)
    expect((await who.call(path, { json: { password } })).status).toBe(200)
  })

  test.each([
    ['another origin', { origin: 'https://evil.example.com' }],
    ['another relying party', { rpId: 'evil.example.com' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['an unverified user', { flags: 0x41 }],
    ['an absent user', { flags: 0x44 }],
  ])('with %s is rejected and uses up the challenge', async (_, wrong) => {
    const { who } = await newMember()
    const device = testAuthenticator()
    const challenge = await toAdd(who)
    const path = '/api/user/passkeys'
    expect((await who.call(path, { json: { credential: device.register(challenge, wrong) } })).status).toBe(
      422,
    )
    expect((await who.call(path, { json: { credential: device.register(challenge) } })).status).toBe(422)
    expect((await who.json('/api/user/ways-in')).passkeys).toEqual([])
  })

  test('is bound to the member who began it', async () => {
    const { who } = await newMember()
    const credential = testAuthenticator().register(await toAdd(who))
    await who.call('/api/auth/logout', { json: {} })
    await who.call('/api/auth/register', { json: { email: `after${people}@example.com`, password } })
    expect((await who.call('/api/user/passkeys', { json: { credential } })).status).toBe(422)
  })

  test('rejects an authenticator that is registered already', async () => {
    const { who, device } = await withPasskey()
    const credential = device.register(await toAdd(who))
    expect((await who.call('/api/user/passkeys', { json: { credential } })).status).toBe(409)
  })

  test(`stops at ${passkeysMax} passkeys`, async () => {
    const { who, id } = await newMember()
    await db.insert(passkeys).values(
      Array.from({ length: passkeysMax }, (_, at) => ({
        userId: id,
        name: `Key ${at}`,
        credentialId: `${id}-${at}`,
        publicKey: 'x',
        counter: 0,
        isBackedUp: false,
      })),
    )
    expect((await who.call('/api/user/passkeys/options', { json: {} })).status).toBe(409)
  })

  test('returns 401 to visitors', async () => {
    const credential = testAuthenticator().register('AAAA')
    for (const [path, json] of [
      ['/api/user/passkeys/options', {}],
      ['/api/user/passkeys', { credential }],
    ] as const)
      expect((await visitor().call(path, { json })).status).toBe(401)
  })
})

describe('passkey sign-in', () => {
  test.each([
    ['another origin', { origin: 'https://evil.example.com' }],
    ['another relying party', { rpId: 'evil.example.com' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['an unverified user', { flags: 0x01 }],
    ['an absent user', { flags: 0x04 }],
  ])('rejects an answer with %s', async (_, wrong) => {
    const { device } = await withPasskey()
    const who = visitor()
    const answer = await who.call('/api/auth/passkey', { json: device.answer(await toEnter(who), wrong) })
    expect(answer.status).toBe(401)
    expect(await isOut(who)).toBe(true)
  })

  test('rejects a replayed answer', async () => {
    const { device } = await withPasskey()
    const who = visitor()
    const json = device.answer(await toEnter(who))
    expect((await who.call('/api/auth/passkey', { json })).status).toBe(200)
    await who.call('/api/auth/logout', { json: {} })
    expect((await who.call('/api/auth/passkey', { json })).status).toBe(422)
    await toEnter(who)
    expect((await who.call('/api/auth/passkey', { json })).status).toBe(401)
    expect(await isOut(who)).toBe(true)
  })

  test('rejects a cloned authenticator, whose counter does not increase', async () => {
    const { device } = await withPasskey()
    const who = visitor()
    const enter = async (counter: number) =>
      (await who.call('/api/auth/passkey', { json: device.answer(await toEnter(who), { counter }) })).status
    expect(await enter(9)).toBe(200)
    expect(await enter(9)).toBe(401)
    expect(await enter(8)).toBe(401)
    expect(await enter(10)).toBe(200)
  })

  test('rejects unknown and removed passkeys with the same message', async () => {
    const { who: owner, device, passkeyId } = await withPasskey()
    await owner.call(`/api/user/passkeys/${passkeyId}`, { method: 'DELETE', json: {} })
    const messages: string[] = []
    for (const each of [device, testAuthenticator()]) {
      const who = visitor()
      const answer = await who.call('/api/auth/passkey', { json: each.answer(await toEnter(who)) })
      expect(answer.status).toBe(401)
      messages.push((await answer.json()).message)
    }
    expect(new Set(messages).size).toBe(1)
  })

  test('is bound to the browser that began it and expires after ten minutes', async () => {
    const { device } = await withPasskey()
    const who = visitor()
    const challenge = await toEnter(who)
    const elsewhere = await visitor().call('/api/auth/passkey', { json: device.answer(challenge) })
    expect(elsewhere.status).toBe(422)
    const answerAfter = async (minutes: number) => {
      const json = device.answer(await toEnter(who))
      const expiresAt = sql`${signInAttempts.expiresAt} - make_interval(mins => ${minutes}::int)`
      await db.update(signInAttempts).set({ expiresAt })
      return (await who.call('/api/auth/passkey', { json })).status
    }
    expect(await answerAfter(10)).toBe(422)
    expect(await answerAfter(9)).toBe(200)
  })

  test('is limited to 25 tries in five minutes per address', async () => {
    const who = browser(app, '10.32.0.1')
    const json = testAuthenticator().answer('AAAA')
    const statuses: number[] = []
    for (let time = 0; time < 26; time += 1)
      statuses.push((await who.call('/api/auth/passkey', { json })).status)
    expect(statuses.at(-1)).toBe(429)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([422]))
  })
})
