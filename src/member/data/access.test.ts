import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import {
  feedTokens,
  identities,
  mailTokens,
  passkeys,
  pushDevices,
  rememberedDevices,
  sessions,
  signInAttempts,
  users,
} from '#db/schema'
import type { FeedAddresses } from '#src/feed/schema'
import { makeFeeds } from '#src/feed/token'
import { takeMails } from '#src/mail/testing'
import { liftSuspension, suspendMember } from '#src/member/console/suspend'
import { askForNewEmail } from '#src/member/email/change-email'
import { makeMailToken } from '#src/member/email/mail-token'
import { setPin } from '#src/member/pin/pin'
import { signOutElsewhere } from '#src/member/settings/account'
import { testBrowserKeys } from '#src/push/testing'
import { sha256 } from '#src/security/keyed-hash'
import { lockSession } from '#src/session/session'
import { linkIdentity } from '#src/social/enter'
import {
  type Browser,
  browser,
  markupOf,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'
import { isLockAwaited, isTableAwaited } from '#src/testing/lock-wait'
import { until } from '#src/testing/until'
import { endAccess } from './access'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
const chosen = 'a quieter evening still'
const nobody = browser(app, '10.90.0.1')
let people = 0

/** A member with everything that gives access to an account: registered with a password, signed in on two browsers. */
async function openAccount() {
  people += 1
  const email = `open${people}@example.com`
  const here = await memberBrowser(app, email, `10.91.0.${people}`)
  const there = browser(app, `10.92.0.${people}`)
  await there.call('/api/auth/login', { json: { email, password } })
  const { id } = here
  for (const each of [here, there]) await takeNotifications(each)
  const feeds: FeedAddresses = await there.json('/api/user/feeds', { json: {} })
  await db.insert(identities).values({ userId: id, provider: 'facebook', subject: `subject of ${id}` })
  await db.insert(passkeys).values({
    userId: id,
    name: 'A phone',
    credentialId: `credential ${id}`,
    publicKey: 'a key',
    counter: 0,
    isBackedUp: false,
  })
  await makeMailToken(db, 'email', { userId: id, email: `elsewhere-${email}` }, 3_600)
  await makeMailToken(db, 'reset', { userId: id, email }, 3_600)
  await db.insert(signInAttempts).values({
    tokenHash: sha256(id),
    kind: 'google',
    userId: id,
    secret: {},
    expiresAt: new Date(Date.now() + 60_000),
  })
  await setPin(db, id, '2468')
  await takeMails(services)
  return { id, email, here, there, feeds }
}
type Account = Awaited<ReturnType<typeof openAccount>>

async function takeNotifications(who: Browser): Promise<void> {
  people += 1
  const { keys } = testBrowserKeys()
  await who.call('/api/user/push', { json: { endpoint: `https://push.example.com/${people}`, keys } })
}

async function recover(email: string, who = browser(app, '10.93.0.1')) {
  await browser(app, `10.94.0.${++people}`).call('/api/auth/forgot-password', { json: { email } })
  const mail = (await takeMails(services)).findLast(({ to }) => to === email)
  const token = mail?.text.match(/token=([\w-]+)/)?.[1]
  const answer = await who.json('/api/auth/reset-password', { json: { token, password: chosen } })
  return { who, message: String(answer.message) }
}

const pathOf = (url: string) => url.slice(services.env.publicUrl.length)
const feedStatus = async ({ feeds }: Account) => (await nobody.call(pathOf(feeds.podcastUrl))).status
const verify = ({ id }: Account) =>
  db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, id))
const changePassword = async ({ here }: Account) =>
  here.json('/api/user/password', { json: { currentPassword: password, newPassword: chosen } })

/** Counts each kind of access to the account. */
async function countAccess({ id }: Pick<Account, 'id'>) {
  const tables = { sessions, passkeys, identities, feedTokens, pushDevices, mailTokens } as const
  const counts: Record<string, number> = {}
  for (const [name, table] of Object.entries({ ...tables, rememberedDevices, signInAttempts }))
    counts[name] = await db.$count(table, eq(table.userId, id))
  counts.pins = (await db.select({ pinHash: users.pinHash }).from(users).where(eq(users.id, id))).filter(
    ({ pinHash }) => pinHash !== null,
  ).length
  return counts
}

