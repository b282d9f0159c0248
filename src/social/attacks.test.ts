import { afterAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { identities, users } from '#db/schema'
import { type Browser, browser, markupOf, memberBrowser, testApp } from '#src/testing/app'
import { type Account, openProvider, socialEnvironment } from './testing'
import { openBadIssuer, type Wrong } from './testing-bad-issuer'
import {
  asPerson,
  followRedirects,
  postFromElsewhere,
  returnFromProvider,
  signInWith,
} from './testing-sign-in'

const [google, apple, bad] = await Promise.all([
  openProvider('google'),
  openProvider('apple'),
  openBadIssuer(),
])
const { app, services } = await testApp(
  await socialEnvironment({ google: google.issuer, apple: apple.issuer }),
)
const { app: badApp, services: badServices } = await testApp(await socialEnvironment({ google: bad.issuer }))
const both = { google, apple }
const names = ['google', 'apple'] as const
const otherOf = { google: 'apple', apple: 'google' } as const

let people = 0
function somebody(more: Partial<Account> = {}): Account {
  people += 1
  return { sub: `attacked-${people}`, email: `attacked${people}@example.com`, email_verified: true, ...more }
}
const newBrowser = (which = app) => browser(which, `10.30.${people}.1`)
const begin = async (who: Browser, name: string) =>
  followRedirects((await who.call(`/api/auth/${name}`)).headers.get('location'))

/** Expects that no session was opened, nothing failed, and a page says what to do. */
async function expectRefused(who: Browser, response: Response): Promise<void> {
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(await markupOf(response)).toMatch(/Please try (again|once more)\./)
  expect(await who.json('/api/auth/user')).toBeNull()
}

describe.each(names)('response from %s', (name) => {
  test('is rejected at the other provider’s callback with an attempt open there', async () => {
    both[name].person = somebody()
    both[otherOf[name]].person = somebody()
    const who = newBrowser()
    const answer = await begin(who, name)
    const others = await begin(who, otherOf[name])
    await expectRefused(who, await returnFromProvider(who, otherOf[name], answer))
    // The state of the other provider's challenge with a code of this provider.
    const mixed = new URLSearchParams(others)
    mixed.set('code', answer.get('code') ?? '')
    await expectRefused(who, await returnFromProvider(who, otherOf[name], mixed))
    const whole = new URLSearchParams(answer)
    whole.set('state', others.get('state') ?? '')
    await expectRefused(who, await returnFromProvider(who, otherOf[name], whole))
  })

  test.each(['https://evil.example.com', '', 'the other provider'])(
    'is rejected when its issuer is %j',
    async (issuer) => {
      both[name].person = somebody()
      const who = newBrowser()
      const answer = await begin(who, name)
      answer.set('iss', issuer === 'the other provider' ? both[otherOf[name]].issuer : issuer)
      await expectRefused(who, await returnFromProvider(who, name, answer))
    },
  )

  test('is rejected when a parameter is repeated', async () => {
    for (const twice of ['state', 'code', 'iss']) {
      both[name].person = somebody()
      const who = newBrowser()
      const answer = await begin(who, name)
      answer.append(twice, 'another')
      const response = await who.call(`/api/auth/${name}/callback?${answer}`, { headers: asPerson })
      await expectRefused(who, response)
    }
  })

  test('is rejected without the cookie of the browser that began, or with another browser’s', async () => {
    both[name].person = somebody()
    const eve = newBrowser()
    const answer = await begin(eve, name)
    const bare = newBrowser()
    await expectRefused(bare, await returnFromProvider(bare, name, answer))
    const other = newBrowser()
    await begin(other, name)
    await expectRefused(other, await returnFromProvider(other, name, answer))
    // The attempts did not consume the challenge of the first browser.
    expect((await returnFromProvider(eve, name, answer)).status).toBe(303)
  })

  test('is rejected with a code from another browser’s attempt', async () => {
    both[name].person = somebody()
    const [eve, ana] = [newBrowser(), newBrowser()]
    const [stolen, answer] = [await begin(eve, name), await begin(ana, name)]
    answer.set('code', stolen.get('code') ?? '')
    await expectRefused(ana, await returnFromProvider(ana, name, answer))
  })

  test('succeeds once when five concurrent requests send it', async () => {
    both[name].person = somebody()
    const who = newBrowser()
    const answer = await begin(who, name)
    const path = `/api/auth/${name}/callback?${answer}`
    const answers = await Promise.all(Array.from({ length: 5 }, () => who.call(path, { headers: asPerson })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422, 422])
  })

  test('with another subject but the same email opens nobody’s account', async () => {
    const person = somebody()
    both[name].person = person
    await signInWith(newBrowser(), name)
    for (const email_verified of [true, false]) {
      both[name].person = { ...person, sub: `${person.sub}-another`, email_verified }
      const who = newBrowser()
      const { response } = await signInWith(who, name)
      expect(response.status).toBe(409)
      expect(await who.json('/api/auth/user')).toBeNull()
    }
    const rows = await services.db
      .select()
      .from(identities)
      .where(eq(identities.subject, `${person.sub}-another`))
    expect(rows).toEqual([])
  })

  test('with a member’s email, in any spelling and verified or not, links nothing', async () => {
    const email = `owner-${name}@example.com`
    const owner = await memberBrowser(app, email, `10.31.0.${people}`)
    for (const [at, written] of [email, email.toUpperCase(), ` ${email} `].entries())
      for (const email_verified of [true, false]) {
        both[name].person = somebody({ email: written, email_verified })
        const who = browser(app, `10.32.${at}.${people}`)
        const { response } = await signInWith(who, name)
        expect(response.status).toBe(409)
        expect(await who.json('/api/auth/user')).toBeNull()
      }
    expect(await owner.json('/api/user/ways-in')).toMatchObject({ identities: [] })
  })
})

describe('cross-site post to Apple’s callback', () => {
  const callback = '/api/auth/apple/callback'
  test.each<[string, Record<string, string>]>([
    ['no fields', {}],
    ['only a code', { code: 'x' }],
    ['an empty state', { code: 'x', state: '' }],
    ['an error', { error: 'access_denied' }],
    ['a user', { user: '{"name":{"firstName":"Eve"}}' }],
    ['a user in invalid JSON', { user: '{', state: 'x' }],
  ])('with %s is rejected and leaves a pending attempt intact', async (_, fields) => {
    const bare = newBrowser()
    await expectRefused(bare, await postFromElsewhere(bare, callback, new URLSearchParams(fields)))
    apple.person = somebody()
    const who = newBrowser()
    const answer = await begin(who, 'apple')
    await expectRefused(who, await postFromElsewhere(who, callback, new URLSearchParams(fields)))
    expect((await returnFromProvider(who, 'apple', answer)).status).toBe(303)
  })
})

describe('ID token', () => {
  const now = Math.floor(Date.now() / 1_000)
  test.each<[string, Wrong]>([
    ['signed by another key', { isForged: true }],
    ['without a signature', { alg: 'none' }],
    ['signed by HMAC with the public key', { alg: 'HS256', hmacKey: 'public key' }],
    ['signed by HMAC with the client’s secret', { alg: 'HS256', hmacKey: 'secret' }],
    ['that has expired', { exp: now - 600 }],
    ['without an expiry time', { exp: null }],
    ['without an issue time', { iat: null }],
    ['for another client', { aud: 'another' }],
    [
      'for our client and another, with the other as authorized party',
      { aud: ['nocturne', 'another'], azp: 'another' },
    ],
    ['for our client and another, without an authorized party', { aud: ['nocturne', 'another'] }],
    ['for no client', { aud: [] }],
    ['of another issuer', { iss: 'https://accounts.google.com' }],
    ['of the same issuer with a trailing slash', { iss: `${bad.issuer}/` }],
    ['with another nonce', { nonce: 'replayed' }],
    ['with an empty nonce', { nonce: '' }],
  ])('%s is rejected', async (_, wrong) => {
    people += 1
    bad.wrong = wrong
    bad.person = { sub: `let in ${people}` }
    const who = newBrowser(badApp)
    const { response } = await signInWith(who, 'google')
    await expectRefused(who, response)
    expect(await badServices.db.select().from(users)).toEqual([])
  })

  test.each<[string, string]>([
    ['an empty subject', ''],
    ['a subject of more than 255 characters', 's'.repeat(256)],
    ['a subject of 100,000 characters', randomBytes(50_000).toString('hex')],
    ['a subject that contains NUL', 'before\0after'],
    ['a subject that ends with half a surrogate pair', 'x\ud83d'],
  ])('with %s is rejected', async (_, sub) => {
    people += 1
    bad.wrong = {}
    bad.person = { sub }
    const who = newBrowser(badApp)
    await expectRefused(who, (await signInWith(who, 'google')).response)
    expect(await badServices.db.select().from(users)).toEqual([])
  })

  test('with the nonce of an earlier sign-in is rejected', async () => {
    people += 1
    bad.wrong = {}
    const who = newBrowser(badApp)
    const first = new URL((await who.call('/api/auth/google')).headers.get('location') ?? '')
    bad.wrong = { nonce: first.searchParams.get('nonce') ?? '' }
    await expectRefused(who, (await signInWith(who, 'google')).response)
  })

  const hits: string[] = []
  const canary = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      hits.push(request.url)
      return Response.json({})
    },
  })
  afterAll(() => canary.stop(true))

  test('is not requested from a redirected token endpoint, which would leak the client secret', async () => {
    people += 1
    bad.wrong = { elsewhere: canary.url.href }
    const who = newBrowser(badApp)
    await expectRefused(who, (await signInWith(who, 'google')).response)
    expect(hits).toEqual([])
  })

  test('that is valid signs in, so that the rejections above mean something', async () => {
    people += 1
    bad.person = { sub: 's'.repeat(255) }
    for (const wrong of [{}, { aud: ['nocturne', 'another'], azp: 'nocturne' }]) {
      bad.wrong = wrong
      const who = newBrowser(badApp)
      expect((await signInWith(who, 'google')).response.status).toBe(303)
      expect(await who.json('/api/auth/user')).not.toBeNull()
    }
  })
})

test('sign-in returns 503 when the token endpoint closes the connection', async () => {
  people += 1
  bad.wrong = { isClosed: true }
  const who = newBrowser(badApp)
  const { response } = await signInWith(who, 'google')
  expect(response.status).toBe(503)
  expect(await markupOf(response)).toContain('Google is not answering right now.')
  expect(await who.json('/api/auth/user')).toBeNull()
  bad.wrong = {}
})

test('sign-in returns 503 while the provider’s discovery document is invalid', async () => {
  const { app: fresh } = await testApp(await socialEnvironment({ google: bad.issuer }))
  const who = newBrowser(fresh)
  const ask = () => who.call('/api/auth/google', { headers: asPerson })
  const wrong = [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://example.com',
    '/auth',
    '',
    5,
    null,
    undefined,
  ]
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'])
    for (const address of wrong) {
      bad.wrong = { discovery: { [name]: address } }
      const response = await ask()
      expect([name, address, response.status]).toEqual([name, address, 503])
      expect(await markupOf(response)).toContain('Google is not answering right now.')
    }
  bad.wrong = { discovery: { issuer: 'https://accounts.google.com' } }
  expect((await ask()).status).toBe(503)
  bad.wrong = {}
  expect((await ask()).status).toBe(303)
})
