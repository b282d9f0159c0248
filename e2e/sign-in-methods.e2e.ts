import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { identities, passkeys, users } from '#db/schema'
import { seedDemo } from '#src/demo/seed'
import { takeMails } from '#src/mail/testing'
import { register } from '#src/member/sign-in/register'
import { openFacebook, openProvider, socialEnvironment } from '#src/social/testing'
import { memberPassword as password } from '#src/testing/app'
import { openPage, openSite, signIn } from '#src/testing/browser'
import { findFaults } from '#src/testing/find-faults'

/** Every sign-in method besides email and password, in a browser. */
const facebook = await openFacebook()
const google = await openProvider('google', { anyCallback: true })
const apple = await openProvider('apple', { anyCallback: true })
const site = await openSite(
  await socialEnvironment({ google: google.issuer, apple: apple.issuer, facebook: facebook.issuer }),
)
// The port is known only now. Providers redirect to it, and passkeys are bound to it.
Object.assign(site.services.env, { publicUrl: site.url })
const { db } = site.services
const chosen = 'a quieter evening still'
let people = 0

beforeAll(async () => void (await seedDemo(db)))
beforeEach(async () => void (await takeMails(site.services)))

async function newMember(): Promise<string> {
  people += 1
  const email = `way${people}@example.com`
  await register(db, { email, password, firstName: 'Iris' }, email)
  return email
}

/** Returns the complaints without those about the providers' pages. */
const ofOurs = (complaints: string[]) =>
  complaints.filter((each) => !each.startsWith('request to http://127.'))

async function greeted(page: Page): Promise<void> {
  await page.locator('.toast').getByText('Welcome! 🎉', { exact: true }).waitFor()
}

async function openDialog(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await page.getByRole('heading', { name: 'Welcome Back!' }).waitFor()
}

for (const [name, provider] of Object.entries({ Google: google, Apple: apple, Facebook: facebook })) {
  test(`signing in with ${name} from the dialog returns to the same page with a greeting`, async () => {
    people += 1
    provider.person = { sub: `s${people}`, email: `via${people}@example.com`, email_verified: true }
    const { page, complaints } = await openPage(site)
    await openDialog(page, '/stories?q=ferry')
    const counted = page.waitForRequest(
      (request) =>
        request.url().includes('/api/analytics/events') &&
        /user_register/.test(request.postData() ?? '') &&
        (request.postData() ?? '').includes(name.toLowerCase()),
    )
    await page.getByRole('link', { name: `Continue with ${name}` }).click()
    await page.waitForURL('**/stories?q=ferry')
    await greeted(page)
    await counted
    await page.goto('/settings')
    await page.getByText('Social Login').waitFor()
    expect(ofOurs(complaints)).toEqual([])
  })
}

test('Google is linked and unlinked in Settings', async () => {
  const email = await newMember()
  people += 1
  google.person = { sub: `s${people}`, email: `linked${people}@example.com`, email_verified: true }
  const { page, complaints } = await openPage(site)
  await signIn(page, email)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Link Google' }).click()
  await page.getByText('Linked. It can sign you in from now on.').waitFor()
  await page.getByText(`linked${people}@example.com`).waitFor()
  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await page.getByRole('link', { name: 'Link Google' }).waitFor()
  expect(
    await db
      .select()
      .from(identities)
      .where(eq(identities.subject, `s${people}`)),
  ).toEqual([])
  expect(ofOurs(complaints)).toEqual([])
})

test('declining at the provider returns to the sign-in form with a message', async () => {
  facebook.person = null
  const { page } = await openPage(site)
  await openDialog(page, '/')
  await page.getByRole('link', { name: 'Continue with Facebook' }).click()
  await page.getByText('You declined at Facebook').waitFor()
  await page.getByLabel('Email').waitFor()
})

