import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { identities, loginEvents, sessions, signInAttempts, users } from '#db/schema'
import { takeMails } from '#src/mail/testing'
import { suspendMember } from '#src/member/console/suspend'
import { hashPassword } from '#src/member/sign-in/password'
import { browser, markupOf, memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { type Account, openFacebook, openProvider, socialEnvironment } from './testing'
import { openBadIssuer } from './testing-bad-issuer'
import {
  asPerson,
  followRedirects,
  postFromElsewhere,
  returnFromProvider,
  signInWith,
} from './testing-sign-in'

const google = await openProvider('google')
const apple = await openProvider('apple')
const facebook = await openFacebook()
const bad = await openBadIssuer()
const { app, services } = await testApp(
  await socialEnvironment({ google: google.issuer, apple: apple.issuer, facebook: facebook.issuer }),
)
const { app: badApp } = await testApp(await socialEnvironment({ google: bad.issuer }))
const { app: bareApp } = await testApp()
const { db } = services
const provided = { google, apple, facebook }
const names = ['google', 'apple', 'facebook'] as const
const password = 'lanterns on the water'
let people = 0

function somebody(): Required<Account> {
  people += 1
  return {
    sub: `subject-${people}`,
    email: `person${people}@example.com`,
    email_verified: true,
    given_name: 'Iris',
    family_name: 'Hale',
  }
}
const newBrowser = (which = app) => browser(which, `10.20.${people % 250}.1`)

beforeEach(async () => void (await takeMails(services)))

describe.each(names)('sign-in with %s', (name) => {
  test('creates a member, returns to the page and signs in the same member the next time', async () => {
    const person = somebody()
    provided[name].person = person
    const who = newBrowser()
    const { response } = await signInWith(who, name, '/stories?q=ferry#list')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/stories?q=ferry#list')
    const user = await who.json('/api/auth/user')
    expect(user).toMatchObject({ email: person.email, oauthProvider: name })

    const again = newBrowser()
    await signInWith(again, name)
    expect((await again.json('/api/auth/user')).id).toBe(user.id)
    expect(again.jar.has('nocturne_device')).toBe(true)
    const events = await db.select().from(loginEvents).where(eq(loginEvents.userId, user.id))
    expect(events.map(({ method }) => method)).toEqual([name, name])
    const [row] = await db.select().from(users).where(eq(users.id, user.id))
    expect(row).toMatchObject({ oauthSub: person.sub, password: null })
    expect(row?.emailVerifiedAt === null).toBe(name === 'facebook')
    expect((await takeMails(services)).length).toBe(name === 'facebook' ? 1 : 0)
  })

  test('keeps an unsent form, encrypted, and shows it again afterwards', async () => {
    provided[name].person = somebody()
    const who = newBrowser()
    const form = { way: name, next: '/settings', unsent: '/settings/profile?firstName=Mara' }
    const onward = await who.call('/sign-in/carried', { form, headers: asPerson })
    expect(onward.status).toBe(200)
    const rows = await db.select().from(signInAttempts).where(eq(signInAttempts.kind, name))
    expect(JSON.stringify(rows)).not.toContain('Mara')
    const address = onward.headers.get('refresh')?.replace('0; url=', '') ?? ''
    expect(await markupOf(onward)).toContain(Bun.escapeHTML(address))
    const back = await returnFromProvider(who, name, await followRedirects(address))
    const page = await markupOf(back)
    expect(page).toContain('action="/settings/profile"')
    expect(page).toContain('name="firstName" value="Mara"')
    expect((await who.json('/api/auth/user')).email).toBeString()
  })

  test('moves the visitor’s listening progress to the member', async () => {
    provided[name].person = somebody()
    const item = await publishTestItem(services)
    const who = newBrowser()
    await who.call(`/story/${item.slug}`)
    await who.call('/api/analytics/progress', {
      json: { contentId: item.id, contentType: 'story', lastPositionSec: 42, totalSec: 600 },
    })
    await signInWith(who, name)
    const saved = await who.json(`/api/analytics/progress/${item.id}/story`)
    expect(saved.lastPositionSec).toBe(42)
  })

  test('greets once on the next page and passes the method to analytics', async () => {
    provided[name].person = somebody()
    const who = newBrowser()
    await signInWith(who, name)
    const first = await markupOf(await who.call('/stories'))
    expect(first).toContain('sign-in-welcome')
    expect(first).toContain(JSON.stringify({ mode: 'register', method: name }))
    expect(await markupOf(await who.call('/stories'))).not.toContain('sign-in-welcome')
  })

  test('shows the form again and creates nobody when the person declines', async () => {
    provided[name].person = null
    const who = newBrowser()
    const { response } = await signInWith(who, name)
    expect(response.status).toBe(403)
    expect(await markupOf(response)).toContain('You declined at')
    expect(await who.json('/api/auth/user')).toBeNull()
  })

  test('rejects a wrong state without using up the attempt', async () => {
    provided[name].person = somebody()
    const who = newBrowser()
    const begun = await who.call(`/api/auth/${name}`)
    const answer = await followRedirects(begun.headers.get('location'))
    const wrong = new URLSearchParams(answer)
    wrong.set('state', 'of somebody else')
    expect((await returnFromProvider(who, name, wrong)).status).toBe(422)
    expect(await who.json('/api/auth/user')).toBeNull()
    expect((await returnFromProvider(who, name, answer)).status).toBe(303)
  })

  test('rejects a response to another browser’s request', async () => {
    provided[name].person = somebody()
    const eve = newBrowser()
    const begun = await eve.call(`/api/auth/${name}`)
    const answer = await followRedirects(begun.headers.get('location'))
    const ana = newBrowser()
    expect((await returnFromProvider(ana, name, answer)).status).toBe(422)
    await ana.call(`/api/auth/${name}`)
    expect((await returnFromProvider(ana, name, answer)).status).toBe(422)
    expect(await ana.json('/api/auth/user')).toBeNull()
  })

  test('accepts a response and its code once only', async () => {
    provided[name].person = somebody()
    const who = newBrowser()
    const { answer } = await signInWith(who, name)
    await who.call('/api/auth/logout', { json: {} })
    expect((await returnFromProvider(who, name, answer)).status).toBe(422)
    // The code is rejected in another sign-in too.
    const begun = await who.call(`/api/auth/${name}`)
    const fresh = await followRedirects(begun.headers.get('location'))
    fresh.set('code', answer.get('code') ?? '')
    expect((await returnFromProvider(who, name, fresh)).status).toBe(422)
    expect(await who.json('/api/auth/user')).toBeNull()
  })

  test('expires after ten minutes', async () => {
    provided[name].person = somebody()
    const who = newBrowser()
    const begun = await who.call(`/api/auth/${name}`)
    const cookie = begun.headers.getSetCookie().find((each) => each.includes(`entry_${name}`))
    expect(cookie).toContain('Max-Age=600')
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain(name === 'apple' ? 'Secure; HttpOnly; SameSite=None' : 'SameSite=Lax')
    const answer = await followRedirects(begun.headers.get('location'))
    await db.update(signInAttempts).set({ expiresAt: new Date(Date.now() - 1_000) })
    expect((await returnFromProvider(who, name, answer)).status).toBe(422)
  })

  test('does not open an existing account with the same email, but offers to link it', async () => {
    const person = somebody()
    provided[name].person = person
    const owner = await memberBrowser(app, person.email, `10.21.0.${people}`)
    const who = newBrowser()
    const { response } = await signInWith(who, name, '/home')
    expect(response.status).toBe(409)
    const page = await markupOf(response)
    expect(page).toContain('Sign in the way you did before, then link')
    expect(page).toContain('name="next" value="/home"')
    expect(await who.json('/api/auth/user')).toBeNull()

    const begun = await owner.call(`/api/auth/${name}?link=true`)
    const linked = await returnFromProvider(owner, name, await followRedirects(begun.headers.get('location')))
    expect(linked.headers.get('location')).toBe('/settings?said=linked')
    const after = newBrowser()
    await signInWith(after, name)
    expect((await after.json('/api/auth/user')).email).toBe(person.email)
  })

  test('shows a suspended member the reason', async () => {
    provided[name].person = somebody()
    const who = newBrowser()
    await signInWith(who, name)
    const { id } = await who.json('/api/auth/user')
    await suspendMember(db, id, 'A mix-up', 'Ada')
    const { response } = await signInWith(newBrowser(), name)
    expect(response.status).toBe(403)
    expect(await markupOf(response)).toContain('A mix-up')
  })

  test('has no button and returns 422 when it is not configured', async () => {
    const who = browser(bareApp)
    expect(await markupOf(await who.call('/sign-in'))).not.toContain(`/api/auth/${name}`)
    expect(await markupOf(await newBrowser().call('/sign-in?next=/home'))).toContain(
      `/api/auth/${name}?next=%2Fhome`,
    )
    const answer = await who.call(`/api/auth/${name}`)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'not_configured', success: false })
  })

  test('cannot be unlinked as the only sign-in method, but can beside a password, and then opens nothing', async () => {
    provided[name].person = somebody()
    const who = newBrowser()
    await signInWith(who, name)
    const path = `/api/user/identities/${name}`
    expect((await who.call(path, { method: 'DELETE', json: {} })).status).toBe(409)
    const { id } = await who.json('/api/auth/user')
    await db.update(users).set({ password: 'a hash' }).where(eq(users.id, id))
    expect((await who.call(path, { method: 'DELETE', json: {} })).status).toBe(200)
    expect((await who.call(path, { method: 'DELETE', json: {} })).status).toBe(404)
    expect((await who.json('/api/auth/user')).oauthProvider).toBeNull()
    expect(await db.select().from(identities).where(eq(identities.userId, id))).toEqual([])
    const unlinked = newBrowser()
    expect((await signInWith(unlinked, name)).response.status).toBe(409)
    expect(await unlinked.json('/api/auth/user')).toBeNull()
  })
})

