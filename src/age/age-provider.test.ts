import { describe, expect, test } from 'bun:test'
import { jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { signInAttempts } from '#db/schema'
import { readEnv } from '#src/env'
import { signValue } from '#src/security/signed-value'
import { type Browser, browser, markupOf, testApp } from '#src/testing/app'

const secret = 'what only the provider and we know of'
const provider = 'https://age.example.com'
const { app, services } = await testApp({ AGE_GATE: `${provider}/check?client=7`, AGE_GATE_SECRET: secret })
const key = (text = secret) => new TextEncoder().encode(text)
const now = () => Math.floor(Date.now() / 1_000)
const question = 'Are you 18 or older?'

type Wrong = Partial<{ iss: string; aud: string; jti: string; exp: number; key: string; claims: object }>

/** Acts as the provider: verifies the request as docs/age-provider.md describes, and answers it. */
async function answerTo(location: string | null, wrong: Wrong = {}): Promise<string> {
  const request = new URL(location ?? '').searchParams.get('request') ?? ''
  const { payload } = await jwtVerify(request, key(), { audience: provider, algorithms: ['HS256'] })
  const token = await new SignJWT(wrong.claims ? { ...wrong.claims } : { adult: true, method: 'id_card' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(wrong.iss ?? provider)
    .setAudience(wrong.aud ?? payload.iss ?? '')
    .setJti(wrong.jti ?? payload.jti ?? '')
    .setExpirationTime(wrong.exp ?? now() + 300)
    .sign(key(wrong.key))
  return `${new URL(String(payload.return)).pathname}?answer=${token}`
}

let visitors = 0
function visitor(): Browser {
  visitors += 1
  return browser(app, `10.40.0.${visitors}`)
}
const start = async (who: Browser, next = '/stories?q=ferry') =>
  (await who.call(`/age/check?next=${encodeURIComponent(next)}`)).headers.get('location')
const isOpen = async (who: Browser) => !(await (await who.call('/stories')).text()).includes(question)

describe('age check by an external provider', () => {
  test('is linked from the gate and returns to the requested page', async () => {
    const who = visitor()
    const gate = await markupOf(await who.call('/stories?q=ferry'))
    expect(gate).toContain('Show it at age.example.com')
    expect(gate).not.toContain('<form')
    const location = await start(who)
    expect(location).toStartWith(`${provider}/check?client=7&request=`)
    const back = await who.call(await answerTo(location))
    expect(back.status).toBe(303)
    expect(back.headers.get('location')).toBe('/stories?q=ferry')
    expect(await isOpen(who)).toBe(true)
  })

  test('sends a signed request that expires in ten minutes', async () => {
    const request = new URL((await start(visitor())) ?? '').searchParams.get('request') ?? ''
    const { payload } = await jwtVerify(request, key())
    expect(payload).toMatchObject({
      iss: 'http://localhost:3000',
      aud: provider,
      return: 'http://localhost:3000/age/answer',
    })
    expect((payload.exp ?? 0) - now()).toBeGreaterThan(580)
    expect((payload.exp ?? 0) - now()).toBeLessThanOrEqual(600)
  })

  test('stores only the method and expiry of an answer, in a cookie', async () => {
    const who = visitor()
    const until = now() + 3_600
    const claims = { adult: true, method: 'id_card', until, name: 'Mara Lind', birthdate: '1990-02-03' }
    const back = await who.call(await answerTo(await start(who), { claims }))
    const cookie = back.headers.getSetCookie().find((each) => each.startsWith('nocturne_age='))
    expect(cookie).toContain(`nocturne_age=id_card~${until}.`)
    expect(Number(cookie?.match(/Max-Age=(\d+)/)?.[1])).toBeLessThanOrEqual(3_600)
    expect(await services.db.select().from(signInAttempts)).not.toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ name: 'Mara Lind' }) }),
    )
  })

  test.each<[string, Wrong]>([
    ['signed with another key', { key: 'another secret that is long enough' }],
    ['that has expired', { exp: now() - 60 }],
    ['for another site', { aud: 'https://other.example.com' }],
    ['of another provider', { iss: 'https://evil.example.com' }],
    ['to another request', { jti: 'another' }],
    ['without claims', { claims: {} }],
    ['whose age check has expired', { claims: { adult: true, until: now() - 1 } }],
  ])('rejects an answer %s', async (_, wrong) => {
    const who = visitor()
    const refused = await who.call(await answerTo(await start(who), wrong))
    expect(refused.status).toBe(422)
    expect(await markupOf(refused)).toMatch(/Please try again\./)
    expect(await isOpen(who)).toBe(false)
  })

  test('rejects our own request, an unsigned token and another algorithm as an answer', async () => {
    const who = visitor()
    const request = new URL((await start(who)) ?? '').searchParams.get('request') ?? ''
    const { payload } = await jwtVerify(request, key())
    const claims = { adult: true, jti: payload.jti, iss: provider, aud: payload.iss, exp: now() + 300 }
    const stronger = await new SignJWT(claims).setProtectedHeader({ alg: 'HS512' }).sign(key())
    for (const token of [request, new UnsecuredJWT(claims).encode(), stronger, '', 'x'.repeat(10_000)]) {
      const { status } = await who.call(`/age/answer?answer=${token}`)
      expect([414, 422]).toContain(status)
      expect(await isOpen(who)).toBe(false)
    }
  })

  test.each([
    '//evil.example.com',
    'https://evil.example.com/',
    '/\\evil.example.com',
    '/\t/evil.example.com',
  ])('has a fixed return address, and redirects to the front page for next=%j', async (next) => {
    const who = visitor()
    const location = await start(who, next)
    const request = new URL(location ?? '').searchParams.get('request') ?? ''
    expect((await jwtVerify(request, key())).payload.return).toBe('http://localhost:3000/age/answer')
    expect((await who.call(await answerTo(location))).headers.get('location')).toBe('/')
  })

  test('accepts an answer once, only in the browser that asked', async () => {
    const who = visitor()
    const answer = await answerTo(await start(who))
    const other = visitor()
    expect((await other.call(answer)).status).toBe(422)
    await start(other)
    expect((await other.call(answer)).status).toBe(422)
    const cookies = new Map(who.jar)
    expect((await who.call(answer)).status).toBe(303)
    who.jar.delete('nocturne_age')
    for (const [name, value] of cookies) who.jar.set(name, value)
    expect((await who.call(answer)).status).toBe(422)
    expect(await isOpen(who)).toBe(false)
  })

  test('responds to an underage answer with 403 and a kind message', async () => {
    const who = visitor()
    const answer = await who.call(await answerTo(await start(who), { claims: { adult: false } }))
    expect(answer.status).toBe(403)
    expect(await markupOf(answer)).toContain('Take good care until then.')
    expect(await isOpen(who)).toBe(false)
  })

  test('is not bypassed by self-confirmation or by an expired cookie', async () => {
    const who = visitor()
    expect((await who.call('/age', { form: { next: '/' } })).status).toBe(403)
    who.jar.set('nocturne_age', signValue(services.secrets.session, 'nocturne_age', 'confirmed'))
    expect(await isOpen(who)).toBe(false)
    who.jar.set('nocturne_age', signValue(services.secrets.session, 'nocturne_age', `id_card~${now() - 1}`))
    expect(await isOpen(who)).toBe(false)
  })
})

test('provider routes return 404 when no provider is set', async () => {
  const { app: confirming } = await testApp({ AGE_GATE: 'confirm' })
  const who = browser(confirming)
  expect((await who.call('/age/check')).status).toBe(404)
  expect((await who.call('/age/answer?answer=x')).status).toBe(404)
})

test('startup fails when the provider’s shared secret is missing or too short', () => {
  expect(() => readEnv({ AGE_GATE: provider })).toThrow('AGE_GATE_SECRET missing')
  expect(() => readEnv({ AGE_GATE: provider, AGE_GATE_SECRET: 'short' })).toThrow('AGE_GATE_SECRET')
})
