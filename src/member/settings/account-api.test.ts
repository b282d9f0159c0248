import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { throttles, users } from '#db/schema'
import {
  type Browser,
  browser,
  markupOf,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
let members = 0
async function member(email: string) {
  members += 1
  const who = await memberBrowser(app, email, `10.40.0.${members}`)
  const { id } = who
  return { who, id: id as string, email }
}
const signIn = async (email: string, word = password) => {
  const who = browser(app, `10.41.0.${++members}`)
  return { who, status: (await who.call('/api/auth/login', { json: { email, password: word } })).status }
}
const html = { accept: 'text/html' }

test('account calls return 401 to visitors and operators and never affect another member', async () => {
  const mara = await member('mara@example.com')
  const ines = await member('ines@example.com')
  const calls: [string, string, unknown][] = [
    ['GET', '/api/user/settings', undefined],
    ['PATCH', '/api/user/settings', { theme: 'paper' }],
    ['PATCH', '/api/user', { firstName: 'Eve' }],
    ['POST', '/api/user/password', { currentPassword: password, newPassword: 'eve was here' }],
    ['GET', '/api/user/sessions', undefined],
    ['DELETE', '/api/user/sessions', {}],
    ['DELETE', '/api/user/history', {}],
    ['GET', '/api/user/export', undefined],
    ['DELETE', '/api/user', { email: 'mara@example.com' }],
  ]
  for (const who of [browser(app), await operatorBrowser(app)])
    for (const [method, path, json] of calls)
      expect(`${method} ${path} ${(await who.call(path, { method, json })).status}`).toBe(
        `${method} ${path} 401`,
      )
  await ines.who.call('/api/user', { method: 'PATCH', json: { firstName: 'Ines', id: mara.id } })
  await ines.who.call('/api/user/settings', { method: 'PATCH', json: { theme: 'paper', userId: mara.id } })
  await ines.who.call('/api/user/sessions', { method: 'DELETE', json: {} })
  expect((await ines.who.call('/api/user', { method: 'DELETE', json: { email: mara.email } })).status).toBe(
    422,
  )
  expect(await mara.who.json('/api/auth/user')).toMatchObject({ firstName: null })
  expect(await mara.who.json('/api/user/settings')).toMatchObject({ theme: null })
})

describe('member settings', () => {
  test('start with defaults and change only the fields sent', async () => {
    const { who } = await member('set@example.com')
    const patch = async (json: unknown) => who.json('/api/user/settings', { method: 'PATCH', json })
    const defaults = {
      emailNotifications: true,
      pushNotifications: false,
      autoPlayNext: true,
      playbackSpeed: 1,
      theme: null,
      discreetMode: false,
      hiddenCategories: [],
      hiddenWords: [],
    }
    expect(await who.json('/api/user/settings')).toEqual(defaults)
    expect(await patch({ discreetMode: true, hiddenCategories: ['bdsm', 'bdsm'] })).toEqual({
      ...defaults,
      discreetMode: true,
      hiddenCategories: ['bdsm'],
    })
    await patch({
      hiddenWords: [' needles ', 'needles', 'clowns'],
      theme: 'paper',
      pushNotifications: true,
      autoPlayNext: false,
      playbackSpeed: 1.75,
      emailNotifications: false,
    })
    expect(await who.json('/api/user/settings')).toEqual({
      emailNotifications: false,
      pushNotifications: true,
      autoPlayNext: false,
      playbackSpeed: 1.75,
      theme: 'paper',
      discreetMode: true,
      hiddenCategories: ['bdsm'],
      hiddenWords: ['needles', 'clowns'],
    })
    expect(await patch({ theme: null, hiddenWords: [] })).toMatchObject({ theme: null, hiddenWords: [] })
  })

  test.each([
    {},
    { theme: 'neon' },
    { playbackSpeed: 1.1 },
    { playbackSpeed: 2.25 },
    { emailNotifications: 'yes' },
    { hiddenCategories: ['cooking'] },
    { hiddenWords: [' '] },
    { hiddenWords: ['x'.repeat(61)] },
    { hiddenWords: Array.from({ length: 101 }, (_, at) => `word${at}`) },
  ])('reject %p', async (json) => {
    const { who } = await signIn('set@example.com')
    expect((await who.call('/api/user/settings', { method: 'PATCH', json })).status).toBe(422)
  })
})

test('a name can be changed, trimmed and removed', async () => {
  const { who } = await member('name@example.com')
  const patch = (json: unknown) => who.call('/api/user', { method: 'PATCH', json })
  expect(await (await patch({ firstName: '  Mara   Lou ', lastName: 'Lind' })).json()).toMatchObject({
    firstName: 'Mara Lou',
    lastName: 'Lind',
  })
  expect(await (await patch({ lastName: null })).json()).toMatchObject({
    firstName: 'Mara Lou',
    lastName: null,
  })
  for (const json of [{}, { firstName: 'x'.repeat(81) }, { lastName: 5 }, { email: 'other@example.com' }])
    expect((await patch(json)).status).toBe(422)
})

describe('password change', () => {
  test('requires the current password, ends other sessions and renews this one', async () => {
    const { who, email } = await member('pass@example.com')
    const phone = await signIn(email)
    const before = who.jar.get('nocturne_session')
    const change = (json: unknown) => who.call('/api/user/password', { json })
    const refused: [unknown, string][] = [
      [{ currentPassword: 'not this one', newPassword: 'a quieter evening' }, 'currentPassword'],
      [{ currentPassword: password, newPassword: '12345' }, 'newPassword'],
      [{ currentPassword: password, newPassword: 'iloveyou' }, 'newPassword'],
      [{ currentPassword: password }, 'newPassword'],
    ]
    for (const [json, path] of refused) {
      const response = await change(json)
      expect(response.status).toBe(422)
      expect((await response.json()).fields).toEqual([{ path, message: expect.any(String) }])
    }
    expect(await phone.who.json('/api/auth/user')).not.toBeNull()
    expect((await change({ currentPassword: password, newPassword: 'a quieter evening' })).status).toBe(200)
    expect(who.jar.get('nocturne_session')).not.toBe(before)
    expect(await who.json('/api/auth/user')).toMatchObject({ email })
    expect(await phone.who.json('/api/auth/user')).toBeNull()
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, 'a quieter evening')).status).toBe(200)
  })

  test('is rate-limited, and unavailable to members without a password', async () => {
    const { who, id } = await member('guess@example.com')
    const json = { currentPassword: 'a guess', newPassword: 'a quieter evening' }
    const statuses: number[] = []
    for (let at = 0; at < 12; at += 1) statuses.push((await who.call('/api/user/password', { json })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([422, 429])
    await db.delete(throttles)
    await db.update(users).set({ password: null, oauthProvider: 'google' }).where(eq(users.id, id))
    expect((await who.call('/api/user/password', { json })).status).toBe(409)
    const page = await markupOf(await who.call('/settings', { headers: html }))
    expect(page).toContain('Social Login')
    expect(page).not.toContain('Change Password')
  })
})

