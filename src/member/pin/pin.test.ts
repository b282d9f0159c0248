import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { users } from '#db/schema'
import { cookieNames } from '#src/request/cookies'
import { sha256 } from '#src/security/keyed-hash'
import { signValue } from '#src/security/signed-value'
import { routes } from '#src/server/routes'
import {
  type Browser,
  browser,
  markupOf,
  memberBrowser,
  memberPassword,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const item = await publishTestItem(services, { title: 'The Lamp' })
let members = 0

afterEach(() => void setSystemTime())

/** A member who set a PIN an hour after signing in. */
async function withPin(pin = '2468'): Promise<{ who: Browser; email: string }> {
  members += 1
  const email = `pin${members}@example.com`
  const who = await memberBrowser(app, email, `10.9.0.${members}`)
  await db.execute(sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`)
  const answer = await who.call('/settings/pin', { form: { pin } })
  expect(answer.headers.get('location')).toBe('/settings?said=pinned#discretion')
  return { who, email }
}

/** Every page for adults in the table of routes, except the sign-in with the password, which a locked session may see. */
const pages = Object.entries(routes)
  .filter(([name, { kind }]) => name.startsWith('GET ') && kind === 'page' && name !== 'GET /sign-in')
  .map(([name]) => name.slice(4).replace(':slug', item.slug).replace(':id', item.id))

/** Closes the browser: session cookies are gone. */
const reopen = (who: Browser) => who.jar.delete(cookieNames.unlock)
const isLocked = async (who: Browser) => (await markupOf(await who.call('/home'))).includes('Enter your PIN')
const enter = (who: Browser, pin: string) => who.call('/unlock', { form: { pin, next: '/home' } })

describe('session locked by a PIN', () => {
  test('shows no page but the PIN form and returns 403 for the member’s data', async () => {
    const { who, email } = await withPin()
    expect(await isLocked(who)).toBe(false)
    reopen(who)
    for (const path of pages) {
      const html = await markupOf(await who.call(path))
      expect(html).toContain('Enter your PIN')
      // The page names neither an owner nor a visitor, or the browser's offline data would be deleted.
      for (const word of ['The Lamp', email, 'She lit the lamp', 'data-owner'])
        expect(html).not.toContain(word)
    }
    for (const path of [
      '/api/user/settings',
      '/api/user/content',
      '/api/user/export',
      '/api/content-favorites',
    ]) {
      const answer = await who.call(path)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'locked' })
    }
    for (const part of ['', '/timings']) {
      const unheard = await who.call(`/api/premium-audio/${item.id}/female${part}`)
      expect(unheard.status).toBe(403)
      expect(await unheard.json()).toMatchObject({ code: 'locked' })
    }
    expect((await who.call('/settings/pin', { form: {} })).status).toBe(403)
    expect(await who.json('/api/auth/user')).toBeNull()
    expect((await who.json(`/api/content/${item.id}`)).contentTruncated).toBeDefined()
  })

  test('locks again when a server clock that was ahead is corrected', async () => {
    const { who } = await withPin()
    setSystemTime(Date.now() + 3 * 24 * 3_600_000)
    reopen(who)
    await enter(who, '2468')
    expect(await isLocked(who)).toBe(false)
    setSystemTime()
    expect(await isLocked(who)).toBe(true)
  })

  test('opens only with the right PIN and continues to the requested page', async () => {
    const { who } = await withPin()
    reopen(who)
    const wrong = await enter(who, '1357')
    expect(wrong.status).toBe(401)
    expect(await markupOf(wrong)).toContain('Wrong PIN.')
    expect(await isLocked(who)).toBe(true)
    const right = await enter(who, '2468')
    expect([right.status, right.headers.get('location')]).toEqual([303, '/home'])
    expect(await isLocked(who)).toBe(false)
    expect((await who.call('/api/user/settings')).status).toBe(200)
  })

  test('locks after ten minutes without use, not while in use', async () => {
    const { who } = await withPin()
    const usedAgo = (seconds: number) => {
      const token = who.jar.get(cookieNames.member) ?? ''
      const value = `${Math.floor(Date.now() / 1_000) - seconds}~${sha256(sha256(token))}`
      who.jar.set(cookieNames.unlock, signValue(services.secrets.session, cookieNames.unlock, value))
    }
    usedAgo(9 * 60)
    expect(await isLocked(who)).toBe(false)
    const moved = who.jar.get(cookieNames.unlock)
    expect(await isLocked(who)).toBe(false)
    expect(who.jar.get(cookieNames.unlock)).toBe(moved ?? '')
    usedAgo(10 * 60 + 1)
    expect(await isLocked(who)).toBe(true)
    who.jar.set(cookieNames.unlock, `${Math.floor(Date.now() / 1_000)}~made.up`)
    expect(await isLocked(who)).toBe(true)
  })

  test('keeps a form submitted while locked and offers it again after the PIN', async () => {
    const { who } = await withPin()
    reopen(who)
    const headers = { accept: 'text/html', referer: 'http://localhost:3000/settings?open=profile' }
    const locked = await who.call('/settings/profile', { form: { firstName: 'Mara & co' }, headers })
    expect(locked.status).toBe(403)
    const asked = await markupOf(locked)
    const unsent = '/settings/profile?firstName=Mara+%26+co'
    for (const part of ['Enter your PIN', 'name="next" value="/settings?open=profile"', `value="${unsent}"`])
      expect(asked).toContain(part)
    const wrong = await who.call('/unlock', { form: { pin: '1357', next: '/settings', unsent } })
    expect(await markupOf(wrong)).toContain(`value="${unsent}"`)
    const again = await markupOf(
      await who.call('/unlock', { form: { pin: '2468', next: '/settings', unsent } }),
    )
    expect(again).toContain('action="/settings/profile"')
    expect(again).toContain('name="firstName" value="Mara &amp; co"')
  })

  test('can be unlocked through the API with the right PIN only', async () => {
    const { who } = await withPin()
    reopen(who)
    const call = (pin: string) => who.call('/api/auth/unlock', { json: { pin } })
    expect((await call('1357')).status).toBe(401)
    expect(await isLocked(who)).toBe(true)
    expect((await call('2468')).status).toBe(200)
    expect(await isLocked(who)).toBe(false)
    const visitor = browser(app)
    expect((await visitor.call('/api/auth/unlock', { json: { pin: '2468' } })).status).toBe(200)
    expect(visitor.jar.has(cookieNames.unlock)).toBe(false)
  })

  test('is not unlocked by another session’s cookie', async () => {
    const [mine, other] = [await withPin(), await withPin()]
    mine.who.jar.set(cookieNames.unlock, other.who.jar.get(cookieNames.unlock) ?? '')
    expect(await isLocked(mine.who)).toBe(true)
  })

  test('refuses even the right PIN after five wrong ones, but accepts the password', async () => {
    const { who, email } = await withPin()
    reopen(who)
    for (let guess = 0; guess < 5; guess += 1) expect((await enter(who, `000${guess}`)).status).toBe(401)
    expect((await enter(who, '2468')).status).toBe(429)
    expect(await markupOf(await who.call('/sign-in'))).toContain('Password')
    await who.call('/api/auth/login', { json: { email, password: memberPassword } })
    expect(await isLocked(who)).toBe(false)
    await who.call('/settings/pin', { form: { remove: 'yes' } })
    reopen(who)
    expect(await isLocked(who)).toBe(false)
  })
})

test('a PIN has four to eight digits and is stored as an argon2id hash', async () => {
  const { who, email } = await withPin()
  for (const pin of ['123', '123456789', '12a4', '١٢٣٤'])
    expect((await who.call('/settings/pin', { form: { pin } })).status).toBe(422)
  const [row] = await db.select({ pinHash: users.pinHash }).from(users).where(eq(users.email, email))
  expect(row?.pinHash).toStartWith('$argon2id$')
  expect(JSON.stringify(await who.json('/api/user/settings'))).not.toContain('argon2')
})

test('visitors and members without a PIN are never asked for one', async () => {
  for (const who of [browser(app), await memberBrowser(app, 'ben@example.com', '10.9.1.1')]) {
    expect(await isLocked(who)).toBe(false)
    expect(
      (await who.call('/unlock', { form: { pin: '2468', next: 'https://evil.example' } })).headers.get(
        'location',
      ),
    ).toBe('/')
    expect(who.jar.has(cookieNames.unlock)).toBe(false)
  }
})