for (const javaScriptEnabled of [true, false]) {
  test(`a forgotten password is reset by the mailed link ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const email = await newMember()
    const { page, complaints } = await openPage(site, { javaScriptEnabled })
    if (javaScriptEnabled) await openDialog(page, '/')
    else await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgotten password?' }).click()
    await page.waitForURL('**/reset-password')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    const [mail] = await takeMails(site.services)
    expect(mail?.to).toBe(email)
    await page.goto(mail?.text.match(/http:\S+/)?.[0] ?? '')
    await page.getByRole('textbox', { name: 'New password' }).fill(chosen)
    await page.getByRole('button', { name: 'Save Password' }).click()
    await page.getByText('Your password is changed. You are not signed in anywhere else.').first().waitFor()
    expect(await (await page.request.get('/api/auth/user')).json()).toMatchObject({ email })
    expect(complaints).toEqual([])
  })
}

test('the confirmation mail sent again from Settings confirms the email', async () => {
  const email = await newMember()
  const { page, complaints } = await openPage(site)
  await signIn(page, email)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.locator('.toast').getByText('A mail is on its way.').waitFor()
  const [mail] = await takeMails(site.services)
  await page.goto(mail?.text.match(/http:\S+/)?.[0] ?? '')
  await page.getByRole('button', { name: 'Yes, this is my address' }).click()
  await page.getByText('Your email is confirmed.').waitFor()
  const [row] = await db.select().from(users).where(eq(users.email, email))
  expect(row?.emailVerifiedAt).toBeInstanceOf(Date)
  expect(complaints).toEqual([])
})

test('a passkey is added in Settings, signs in from the dialog and the page, and is removed', async () => {
  const email = await newMember()
  const { page, context, complaints } = await openPage(site)
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await signIn(page, email)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add a Passkey' }).click()
  const form = page.getByRole('form', { name: 'Add a passkey' })
  await form.getByLabel('Name').fill('My phone')
  await form.getByRole('button', { name: 'Continue' }).click()
  await page.locator('.toast').getByText('The passkey is added.').waitFor()
  await page.getByText('My phone').waitFor()

  await context.clearCookies()
  await openDialog(page, '/stories?q=ferry')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await greeted(page)
  expect(new URL(page.url()).search).toBe('?q=ferry')
  expect(await (await page.request.get('/api/auth/user')).json()).toMatchObject({ email })

  await context.clearCookies()
  await page.goto('/sign-in?next=/settings')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/settings')
  await page.getByText(/^Last used /).waitFor()
  await page.getByRole('button', { name: 'Remove My phone' }).click()
  await page.locator('.toast').getByText('The passkey is removed.').waitFor()
  expect(await db.select().from(passkeys).where(eq(passkeys.name, 'My phone'))).toEqual([])
  expect(complaints).toEqual([])
})

for (const javaScriptEnabled of [true, false]) {
  test(`removing a passkey long after the sign-in asks for the password ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const { page, complaints } = await openPage(site, { javaScriptEnabled })
    const email = await newMember()
    await signIn(page, email)
    const [member] = await db.select({ userId: users.id }).from(users).where(eq(users.email, email))
    const userId = member?.userId ?? ''
    const key = { userId, publicKey: 'a key', counter: 0, isBackedUp: false }
    for (const name of ['Old phone', 'Old laptop'])
      await db.insert(passkeys).values({ ...key, name, credentialId: `${name} of ${email}` })
    await db.execute(
      sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}' where user_id = ${userId}::uuid`,
    )
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Remove Old phone' }).click()
    await page.getByRole('main').getByText('Type your password again to remove a way to sign in.').waitFor()
    if (javaScriptEnabled) expect(await findFaults(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Your password' }).fill(password)
    await page.getByRole('button', { name: 'Remove Old phone' }).click()
    await page.getByText('The passkey is removed.').first().waitFor()
    const left = await db.select({ name: passkeys.name }).from(passkeys).where(eq(passkeys.userId, userId))
    expect(left).toEqual([{ name: 'Old laptop' }])
    expect(complaints.filter((each) => !/422/.test(each))).toEqual([])
  })
}

test('a browser without passkeys is offered none, neither at sign-in nor in Settings', async () => {
  const { page } = await openPage(site)
  await page.addInitScript('delete window.PublicKeyCredential')
  await page.goto('/sign-in')
  await page.locator('[data-name=passkey-sign-in][hidden]').waitFor({ state: 'attached' })
  await signIn(page, await newMember())
  await page.goto('/settings')
  await page.getByText('This browser does not support passkeys.').waitFor()
  expect(await page.getByRole('button', { name: 'Add a Passkey' }).count()).toBe(0)
})

test('the sign-in pages have no accessibility or layout faults at either width and theme', async () => {
  const { page } = await openPage(site)
  await signIn(page, await newMember())
  for (const path of ['/settings?open=passkey', '/sign-in', '/reset-password', '/verify-email?token=x']) {
    await page.goto(path)
    expect(await findFaults(page)).toEqual([])
  }
})