describe('Apple’s callback', () => {
  test('rejects a cross-site post without this browser’s state', async () => {
    const who = newBrowser()
    const forged = new URLSearchParams({ state: 'made up', code: 'x' })
    expect((await postFromElsewhere(who, '/api/auth/apple/callback', forged)).status).toBe(422)
    expect((await postFromElsewhere(who, '/api/auth/login', forged)).status).toBe(403)
  })

  test('takes the name from the posted user, but not the email', async () => {
    const person = somebody()
    apple.person = person
    const who = newBrowser()
    const begun = await who.call('/api/auth/apple')
    const answer = await followRedirects(begun.headers.get('location'))
    answer.set(
      'user',
      JSON.stringify({ name: { firstName: 'Mara', lastName: 'Lind' }, email: 'eve@example.com' }),
    )
    await returnFromProvider(who, 'apple', answer)
    expect(await who.json('/api/auth/user')).toMatchObject({
      firstName: 'Mara',
      lastName: 'Lind',
      email: person.email,
    })
  })
})

test('the callback answers an API client with JSON', async () => {
  const answer = await newBrowser().call('/api/auth/google/callback?state=x&code=y')
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ success: false, code: 'invalid' })
})

describe('provider response', () => {
  const now = Math.floor(Date.now() / 1_000)
  test.each([
    ['with another nonce', { nonce: 'another' }, 422],
    ['with another issuer', { iss: 'https://evil.example.com' }, 422],
    ['for another audience', { aud: 'another client' }, 422],
    ['that has expired', { exp: now - 3_600 }, 422],
    ['signed with another key', { isForged: true }, 422],
    ['with status 503', { status: 503 }, 503],
    ['with status 400', { status: 400 }, 422],
  ])('%s signs nobody in', async (_, wrong, status) => {
    bad.wrong = wrong
    const who = browser(badApp, '10.22.0.1')
    const { response } = await signInWith(who, 'google')
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(await who.json('/api/auth/user')).toBeNull()
  })

  test('that is valid signs in', async () => {
    bad.wrong = {}
    const who = browser(badApp, '10.22.0.2')
    expect((await signInWith(who, 'google')).response.status).toBe(303)
    expect(await who.json('/api/auth/user')).toMatchObject({ email: null, oauthProvider: 'google' })
  })

  test('gets a 503 page when the provider is down before or after the redirect', async () => {
    const { app: lost } = await testApp(await socialEnvironment({ google: 'http://127.0.0.1:9' }))
    const begun = await browser(lost).call('/api/auth/google', { headers: asPerson })
    expect(begun.status).toBe(503)
    expect(await markupOf(begun)).toContain('Google is not answering right now')
    facebook.person = somebody()
    facebook.isAway = true
    const { response } = await signInWith(newBrowser(), 'facebook')
    facebook.isAway = false
    expect(response.status).toBe(503)
  })

  test('with an unverified email leaves it unverified and sends a verification mail', async () => {
    const person = { ...somebody(), email_verified: false }
    google.person = person
    const who = newBrowser()
    await signInWith(who, 'google')
    const { id } = await who.json('/api/auth/user')
    const [row] = await db.select().from(users).where(eq(users.id, id))
    expect(row?.emailVerifiedAt).toBeNull()
    expect((await takeMails(services)).map(({ to }) => to)).toEqual([person.email])
  })

  test.each([
    '//evil.example.com',
    'https://evil.example.com/',
    '/\\evil.example.com',
    '/\t/evil.example.com',
  ])('does not redirect to another site: %j', async (next) => {
    google.person = somebody()
    const { response } = await signInWith(newBrowser(), 'google', next)
    expect(response.headers.get('location')).toBe('/')
  })
})