const everything = {
  sessions: 2,
  passkeys: 1,
  identities: 1,
  feedTokens: 1,
  pushDevices: 2,
  // Includes the link that confirms the address.
  mailTokens: 3,
  rememberedDevices: 2,
  signInAttempts: 1,
  pins: 1,
}
/** The acting browser stays signed in, subscribed to notifications, and remembered. */
const onlyHere = {
  ...everything,
  sessions: 1,
  feedTokens: 0,
  pushDevices: 1,
  // The link that confirms the current address stays: it opens no session.
  mailTokens: 1,
  rememberedDevices: 1,
  signInAttempts: 0,
}

test('the test account has every kind of access', async () => {
  expect(await countAccess(await openAccount())).toEqual(everything)
})

describe('recovery of an account that somebody else registered with the owner’s address', () => {
  test('stops the earlier feeds from serving the owner’s new items', async () => {
    const account = await openAccount()
    const { who } = await recover(account.email)
    const story = { title: 'A Secret Pier', content: 'They sat on the pier alone.', categories: ['romantic'] }
    const { id } = await who.json('/api/user/content', { json: story })
    await narrateWithTone(services, id, 2)
    const { podcastUrl, catalogueUrl } = account.feeds
    const audio = `${pathOf(podcastUrl).replace(/\.xml$/, '')}/${id}/female.mp3`
    for (const path of [pathOf(podcastUrl), pathOf(catalogueUrl), audio]) {
      const answer = await nobody.call(path)
      expect([answer.status, (await answer.text()).includes('Secret')]).toEqual([404, false])
    }
    const own: FeedAddresses = await who.json('/api/user/feeds', { json: {} })
    expect(await (await nobody.call(pathOf(own.podcastUrl))).text()).toContain('A Secret Pier')
  })

  test('ends every session, feed, passkey, linked account, mailed link, device and PIN', async () => {
    const account = await openAccount()
    const { message } = await recover(account.email)
    expect(await countAccess(account)).toEqual({
      sessions: 1,
      passkeys: 0,
      identities: 0,
      feedTokens: 0,
      pushDevices: 0,
      mailTokens: 1,
      rememberedDevices: 1,
      signInAttempts: 0,
      pins: 0,
    })
    expect(message).toBe(
      'Your password is changed. Signed out on 2 other devices. The private feeds have ended: make new ones in Settings. 1 passkey was removed. 1 linked account was unlinked. The PIN is off. Links in earlier mails no longer work.',
    )
  })
})