test('sessions are listed by device with the current one marked, and the others can be ended', async () => {
  const { who, email } = await member('dev@example.com')
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
  const phone = browser(app, '10.42.0.1')
  await phone.call('/api/auth/login', { json: { email, password }, headers: { 'user-agent': firefox } })
  const sessions = await who.json('/api/user/sessions')
  expect(
    sessions.map(({ device, isCurrent }: Record<string, unknown>) => [device, isCurrent]).sort(),
  ).toEqual([
    ['Firefox on Linux', false],
    ['Unknown device', true],
  ])
  const sids = await db.execute<{ sid: string }>(sql`select sid from sessions`)
  for (const { sid } of sids) expect(JSON.stringify(sessions)).not.toContain(sid)
  await who.call('/api/user/sessions', { method: 'DELETE', json: {} })
  expect(await phone.json('/api/auth/user')).toBeNull()
  expect(await who.json('/api/user/sessions')).toHaveLength(1)
})

test('clearing the history removes progress from every device and keeps favourites', async () => {
  const { id } = await publishTestItem(services)
  const { who } = await member('history@example.com')
  const progress = `/api/analytics/progress/${id}/story`
  await who.call('/api/analytics/progress', {
    json: {
      contentId: id,
      contentType: 'story',
      lastPositionSec: 40,
      totalSec: 600,
      deviceId: 'phone',
      sequence: 1,
    },
  })
  await who.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${id}` } })
  expect(await who.json(progress)).not.toBeNull()
  expect((await who.call('/api/user/history', { method: 'DELETE', json: {} })).status).toBe(200)
  expect(await who.json(progress)).toBeNull()
  expect(await who.json('/api/content-favorites')).toHaveLength(1)
})

test('a member’s export is a ZIP of their data, limited per hour', async () => {
  const { who, id } = await member('data@example.com')
  const response = await who.call('/api/user/export')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="nocturne-[\d-]+\.zip"$/)
  const files = unzipSync(await response.bytes())
  expect(JSON.parse(new TextDecoder().decode(files['data/users.json']))).toMatchObject([{ id }])
  const statuses: number[] = []
  for (let at = 0; at < 11; at += 1) {
    const again = await who.call('/api/user/export')
    statuses.push(again.status)
    await again.body?.cancel()
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
})

describe('account deletion', () => {
  test('requires the password or the typed email, and ends the session', async () => {
    const { who, email } = await member('leaves@example.com')
    const leave = (json: unknown) => who.call('/api/user', { method: 'DELETE', json })
    for (const json of [{}, { password: 'wrong' }, { email: 'mara@example.com' }, { email: '' }])
      expect((await leave(json)).status).toBe(422)
    const response = await leave({ password })
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie().join()).toContain('nocturne_session=;')
    expect(await who.json('/api/auth/user')).toBeNull()
    expect((await signIn(email)).status).toBe(401)
    const other = await member('typed@example.com')
    const typed = { email: ' Typed@Example.com ' }
    expect((await other.who.call('/api/user', { method: 'DELETE', json: typed })).status).toBe(200)
  })
})

describe('settings page', () => {
  test('asks a visitor to sign in and links to Explore and Create', async () => {
    const page = await markupOf(await browser(app).call('/settings', { headers: html }))
    for (const words of ['Login Required', 'href="/"', 'href="/create"']) expect(page).toContain(words)
  })

  test('saves its forms without JavaScript and confirms what was done', async () => {
    const { who, id, email } = await member('forms@example.com')
    const post = (path: string, form: Record<string, string>) => who.call(path, { form, headers: html })
    const done: [string, Record<string, string>, string][] = [
      ['/settings/profile', { firstName: 'Mara', lastName: '' }, 'profile'],
      ['/settings/preferences', { panel: 'notifications' }, 'preferences'],
      ['/settings/preferences', { theme: 'paper' }, 'preferences'],
      ['/settings/sessions', {}, 'sessions'],
      ['/settings/history', {}, 'history'],
      ['/settings/password', { currentPassword: password, newPassword: 'a quieter evening' }, 'password'],
    ]
    for (const [path, form, said] of done) {
      const response = await post(path, form)
      expect([path, response.status, response.headers.get('location')]).toEqual([
        path,
        303,
        `/settings?said=${said}`,
      ])
    }
    expect(await who.json('/api/user/settings')).toMatchObject({ emailNotifications: false, theme: 'paper' })
    expect(who.jar.get('nocturne_theme')).toBe('paper')
    const page = await markupOf(await who.call('/settings?said=profile', { headers: html }))
    for (const words of ['Profile saved', email, 'Mara', 'Member since', 'This device'])
      expect(page).toContain(words)
    const gone = await post('/settings/delete', { password: 'a quieter evening' })
    expect(gone.headers.get('location')).toBe('/account-deleted')
    expect(await db.select().from(users).where(eq(users.id, id))).toEqual([])
  })

  test('reopens a rejected form with the reason and what was typed, except passwords', async () => {
    const { who } = await member('again@example.com')
    const wrong = await who.call('/settings/password', {
      form: { currentPassword: 'not this one', newPassword: 'a quieter evening' },
      headers: html,
    })
    expect(wrong.status).toBe(422)
    const page = await markupOf(wrong)
    expect(page).toContain('This is not your password.')
    expect(page).toContain('name="currentPassword"')
    expect(page).not.toContain('not this one')
    const short = await who.call('/settings/password', {
      form: { currentPassword: password, newPassword: '123' },
      headers: html,
    })
    expect(await markupOf(short)).toContain('String must contain at least 6 character(s)')
    const misspelt = await who.call('/settings/email', { form: { email: 'mara@', password }, headers: html })
    expect(await markupOf(misspelt)).toContain('value="mara@"')
    const refused = await who.call('/settings/delete', { form: { password: 'no' }, headers: html })
    expect([refused.status, (await markupOf(refused)).includes('This is not your password.')]).toEqual([
      422,
      true,
    ])
  })

  test.each(['profile', 'password', 'history', 'delete'])(
    'opens the panel %s without JavaScript',
    async (panel) => {
      const { who } = await signIn('again@example.com')
      const page = await markupOf(await who.call(`/settings?open=${panel}`, { headers: html }))
      expect(page).toContain(`action="/settings/${panel}"`)
      expect(await markupOf(await who.call('/settings', { headers: html }))).not.toContain(
        `action="/settings/${panel}"`,
      )
    },
  )
})

test('discreet mode hides the site’s name and subject in page heads, for that member only', async () => {
  const quiet = await memberBrowser(app, 'quiet@example.com')
  const headOf = async (who: Browser, path: string) =>
    (await (await who.call(path)).text()).split('</head>')[0]?.replace(/nocturne-build/, '') ?? ''
  expect(await headOf(quiet, '/stories')).toContain('<title>Read Stories')
  await quiet.call('/settings/preferences', { form: { panel: 'discretion', discreetMode: 'on' } })
  for (const path of ['/', '/stories', '/home', '/settings', '/my-content', '/privacy']) {
    const head = await headOf(quiet, path)
    expect(head).toContain('<title>Library</title>')
    expect(head).not.toMatch(/nocturne|stor(y|ies)|adult|og:/i)
  }
  expect(await headOf(browser(app), '/stories')).toContain('<title>Read Stories')
})
