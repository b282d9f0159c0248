import { beforeEach, describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { mailTokens, users } from '#db/schema'
import { commitMeanwhile } from '#src/library/testing'
import { takeMails } from '#src/mail/testing'
import { suspendMember } from '#src/member/console/suspend'
import { type Browser, browser, markupOf, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { isLockAwaited } from '#src/testing/lock-wait'
import { until } from '#src/testing/until'
import { dropMailTokens, makeMailToken } from './mail-token'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
let people = 0
beforeEach(async () => void (await takeMails(services)))

/** A member whose welcome mail was removed from the outbox. */
async function newMember() {
  people += 1
  const email = `old${people}@example.com`
  const who = await memberBrowser(app, email, `10.70.0.${people}`)
  const { id } = who
  await takeMails(services)
  return { who, id, email, wanted: `new${people}@example.com` }
}
type Known = Awaited<ReturnType<typeof newMember>>

const request = ({ who }: Known, email: string, word: string | undefined = password) =>
  who.call('/api/user/email', { json: { email, password: word } })
const confirm = (who: Browser, token: string) => who.call('/api/auth/change-email', { json: { token } })
const emailOf = async ({ id }: Known) => {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id))
  return row?.email
}
/** The sent mails, and the token in the mail to the new address. */
async function takeMailsTo({ wanted }: Pick<Known, 'wanted'>) {
  const mails = await takeMails(services)
  const mail = mails.find(({ to }) => to === wanted)
  return { to: mails.map(({ to }) => to).sort(), token: mail?.text.match(/token=([\w-]+)/)?.[1] ?? '' }
}
const visitor = () => browser(app, `10.71.0.${people}`)
const signIn = async (email: string) =>
  (await visitor().call('/api/auth/login', { json: { email, password } })).status

