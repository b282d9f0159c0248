import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { identities, mailTokens, rememberedDevices, users } from '#db/schema'
import { takeMails } from '#src/mail/testing'
import { suspendMember } from '#src/member/console/suspend'
import { sha256 } from '#src/security/keyed-hash'
import { type Browser, browser, markupOf, memberBrowser, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
const chosen = 'a quieter evening still'
let people = 0

/** A member whose welcome mail was removed from the outbox. */
async function newMember() {
  people += 1
  const email = `ana${people}@example.com`
  const address = `10.1.0.${people}`
  const who = await memberBrowser(app, email, address)
  const user: { id: string } = await who.json('/api/auth/user')
  // An earlier test may have left a notice.
  const welcome = (await takeMails(services)).findLast(({ to }) => to === email)
  return { email, address, who, id: user.id, welcome: welcome?.text ?? '' }
}

/** Requests a mail and returns the token of its link. */
async function askForLink(email: string, address = '10.2.0.1'): Promise<string> {
  await browser(app, address).call('/api/auth/forgot-password', { json: { email } })
  const mail = (await takeMails(services)).findLast(({ to }) => to === email)
  return tokenIn(mail?.text ?? '')
}

function tokenIn(text: string): string {
  return text.match(/token=([\w-]+)/)?.[1] ?? ''
}

const signIn = (email: string, word: string) =>
  browser(app, '10.3.0.1').call('/api/auth/login', { json: { email, password: word } })
const choose = (who: Browser, token: string, word = chosen) =>
  who.call('/api/auth/reset-password', { json: { token, password: word } })

describe('password recovery', () => {
  test('replaces the password by a mailed link, ends other sessions and signs in', async () => {
    const { email, who, id } = await newMember()
    const token = await askForLink(email)
    const here = browser(app)
    expect((await choose(here, token)).status).toBe(200)
    expect((await here.json('/api/auth/user')).email).toBe(email)
    expect(await who.json('/api/auth/user')).toBeNull()
    // Other remembered devices were deleted.
    const deviceToken = here.jar.get('nocturne_device') ?? ''
    const devices = await db.select().from(rememberedDevices).where(eq(rememberedDevices.userId, id))
    expect(devices.map(({ tokenHash }) => tokenHash)).toEqual([sha256(deviceToken)])
    expect((await signIn(email, password)).status).toBe(401)
    expect((await signIn(email, chosen)).status).toBe(200)
  })

  test('works by forms without JavaScript', async () => {
    const { email } = await newMember()
    const here = browser(app, '10.2.0.2')
    const requested = await here.call('/reset-password', { form: { email } })
    expect(requested.headers.get('location')).toBe('/reset-password?said=sent')
    expect(await markupOf(await here.call('/reset-password?said=sent'))).toContain('Check your inbox')
    const [mail] = await takeMails(services)
    const link = new URL(mail?.text.match(/https?:\S+/)?.[0] ?? '')
    const page = await markupOf(await here.call(link.pathname + link.search))
    const token = page.match(/name="token" value="([^"]+)"/)?.[1] ?? ''
    const short = await here.call('/reset-password/choose', { form: { token, password: 'abc' } })
    expect(short.status).toBe(422)
    const again = await markupOf(short)
    expect(again).toContain(token)
    expect(again).toMatch(/name="password"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="password"/)
    expect(again).not.toContain('role="alert"')
    const saved = await here.call('/reset-password/choose', { form: { token, password: chosen } })
    expect(saved.headers.get('location')).toBe('/settings?said=recovered&ended=sessions.1')
    expect((await here.json('/api/auth/user')).email).toBe(email)
  })

  test('shows at once that a link was used, and offers another mail', async () => {
    const { email, welcome } = await newMember()
    const token = await askForLink(email, '10.2.0.9')
    const here = browser(app, '10.2.0.9')
    const open = async (path: string) => markupOf(await here.call(path))
    expect(await open(`/reset-password?token=${token}`)).toContain('Choose a new password')
    await choose(here, token)
    const over = await open(`/reset-password?token=${token}`)
    expect(over).toContain('This link was already used or has expired.')
    expect(over).toContain('Send the mail')
    expect(over).not.toContain('type="password"')
    expect(await open(`/verify-email?token=${tokenIn(welcome)}x`)).toContain('This link no longer works')
    expect(await open('/change-email?token=gone')).toContain('This link no longer works')
  })

  test('answers the same for an unknown address but sends no mail', async () => {
    const { email } = await newMember()
    const request = async (to: string) => {
      const response = await browser(app, '10.2.0.3').call('/api/auth/forgot-password', {
        json: { email: to },
      })
      return { status: response.status, body: await response.text() }
    }
    const known = await request(email)
    expect(await takeMails(services)).toHaveLength(1)
    expect(await request('nobody@example.com')).toEqual(known)
    expect(await takeMails(services)).toEqual([])
  })

  test('does the same work in the request for known and unknown addresses', async () => {
    const { email } = await newMember()
    const workOf = async (to: string) => {
      const [before] = await db.execute<{ rows: number }>(sql`select count(*)::int as rows from mail_tokens`)
      await browser(app, '10.2.0.4').call('/api/auth/forgot-password', { json: { email: to } })
      const [after] = await db.execute<{ rows: number }>(sql`select count(*)::int as rows from mail_tokens`)
      const jobs = await db.execute<{ kind: string; length: number }>(
        sql`select kind from jobs where state = 'queued' order by kind`,
      )
      await takeMails(services)
      return { tokens: (after?.rows ?? 0) - (before?.rows ?? 0), jobs: jobs.map(({ kind }) => kind) }
    }
    expect(await workOf(email)).toEqual({ tokens: 0, jobs: ['password-reset'] })
    expect(await workOf('nobody-either@example.com')).toEqual({ tokens: 0, jobs: ['password-reset'] })
  })

  test('queues its mail without storing the address in the job', async () => {
    const { email } = await newMember()
    await browser(app, '10.2.0.5').call('/api/auth/forgot-password', { json: { email } })
    const rows = await db.execute(sql`select 1 from jobs where jobs::text like ${`%${email}%`}`)
    expect(rows).toHaveLength(0)
    await takeMails(services)
  })

  test('accepts a link once, which also invalidates earlier links', async () => {
    const { email } = await newMember()
    const earlier = await askForLink(email)
    const token = await askForLink(email)
    expect((await choose(browser(app), token)).status).toBe(200)
    for (const used of [token, earlier]) {
      const again = await choose(browser(app), used)
      expect(again.status).toBe(422)
      expect((await again.json()).fields).toMatchObject([{ path: 'token' }])
    }
  })

  test('succeeds for only one of two concurrent uses of a link', async () => {
    const { email } = await newMember()
    const token = await askForLink(email)
    const answers = await Promise.all([choose(browser(app), token), choose(browser(app), token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('does not use up a link by HEAD or GET', async () => {
    const { email } = await newMember()
    const token = await askForLink(email)
    for (const method of ['HEAD', 'GET', 'GET'])
      expect((await browser(app).call(`/reset-password?token=${token}`, { method })).status).toBe(200)
    expect((await choose(browser(app), token)).status).toBe(200)
  })

  test('expires its link after an hour and stores only a hash of the token', async () => {
    const { email, id } = await newMember()
    const token = await askForLink(email)
    const [row] = await db.select().from(mailTokens).where(eq(mailTokens.purpose, 'reset'))
    const seconds = (Number(row?.expiresAt) - Date.now()) / 1_000
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_601)
    expect(JSON.stringify(row)).not.toContain(token)
    await db
      .update(mailTokens)
      .set({ expiresAt: new Date(0) })
      .where(eq(mailTokens.userId, id))
    const shown = await markupOf(await browser(app).call(`/reset-password?token=${token}`))
    expect(shown).toContain('This link was already used or has expired.')
    expect((await choose(browser(app), token)).status).toBe(422)
  })

  test('suggests signing in when a used link is submitted again', async () => {
    const { email } = await newMember()
    const token = await askForLink(email, '10.2.0.7')
    const press = () => browser(app).call('/reset-password/choose', { form: { token, password: chosen } })
    expect((await press()).status).toBe(303)
    const again = await press()
    expect(again.status).toBe(422)
    const shown = await markupOf(again)
    expect(shown).toContain('If you saved a password with it, sign in with that.')
    expect(shown.slice(shown.indexOf('action="/reset-password/choose"'))).toContain('href="/sign-in"')
  })

  test('rejects a weak password and keeps the link valid', async () => {
    const { email } = await newMember()
    const token = await askForLink(email)
    for (const weak of ['short', 'password123'])
      expect((await choose(browser(app), token, weak)).status).toBe(422)
    expect((await choose(browser(app), token)).status).toBe(200)
  })

  test('adds a password to an account that signs in with a provider', async () => {
    const { email, id } = await newMember()
    await db
      .update(users)
      .set({ password: null, oauthProvider: 'google', emailVerifiedAt: new Date() })
      .where(eq(users.id, id))
    await db.insert(identities).values({ userId: id, provider: 'google', subject: 'of ana' })
    expect((await choose(browser(app), await askForLink(email))).status).toBe(200)
    expect((await signIn(email, chosen)).status).toBe(200)
    expect(await db.select().from(identities).where(eq(identities.userId, id))).toHaveLength(1)
  })

  test('unlinks accounts that were linked before the address was confirmed', async () => {
    const { email, id } = await newMember()
    await db.insert(identities).values({ userId: id, provider: 'facebook', subject: 'of eve' })
    expect((await choose(browser(app), await askForLink(email))).status).toBe(200)
    expect(await db.select().from(identities).where(eq(identities.userId, id))).toEqual([])
  })

  test('returns 403 with the reason to a suspended member', async () => {
    const { email, id } = await newMember()
    const token = await askForLink(email)
    await suspendMember(db, id, 'A mix-up', 'Ada')
    const answer = await choose(browser(app), token)
    expect(answer.status).toBe(403)
    expect((await answer.json()).message).toContain('A mix-up')
  })

  test('is rate-limited per IP address and per mailbox', async () => {
    const request = (email: string, address: string) =>
      browser(app, address).call('/api/auth/forgot-password', { json: { email } })
    for (let time = 0; time < 5; time += 1)
      expect((await request('flood@example.com', `10.4.0.${time}`)).status).toBe(200)
    expect((await request('flood@example.com', '10.4.0.9')).status).toBe(429)
    for (let time = 0; time < 20; time += 1) await request(`many${time}@example.com`, '10.4.1.1')
    expect((await request('one-more@example.com', '10.4.1.1')).status).toBe(429)
    await takeMails(services)
  })

  test('sends no mail to an ambiguous address', async () => {
    const email = 'a,b@example.com'
    await browser(app, '10.5.0.1').call('/api/auth/register', { json: { email, password } })
    await browser(app, '10.5.0.1').call('/api/auth/forgot-password', { json: { email } })
    expect(await takeMails(services)).toEqual([])
  })
})

describe('email confirmation', () => {
  const isVerified = async (id: string) => {
    const [row] = await db.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, id))
    return row?.at !== null
  }

  test('happens by submitting the welcome mail’s link, not by opening it', async () => {
    const { id, welcome } = await newMember()
    const path = `/verify-email?token=${tokenIn(welcome)}`
    const stranger = browser(app, '10.6.0.1')
    for (const method of ['HEAD', 'GET']) expect((await stranger.call(path, { method })).status).toBe(200)
    expect(await isVerified(id)).toBe(false)
    const pressed = await stranger.call('/verify-email', { form: { token: tokenIn(welcome) } })
    expect(pressed.headers.get('location')).toBe('/verify-email?said=done')
    expect(await markupOf(await stranger.call('/verify-email?said=done'))).toContain(
      'Your email is confirmed.',
    )
    expect(await isVerified(id)).toBe(true)
    expect((await stranger.call('/verify-email', { form: { token: tokenIn(welcome) } })).status).toBe(422)
  })

  test('is not required for signing in or using the account', async () => {
    const { who, email } = await newMember()
    expect((await who.call('/api/user/settings')).status).toBe(200)
    expect((await signIn(email, password)).status).toBe(200)
  })

  test('is asked for in Settings, with a button for another mail, until it is done', async () => {
    const { who, id } = await newMember()
    expect(await markupOf(await who.call('/settings'))).toContain('Not confirmed yet')
    expect((await who.call('/settings/verify-email', { form: {} })).headers.get('location')).toBe(
      '/settings?said=mail',
    )
    const [mail] = await takeMails(services)
    const token = tokenIn(mail?.text ?? '')
    expect((await who.call('/api/auth/verify-email', { json: { token } })).status).toBe(200)
    expect(await isVerified(id)).toBe(true)
    expect(await markupOf(await who.call('/settings'))).not.toContain('Not confirmed yet')
    expect((await who.call('/api/user/verify-email', { json: {} })).status).toBe(409)
  })

  test('sends a mail with a neutral subject in discreet mode', async () => {
    const { who } = await newMember()
    await who.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
    await who.call('/api/user/verify-email', { json: {} })
    const [mail] = await takeMails(services)
    expect(mail?.subject).toBe('A message for you')
  })

  test('is limited to five mails an hour', async () => {
    const { who } = await newMember()
    const statuses: number[] = []
    for (let time = 0; time < 6; time += 1)
      statuses.push((await who.call('/api/user/verify-email', { json: {} })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    await takeMails(services)
  })

  test('rejects a recovery link, and recovery rejects a confirmation link', async () => {
    const { email, welcome } = await newMember()
    expect((await choose(browser(app), tokenIn(welcome))).status).toBe(422)
    const token = await askForLink(email, '10.6.0.2')
    expect((await browser(app).call('/api/auth/verify-email', { json: { token } })).status).toBe(422)
  })

  test('rejects a link to an address that has changed since', async () => {
    const { id, welcome } = await newMember()
    await db.update(users).set({ email: 'another@example.com' }).where(eq(users.id, id))
    const answer = await browser(app).call('/api/auth/verify-email', { json: { token: tokenIn(welcome) } })
    expect(answer.status).toBe(422)
    expect(await isVerified(id)).toBe(false)
  })
})

describe('request for another confirmation mail', () => {
  test('returns 401 to visitors', async () => {
    expect((await browser(app).call('/api/user/verify-email', { json: {} })).status).toBe(401)
    expect((await browser(app).call('/settings/verify-email', { form: {} })).status).toBe(401)
  })
})