describe('access to an account', () => {
  test('ends with a recovery of a confirmed address, except passkeys and linked accounts', async () => {
    const account = await openAccount()
    await verify(account)
    const { message } = await recover(account.email)
    expect(await countAccess(account)).toEqual({
      ...everything,
      sessions: 1,
      feedTokens: 0,
      pushDevices: 0,
      mailTokens: 1,
      rememberedDevices: 1,
      signInAttempts: 0,
    })
    expect(message).toBe(
      'Your password is changed. Signed out on 2 other devices. The private feeds have ended: make new ones in Settings. Links in earlier mails no longer work. 1 passkey and 1 linked account still open it: look through Ways to sign in, and remove what is not yours.',
    )
    expect(await feedStatus(account)).toBe(404)
  })

  test('ends with a password change, except in the browser that made it', async () => {
    const account = await openAccount()
    const { message } = await changePassword(account)
    expect(message).toBe(
      'Your password is changed. Signed out on 1 other device. The private feeds have ended: make new ones in Settings. Links in earlier mails no longer work.',
    )
    expect(await countAccess(account)).toEqual(onlyHere)
    expect(await account.here.json('/api/auth/user')).not.toBeNull()
    expect(await account.there.json('/api/auth/user')).toBeNull()
    expect(await feedStatus(account)).toBe(404)
    const device = await db
      .select({ tokenHash: rememberedDevices.tokenHash })
      .from(rememberedDevices)
      .where(eq(rememberedDevices.userId, account.id))
    expect(device).toEqual([{ tokenHash: sha256(account.here.jar.get('nocturne_device') ?? '') }])
  })

  test('ends with “sign out elsewhere”, except in the browser that asked for it', async () => {
    const account = await openAccount()
    const { message } = await account.here.json('/api/user/sessions', { method: 'DELETE', json: {} })
    expect(message).toBe(
      'Signed out on 1 other device. The private feeds have ended: make new ones in Settings. Links in earlier mails no longer work.',
    )
    expect(await countAccess(account)).toEqual(onlyHere)
    expect(await feedStatus(account)).toBe(404)
    const again = await account.here.json('/api/user/sessions', { method: 'DELETE', json: {} })
    expect(again.message).toBe('You are not signed in anywhere else.')
  })

  test('ends with a change of email, except in the browser that followed the mail’s link', async () => {
    const account = await openAccount()
    const wanted = `new-${account.email}`
    await account.here.call('/api/user/email', { json: { email: wanted, password } })
    const mail = (await takeMails(services)).find(({ to }) => to === wanted)
    const token = mail?.text.match(/token=([\w-]+)/)?.[1]
    const answer = await account.here.json('/api/auth/change-email', { json: { token } })
    expect(answer.message).toStartWith('Your email is changed. Signed out on 1 other device.')
    expect(await countAccess(account)).toEqual(onlyHere)
    expect(await feedStatus(account)).toBe(404)
  })

  test('ends when an operator signs the member out', async () => {
    const account = await openAccount()
    const operator = await operatorBrowser(app)
    await operator.call(`/api/members/${account.id}/sessions`, { method: 'DELETE', json: {} })
    expect(await countAccess(account)).toEqual({
      ...onlyHere,
      sessions: 0,
      pushDevices: 0,
      rememberedDevices: 0,
    })
    expect(await feedStatus(account)).toBe(404)
  })
})

test('a suspension ends sessions and pauses feeds until it is lifted', async () => {
  const account = await openAccount()
  await suspendMember(db, account.id, 'A mix-up', 'Ada')
  expect(await countAccess(account)).toEqual({
    ...everything,
    sessions: 0,
    pushDevices: 0,
    signInAttempts: 0,
  })
  expect(await feedStatus(account)).toBe(404)
  await liftSuspension(db, account.id, 'Ada')
  expect(await feedStatus(account)).toBe(200)
})

describe('a browser that is signed out hears nothing more, also of what it was just hearing', () => {
  type Ways = Record<string, (account: { id: string; email: string; here: Browser }) => Promise<unknown>>
  const ways: Ways = {
    'a changed password': ({ here }) =>
      here.call('/api/user/password', { json: { currentPassword: password, newPassword: chosen } }),
    '“sign out elsewhere”': ({ here }) => here.call('/api/user/sessions', { method: 'DELETE', json: {} }),
    'a recovery': ({ email }) => recover(email),
    'another email': async ({ id, email, here }) => {
      const token = await makeMailToken(db, 'email', { userId: id, email: `new-${email}` }, 60)
      await here.call('/api/auth/change-email', { json: { token } })
    },
  }
  test.each(Object.entries(ways))('by %s', async (_, signOut) => {
    people += 1
    const email = `heard${people}@example.com`
    const here = await memberBrowser(app, email, `10.96.0.${people}`)
    const there = browser(app, `10.97.0.${people}`)
    await there.call('/api/auth/login', { json: { email, password } })
    const { id } = await publishTestItem(services, { title: `The Ferry ${people}` })
    await narrateWithTone(services, id, 2)
    const hear = async () => (await there.call(`/api/premium-audio/${id}/female`)).status
    expect(await hear()).toBe(200)
    await signOut({ id: here.id, email, here })
    expect(await hear()).toBe(403)
  })
})

test('ending one member’s access leaves other members’ access alone', async () => {
  const [account, other] = [await openAccount(), await openAccount()]
  await changePassword(account)
  await recover(account.email)
  expect(await countAccess(other)).toEqual(everything)
})