describe('linking a provider account', () => {
  test('requires a sign-in within the last ten minutes', async () => {
    const who = await memberBrowser(app, 'old-session@example.com', '10.23.0.1')
    const { id } = await who.json('/api/auth/user')
    await db
      .update(sessions)
      .set({ sess: sql`jsonb_set(sess, '{startedAt}', to_jsonb(now() - interval '11 minutes'))` })
      .where(eq(sessions.userId, id))
    const begun = await who.call('/api/auth/google?link=true')
    expect(begun.headers.get('location')).toBe('/sign-in?next=%2Fsettings&why=again')
    expect(await markupOf(await who.call('/sign-in?next=/settings&why=again'))).toContain('Sign in again')
  })

  test('never takes the account from another member', async () => {
    google.person = somebody()
    await signInWith(newBrowser(), 'google')
    const eve = await memberBrowser(app, 'eve@example.com', '10.23.0.2')
    const begun = await eve.call('/api/auth/google?link=true')
    const response = await returnFromProvider(
      eve,
      'google',
      await followRedirects(begun.headers.get('location')),
    )
    expect(response.status).toBe(409)
    expect(await markupOf(response)).toContain('This Google account is linked to another account here.')
  })

  test('fails when another member has signed in on this browser meanwhile', async () => {
    google.person = somebody()
    const who = await memberBrowser(app, 'first@example.com', '10.23.0.3')
    const begun = await who.call('/api/auth/google?link=true')
    const answer = await followRedirects(begun.headers.get('location'))
    await who.call('/api/auth/logout', { json: {} })
    await who.call('/api/auth/register', { json: { email: 'second@example.com', password } })
    expect((await returnFromProvider(who, 'google', answer)).status).toBe(422)
    expect((await who.json('/api/user/ways-in')).identities).toEqual([])
  })

  test('shows providers in Settings, which refuses to unlink the only sign-in method', async () => {
    const person = somebody()
    google.person = person
    const who = newBrowser()
    await signInWith(who, 'google')
    const page = await markupOf(await who.call('/settings'))
    expect(page).toContain('Social Login')
    expect(page).toContain('aria-label="Unlink Google"')
    expect(page).toContain('aria-label="Link Facebook"')
    expect(page).toContain('Choose a Password')
    const refused = await who.call('/settings/unlink', { form: { provider: 'google' } })
    expect(refused.status).toBe(409)
    expect(await markupOf(refused)).toContain('This is the only way to sign in to your account.')
    expect(await who.json('/api/user/ways-in')).toMatchObject({
      hasPassword: false,
      identities: [{ provider: 'google', email: person.email }],
      passkeys: [],
    })
  })

  test('is unlinked long after the sign-in only with the password, or after another sign-in', async () => {
    google.person = somebody()
    const who = newBrowser()
    await signInWith(who, 'google')
    const { id } = await who.json('/api/auth/user')
    await db.insert(identities).values({ userId: id, provider: 'facebook', subject: `subject of ${id}` })
    await db.execute(
      sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}' where user_id = ${id}::uuid`,
    )
    const path = '/api/user/identities/facebook'
    expect((await who.call(path, { method: 'DELETE', json: {} })).status).toBe(422)
    const page = await markupOf(await who.call('/settings/unlink', { form: { provider: 'facebook' } }))
    expect(page).toContain('Sign in again, then remove it within ten minutes.')
    expect(page).not.toContain('name="password"')
    await db
      .update(users)
      .set({ password: await hashPassword(password) })
      .where(eq(users.id, id))
    expect((await who.call(path, { method: 'DELETE', json: { password: 'not this one' } })).status).toBe(422)
    const removed = await who.call('/settings/unlink', { form: { provider: 'facebook', password } })
    expect(removed.headers.get('location')).toBe('/settings?said=unlinked')
    await db.update(users).set({ password: null }).where(eq(users.id, id))
    await db.insert(identities).values({ userId: id, provider: 'facebook', subject: `subject of ${id}` })
    await signInWith(who, 'google')
    expect((await who.call(path, { method: 'DELETE' })).status).toBe(200)
  })

  test('is for members only', async () => {
    const visitor = newBrowser()
    expect((await visitor.call('/api/user/ways-in')).status).toBe(401)
    const unlinked = await visitor.call('/api/user/identities/google', { method: 'DELETE', json: {} })
    expect(unlinked.status).toBe(401)
    expect((await visitor.call('/api/auth/google?link=true')).headers.get('location')).toContain('/sign-in')
  })
})
