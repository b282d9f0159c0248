import { beforeEach, expect, test } from 'bun:test'
import { takeMails } from '#src/mail/testing'
import { testAuthenticator } from '#src/passkey/testing'
import { sha256 } from '#src/security/keyed-hash'
import { linkIdentity } from '#src/social/enter'
import { memberBrowser, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const password = 'lanterns on the water'
let people = 0
beforeEach(async () => void (await takeMails(services)))

/** A member whose welcome mail was removed from the outbox. */
async function newMember() {
  people += 1
  const email = `told${people}@example.com`
  const who = await memberBrowser(app, email, `10.60.0.${people}`)
  const { id } = who
  await takeMails(services)
  return { who, id, email }
}
type Known = Awaited<ReturnType<typeof newMember>>

async function addPasskey({ who }: Known): Promise<string> {
  const { challenge } = await who.json('/api/user/passkeys/options', { json: {} })
  const credential = testAuthenticator().register(challenge)
  return (await who.json('/api/user/passkeys', { json: { name: 'My phone', credential } })).id
}

const link = ({ who, id }: Known) =>
  linkIdentity(
    services,
    { id, sid: sha256(who.jar.get('nocturne_session') ?? '') },
    {
      provider: 'google',
      subject: `subject of ${id}`,
      email: null,
      isEmailVerified: false,
      firstName: null,
      lastName: null,
    },
  )

async function resetPassword({ who, email }: Known): Promise<void> {
  await who.call('/api/auth/forgot-password', { json: { email } })
  const [mail] = await takeMails(services)
  const token = mail?.text.match(/token=([\w-]+)/)?.[1]
  await who.call('/api/auth/reset-password', { json: { token, password: 'a quieter evening' } })
}

const changes: [string, (member: Known) => Promise<unknown>, string][] = [
  [
    'a new password',
    ({ who }) =>
      who.call('/api/user/password', {
        json: { currentPassword: password, newPassword: 'a quieter evening' },
      }),
    'The password of your account was changed.',
  ],
  ['a password reset by mail', resetPassword, 'The password of your account was changed.'],
  ['a new passkey', addPasskey, 'A passkey was added to your account'],
  [
    'a removed passkey',
    async (member) => {
      const id = await addPasskey(member)
      await takeMails(services)
      await member.who.call(`/api/user/passkeys/${id}`, { method: 'DELETE', json: {} })
    },
    'A passkey was removed from your account.',
  ],
  ['a linked account', link, 'An account elsewhere was linked to yours'],
  [
    'an unlinked account',
    async (member) => {
      await link(member)
      await takeMails(services)
      await member.who.call('/api/user/identities/google', { method: 'DELETE', json: {} })
    },
    'An account elsewhere was unlinked from yours',
  ],
]

test.each(changes)(
  '%s is reported by mail, even to members who turned mails off',
  async (_, change, words) => {
    const member = await newMember()
    await member.who.call('/api/user/settings', { method: 'PATCH', json: { emailNotifications: false } })
    await change(member)
    const mails = await takeMails(services)
    expect(mails.map(({ to }) => to)).toEqual([member.email])
    expect(mails[0]?.text).toContain(words)
    expect(mails[0]?.text).toContain('If it was not you')
    expect(mails[0]?.text).toContain('http://localhost:3000/reset-password')
  },
)

test('the mail has a neutral subject in discreet mode', async () => {
  const member = await newMember()
  await member.who.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
  await link(member)
  expect((await takeMails(services)).map(({ subject }) => subject)).toEqual(['A message for you'])
})

test('a rejected or repeated change sends no mail', async () => {
  const member = await newMember()
  await link(member)
  await takeMails(services)
  await link(member)
  const json = { currentPassword: 'not this one', newPassword: 'a quieter evening' }
  expect((await member.who.call('/api/user/password', { json })).status).toBe(422)
  expect((await member.who.call('/api/user/identities/apple', { method: 'DELETE', json: {} })).status).toBe(
    404,
  )
  expect(await takeMails(services)).toEqual([])
})