describe('change of email', () => {
  test('takes effect by the mailed link, notifies the old address twice and ends other sessions', async () => {
    const member = await newMember()
    const { who, email, wanted } = member
    const phone = visitor()
    await phone.call('/api/auth/login', { json: { email, password } })
    expect((await request(member, wanted.toUpperCase())).status).toBe(200)
    const requestedMails = await takeMailsTo(member)
    expect(requestedMails.to).toEqual([wanted, email])
    expect(await emailOf(member)).toBe(email)
    expect(await phone.json('/api/auth/user')).not.toBeNull()

    expect((await confirm(who, requestedMails.token)).status).toBe(200)
    expect(await emailOf(member)).toBe(wanted)
    expect(await who.json('/api/auth/user')).toMatchObject({ email: wanted })
    expect(await phone.json('/api/auth/user')).toBeNull()
    const sentMails = await takeMails(services)
    expect(sentMails.map(({ to }) => to)).toEqual([email])
    expect(sentMails[0]?.text).toContain('http://localhost:3000/contact')
    expect([await signIn(email), await signIn(wanted)]).toEqual([401, 200])
    const [row] = await db.select().from(users).where(eq(users.id, member.id))
    expect(row?.emailVerifiedAt).toBeInstanceOf(Date)
    expect((await confirm(who, requestedMails.token)).status).toBe(422)
  })

  test('leaves only the latest link valid when two browsers ask for it at once', async () => {
    const member = await newMember()
    const { id, wanted } = member
    const askElsewhere = async (tx: Transaction) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
      await makeMailToken(tx, 'email', { userId: id, email: `mistyped-${wanted}` }, 3_600)
    }
    expect((await commitMeanwhile(db, askElsewhere, () => request(member, wanted))).status).toBe(200)
    const isOfMember = and(eq(mailTokens.userId, id), eq(mailTokens.purpose, 'email'))
    const links = await db.select({ email: mailTokens.email }).from(mailTokens).where(isOfMember)
    expect(links).toEqual([{ email: wanted }])
  })

  test('refuses a link that becomes void while it is being opened', async () => {
    const member = await newMember()
    await request(member, member.wanted)
    const { token } = await takeMailsTo(member)
    const { confirming } = await db.transaction(async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, member.id)).for('update')
      const confirming = confirm(member.who, token)
      await until(() => isLockAwaited(db))
      await dropMailTokens(tx, member.id, 'email')
      return { confirming }
    })
    expect((await confirming).status).toBe(422)
    expect(await emailOf(member)).toBe(member.email)
  })

  test('works by forms without JavaScript and can be confirmed in another browser', async () => {
    const member = await newMember()
    const { who, wanted } = member
    expect(await markupOf(await who.call('/settings?open=email'))).toContain('Send the Mail')
    const wrong = await who.call('/settings/email', { form: { email: wanted, password: 'not this one' } })
    expect(wrong.status).toBe(422)
    expect(await markupOf(wrong)).toContain(wanted)
    const sent = await who.call('/settings/email', { form: { email: wanted, password } })
    expect(sent.headers.get('location')).toBe('/settings?said=email')
    const { token } = await takeMailsTo(member)
    const there = visitor()
    const path = `/change-email?token=${token}`
    for (const method of ['HEAD', 'GET']) expect((await there.call(path, { method })).status).toBe(200)
    expect(await emailOf(member)).toBe(member.email)
    const pressed = await there.call('/change-email', { form: { token } })
    const next = pressed.headers.get('location') ?? ''
    expect(next).toBe('/change-email?said=done&ended=sessions.1')
    expect(await markupOf(await there.call(next))).toContain(
      'Your email is changed. Signed out on 1 other device.',
    )
    expect(await emailOf(member)).toBe(wanted)
    // That browser was not signed in, so every session ends.
    expect(await who.json('/api/auth/user')).toBeNull()
    expect((await there.call('/change-email', { form: { token } })).status).toBe(422)
  })

  test('requires the password and a different, deliverable address', async () => {
    const member = await newMember()
    const fieldOf = async (response: Response) => {
      expect(response.status).toBe(422)
      return (await response.json()).fields[0].path
    }
    expect(await fieldOf(await request(member, member.wanted, 'not this one'))).toBe('password')
    expect(await fieldOf(await member.who.call('/api/user/email', { json: { email: member.wanted } }))).toBe(
      'password',
    )
    expect(await fieldOf(await request(member, member.email))).toBe('email')
    expect(await fieldOf(await request(member, 'a,b@example.com'))).toBe('email')
    expect(await fieldOf(await request(member, 'nobody'))).toBe('email')
    expect(await takeMails(services)).toEqual([])
  })

  test('requires a recent sign-in from a member without a password', async () => {
    const member = await newMember()
    await db.update(users).set({ password: null }).where(eq(users.id, member.id))
    expect((await member.who.call('/api/user/email', { json: { email: member.wanted } })).status).toBe(200)
    await db.execute(
      sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}' where user_id = ${member.id}::uuid`,
    )
    const late = await member.who.call('/api/user/email', { json: { email: member.wanted } })
    expect(late.status).toBe(422)
    expect((await late.json()).message).toContain('Sign in again')
  })

  test('answers alike for an address in use, whose link then returns 409', async () => {
    const owner = await newMember()
    const member = await newMember()
    const free = await request(member, member.wanted)
    await takeMails(services)
    const taken = await request(member, owner.email)
    expect([taken.status, await taken.text()]).toEqual([free.status, await free.text()])
    const { token } = await takeMailsTo({ wanted: owner.email })
    expect((await confirm(visitor(), token)).status).toBe(409)
    expect(await emailOf(member)).toBe(member.email)
    expect(await signIn(owner.email)).toBe(200)
  })

  test('rejects a link after a newer request, its expiry or a password change', async () => {
    const member = await newMember()
    await request(member, `mistyped-${member.wanted}`)
    const { token: mistyped } = await takeMailsTo({ wanted: `mistyped-${member.wanted}` })
    await request(member, member.wanted)
    const { token } = await takeMailsTo(member)
    expect((await confirm(member.who, mistyped)).status).toBe(422)
    await db
      .update(mailTokens)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(mailTokens.userId, member.id))
    expect((await confirm(member.who, token)).status).toBe(422)
    await request(member, member.wanted)
    const { token: third } = await takeMailsTo(member)
    await member.who.call('/api/user/password', {
      json: { currentPassword: password, newPassword: 'a quieter evening' },
    })
    expect((await confirm(member.who, third)).status).toBe(422)
    expect(await emailOf(member)).toBe(member.email)
  })

  test('is refused for a suspended member, and its link serves no other purpose', async () => {
    const member = await newMember()
    await request(member, member.wanted)
    const { token } = await takeMailsTo(member)
    expect((await visitor().call('/api/auth/verify-email', { json: { token } })).status).toBe(422)
    expect(
      (await visitor().call('/api/auth/reset-password', { json: { token, password: 'a quiet one' } })).status,
    ).toBe(422)
    await suspendMember(db, member.id, 'A mix-up', 'Ada')
    expect((await confirm(visitor(), token)).status).toBe(403)
    expect(await emailOf(member)).toBe(member.email)
  })

  test('is limited to five mails an hour', async () => {
    const member = await newMember()
    const statuses: number[] = []
    for (let at = 0; at < 6; at += 1) statuses.push((await request(member, `${at}-${member.wanted}`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('sends mails with a neutral subject in discreet mode', async () => {
    const member = await newMember()
    await member.who.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
    await request(member, member.wanted)
    expect((await takeMails(services)).map(({ subject }) => subject)).toEqual([
      'A message for you',
      'A message for you',
    ])
  })

  test('returns 401 to visitors and operators', async () => {
    const { wanted, id } = await newMember()
    for (const who of [visitor(), await operatorBrowser(app)]) {
      const json = { email: wanted, password, id, userId: id }
      expect((await who.call('/api/user/email', { json })).status).toBe(401)
      expect((await who.call('/settings/email', { form: { email: wanted, password } })).status).toBe(401)
    }
  })
})
