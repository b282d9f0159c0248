import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { pushDevices, sessions } from '#db/schema'
import { makeFeeds } from '#src/feed/token'
import { signOutEverywhere, suspendMember } from '#src/member/console/suspend'
import { askForNewEmail, confirmNewEmail } from '#src/member/email/change-email'
import { makeMailToken } from '#src/member/email/mail-token'
import { choosePassword } from '#src/member/recovery/reset-password'
import { changePassword, deleteOwnAccount, signOutElsewhere } from '#src/member/settings/account'
import { rememberBrowser } from '#src/member/sign-in/remembered-device'
import { addDevice } from '#src/push/add-device'
import { moveDevice } from '#src/push/move-device'
import { testBrowserKeys } from '#src/push/testing'
import { sha256 } from '#src/security/keyed-hash'
import { lockMemberRow, openSession } from '#src/session/session'
import { linkIdentity, unlinkIdentity } from '#src/social/enter'
import { memberBrowser, memberPassword, testApp } from '#src/testing/app'
import { isLockAwaited, listTablesOfWaiting } from '#src/testing/lock-wait'
import { until } from '#src/testing/until'
import { createUserStory } from '#src/user-story/create'
import { editUserStory } from '#src/user-story/edit'
import type { UserStoryDraft } from '#src/user-story/schema'
import { shareOwn } from '#src/user-story/share'
import { deleteMember } from './delete'

const { app, services } = await testApp()
const { db } = services
const newPassword = 'a quieter evening still'
const draft: UserStoryDraft = {
  title: 'The Pier',
  content: 'They sat on the pier.',
  categories: ['romantic'],
}
const cookies = new Bun.CookieMap()
const subscription = { endpoint: 'https://push.example.com/1', keys: testBrowserKeys().keys }
let people = 0

async function openAccount() {
  people += 1
  const email = `member${people}@example.com`
  const { id, jar } = await memberBrowser(app, email, `10.91.0.${people}`)
  const token = jar.get('nocturne_session') ?? ''
  const member = { id, sid: sha256(token) }
  const person = { provider: 'apple', subject: id, email, isEmailVerified: true } as const
  const identity = { ...person, firstName: null, lastName: null }
  await linkIdentity(services, member, { ...identity, provider: 'google' })
  return {
    ...member,
    member,
    token,
    email,
    identity,
    retained: { sid: member.sid, deviceToken: null },
    resetToken: await makeMailToken(db, 'reset', { userId: id, email }, 60),
    emailToken: await makeMailToken(db, 'email', { userId: id, email: `new-${email}` }, 60),
    storyId: (await createUserStory(services, id, draft)).id,
  }
}
type Account = Awaited<ReturnType<typeof openAccount>>

const subscribe = ({ id, sid }: Account) =>
  addDevice(services, { userId: id, sid, device: 'A phone' }, subscription)

const changes: Record<string, (account: Account) => Promise<unknown>> = {
  'a deletion of the own account': ({ member, email }) => deleteOwnAccount(services, member, { email }),
  'a deletion by an operator': ({ id }) => deleteMember(services, id, 'Ada'),
  '“sign out elsewhere”': ({ member, retained }) => signOutElsewhere(db, member, retained),
  '“sign out everywhere”': ({ id }) => signOutEverywhere(db, id, 'Ada'),
  'a suspension': ({ id }) => suspendMember(db, id, 'A mix-up', 'Ada'),
  'a changed password': ({ id, retained }) =>
    changePassword(services, id, { currentPassword: memberPassword, newPassword }, retained),
  'a recovery': ({ resetToken }) =>
    choosePassword(services, { token: resetToken, password: newPassword }, 'an address'),
  'a request for another email': ({ member, email }) =>
    askForNewEmail(services, { ...member, email }, { email: `newer-${email}`, password: memberPassword }),
  'another email': ({ member, emailToken, retained }) =>
    confirmNewEmail(services, emailToken, { member, browser: retained }),
  'a sign-in that remembers the browser': ({ member }) => rememberBrowser({ services, cookies }, member),
  'a linked account': ({ member, identity }) => linkIdentity(services, member, identity),
  'an unlinked account': ({ member }) => unlinkIdentity(services, member, { provider: 'google' }),
  'new feeds': ({ member }) => makeFeeds(services, member),
  'notifications on a browser': subscribe,
  'a new story': ({ id }) => createUserStory(services, id, draft),
  'an edited story': ({ id, storyId }) => editUserStory(services, id, storyId, { title: 'The Ferry' }),
  'a shared story': ({ id, storyId }) => shareOwn(services, id, storyId),
}

/** Starts work while the member is locked. Returns the outcomes, and the tables that each transaction used before. */
async function startLocked({ id }: Account, works: readonly (() => Promise<unknown>)[]) {
  const { tables, ends } = await db.transaction(async (tx) => {
    await lockMemberRow(tx, id, 'update')
    let over = 0
    const ends = works.map((work) =>
      work()
        .then(
          () => 'done',
          ({ code, cause }) => cause?.code ?? code,
        )
        .finally(() => {
          over += 1
        }),
    )
    await until(async () => over + (await listTablesOfWaiting(db)).length === works.length)
    return { tables: await listTablesOfWaiting(db), ends }
  })
  return { tables, outcomes: await Promise.all(ends) }
}

// Two transactions of which each locks the member before anything else cannot wait for each other.
test.each(Object.entries(changes))('%s locks the member before anything else', async (_, change) => {
  const account = await openAccount()
  expect(await startLocked(account, [() => change(account)])).toEqual({
    tables: [['users']],
    outcomes: ['done'],
  })
})

test('an account that is deleted twice at once is deleted once; the other call has to sign in', async () => {
  const account = await openAccount()
  const leave = () => deleteOwnAccount(services, account.member, { email: account.email })
  const { outcomes } = await startLocked(account, [leave, leave])
  expect(outcomes.toSorted()).toEqual(['done', 'sign_in_required'])
})

// A sign-out deletes the session and then, by a foreign key, its subscription. It does not lock the member.
test.each([
  ['notifications on a browser', subscribe],
  ['“sign out everywhere”', ({ id }) => signOutEverywhere(db, id, 'Ada')],
  ['a sign-in over another', ({ token, next }) => moveDevice(db, token, next)],
] satisfies [string, (account: Account & { next: string }) => Promise<unknown>][])(
  '%s locks the session before its subscription',
  async (_, change) => {
    const account = await openAccount()
    const { id } = account
    const next = await openSession(db, { kind: 'member', userId: id, userAgent: '', addressHash: '' })
    await subscribe(account)
    const { free, changing } = await db.transaction(async (tx) => {
      await tx.select().from(sessions).where(eq(sessions.userId, id)).for('update')
      const changing = change({ ...account, next })
      await until(() => isLockAwaited(db))
      const theirs = tx.select().from(pushDevices).where(eq(pushDevices.userId, id))
      return { free: await theirs.for('update', { skipLocked: true }), changing }
    })
    await changing
    expect(free).toHaveLength(1)
  },
)