describe('message about ended access', () => {
  test('is shown on the page after a form without JavaScript', async () => {
    const account = await openAccount()
    const changed = await account.here.call('/settings/password', {
      form: { currentPassword: password, newPassword: chosen },
    })
    const page = await markupOf(await account.here.call(changed.headers.get('location') ?? ''))
    expect(page).toContain('Your password is changed. Signed out on 1 other device.')
    expect(page).toContain('The private feeds have ended: make new ones in Settings.')
    const left = await account.here.call('/settings/sessions', { form: {} })
    expect(await markupOf(await account.here.call(left.headers.get('location') ?? ''))).toContain(
      'You are not signed in anywhere else.',
    )
  })

  test('is shown on the page after a recovery', async () => {
    const account = await openAccount()
    await verify(account)
    const token = await makeMailToken(db, 'reset', { userId: account.id, email: account.email }, 60)
    const who = browser(app, '10.95.0.1')
    const saved = await who.call('/reset-password/choose', { form: { token, password: chosen } })
    const page = await markupOf(await who.call(saved.headers.get('location') ?? ''))
    expect(page).toContain('Signed out on 2 other devices.')
    expect(page).toContain('look through Ways to sign in')
  })

  test('is part of the mail about a changed password', async () => {
    const account = await openAccount()
    await changePassword(account)
    const [mail] = await takeMails(services)
    expect(mail?.text).toContain(
      'The password of your account was changed. Signed out on 1 other device. The private feeds have ended: make new ones in Settings.',
    )
  })

  test('cannot be forged by query parameters', async () => {
    const account = await openAccount()
    for (const ended of ['sessions.1e9', 'nothing.3', 'sessions.-1', '<b>', 'sessions.1,sessions'])
      expect(
        await markupOf(await account.here.call(`/settings?said=password&ended=${encodeURIComponent(ended)}`)),
      ).not.toMatch(/Signed out on (?!1 other device)|<b>/)
  })
})

test('a call from a session that ended meanwhile creates no new access and ends no other', async () => {
  const { id, here, there } = await openAccount()
  const sid = sha256(there.jar.get('nocturne_session') ?? '')
  const wanted = { email: 'later@example.com', password: chosen }
  await here.json('/api/user/password', { json: { currentPassword: password, newPassword: chosen } })
  const person = { provider: 'apple', subject: 'late', email: null, isEmailVerified: false } as const
  for (const late of [
    () => makeFeeds(services, { id, sid }),
    () => askForNewEmail(services, { id, sid, email: null }, wanted),
    () => linkIdentity(services, { id, sid }, { ...person, firstName: null, lastName: null }),
    () => signOutElsewhere(db, { id, sid }, { sid, deviceToken: null }),
  ])
    expect(await late().catch(({ code }) => code)).toBe('sign_in_required')
  expect(await countAccess({ id })).toEqual(onlyHere)
})

test('a feed renewed while access is being ended is ended too', async () => {
  const { id, there } = await openAccount()
  const sid = sha256(there.jar.get('nocturne_session') ?? '')
  const made = db.transaction(async (tx) => {
    await lockSession(tx, { id, sid })
    // This waits for the transaction, which creates a feed in the meantime.
    const ended = db.transaction((ending) => endAccess(ending, id, 'sign-out'))
    await until(() => isLockAwaited(db))
    await tx.update(feedTokens).set({ tokenHash: 'made late' }).where(eq(feedTokens.userId, id))
    return { ended }
  })
  await (await made).ended
  expect(await db.$count(feedTokens, eq(feedTokens.userId, id))).toBe(0)
})

test('a session that expires on its own leaves the feeds working', async () => {
  const account = await openAccount()
  await db.delete(sessions).where(eq(sessions.userId, account.id))
  expect(await feedStatus(account)).toBe(200)
})

test('a sign-in whose session is ended before the browser is remembered returns 401 and remembers nothing', async () => {
  const { id, email } = await openAccount()
  const before = await db.$count(rememberedDevices, eq(rememberedDevices.userId, id))
  const { signingIn } = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table login_events in share mode`)
    const signingIn = browser(app, '10.95.0.1').call('/api/auth/login', { json: { email, password } })
    await until(() => isTableAwaited(db, 'login_events'))
    await endAccess(tx, id, 'suspension')
    return { signingIn }
  })
  expect((await signingIn).status).toBe(401)
  expect(await db.$count(rememberedDevices, eq(rememberedDevices.userId, id))).toBe(before)
})
