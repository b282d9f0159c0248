import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { betaSignups, throttles } from '#db/schema'
import { browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const thanks = "Thank you for signing up! You'll be notified when premium launches."
let addresses = 0
const stranger = () => {
  addresses += 1
  return browser(app, `10.16.0.${addresses}`)
}
const signups = () => db.select().from(betaSignups).orderBy(betaSignups.createdAt)

describe('beta sign-up', () => {
  test('returns 200 and stores an address once, however often it is sent', async () => {
    for (const email of [
      'ana@example.com',
      'ana@example.com',
      'ANA@Example.com',
      ' ana@example.com'.trim(),
    ]) {
      const response = await stranger().call('/api/beta-signup', { json: { email, source: 'upgrade_box' } })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ success: true, message: thanks })
    }
    expect((await signups()).map(({ email, source }) => [email, source])).toEqual([
      ['ana@example.com', 'upgrade_box'],
    ])
  })

  test('works as a plain form, with the same thanks on a page', async () => {
    for (let time = 0; time < 2; time += 1) {
      const response = await stranger().call('/beta-signup', {
        form: { email: 'ben@example.com', source: 'sidebar' },
        headers: { accept: 'text/html' },
      })
      expect(response.status).toBe(200)
      const page = await response.text()
      expect(page).toContain('Success!')
      expect(page).toContain('Thank you for signing up!')
    }
    expect((await signups()).map(({ email, source }) => [email, source])).toContainEqual([
      'ben@example.com',
      'sidebar',
    ])
  })

  test('accepts a source of up to 64 characters, or none', async () => {
    await stranger().call('/api/beta-signup', { json: { email: 'cleo@example.com' } })
    await stranger().call('/api/beta-signup', { json: { email: 'dan@example.com', source: '  ' } })
    await stranger().call('/api/beta-signup', { json: { email: 'eve@example.com', source: 'x'.repeat(64) } })
    const sources = Object.fromEntries((await signups()).map(({ email, source }) => [email, source]))
    expect(sources).toMatchObject({
      'cleo@example.com': 'upgrade_box',
      'dan@example.com': 'upgrade_box',
      'eve@example.com': 'x'.repeat(64),
    })
    expect(
      (
        await stranger().call('/api/beta-signup', {
          json: { email: 'fay@example.com', source: 'x'.repeat(65) },
        })
      ).status,
    ).toBe(422)
  })

  test('strips control characters and line breaks from the source', async () => {
    const json = { email: 'gil@example.com', source: ' \u001b]0;x\u0007up\u009b\n\u202egrade ' }
    expect((await stranger().call('/api/beta-signup', { json })).status).toBe(200)
    expect((await signups()).at(-1)).toMatchObject({ source: ']0;xup grade' })
  })

  test.each([
    '',
    ' ',
    '@',
    'ana',
    'ana@',
    '@example.com',
    'a b@example.com',
    'ana@exam ple.com',
    'a@b@c',
    '"quoted"@example.com',
    '\u001b[2J@example.com',
    `${'x'.repeat(250)}@example.com`,
  ])('rejects the address %p by API and form, and stores nothing', async (email) => {
    const before = (await signups()).length
    const call = await stranger().call('/api/beta-signup', { json: { email } })
    expect(call.status).toBe(422)
    expect(await call.json()).toMatchObject({ success: false, code: 'invalid', fields: [{ path: 'email' }] })
    const form = await stranger().call('/beta-signup', { form: { email }, headers: { accept: 'text/html' } })
    expect(form.status).toBe(422)
    expect(form.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await signups()).toHaveLength(before)
  })

  test('accepts short, tagged and international addresses', async () => {
    for (const email of ['a@b', "o'hara+beta@example.co.uk", 'ünï@exämple.de']) {
      expect((await stranger().call('/api/beta-signup', { json: { email } })).status).toBe(200)
    }
  })

  test('allows twenty per hour from one address, by API and form together', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 44; at += 1) {
      const sent = { email: `many${at}@example.com` }
      const from = browser(app, '10.17.0.1')
      const response =
        at % 2 ? from.call('/api/beta-signup', { json: sent }) : from.call('/beta-signup', { form: sent })
      statuses.push((await response).status)
    }
    expect(statuses).toContain(429)
    // The test may run past the end of an hour, and each hour allows twenty more.
    const [{ allowed = 0 } = {}] = await db.execute<{ allowed?: number }>(
      sql`select sum(least(count, 20))::int as allowed from throttles where key in (select key from throttles where count >= 20 and key like 'beta:%')`,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(allowed)
    await db.delete(throttles)
  })
})

describe('beta sign-up list', () => {
  test('returns the count and the sign-ups to operators, newest first', async () => {
    await db.delete(betaSignups)
    for (const email of ['one@example.com', 'two@example.com'])
      await stranger().call('/api/beta-signup', { json: { email } })
    const operator = await operatorBrowser(app)
    expect(await operator.json('/api/admin/beta-signups')).toEqual({
      count: 2,
      signups: ['two@example.com', 'one@example.com'].map((email) => ({
        id: expect.any(String),
        email,
        source: 'upgrade_box',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      })),
    })
  })

  test('rejects visitors and members with 401', async () => {
    for (const who of [stranger(), await memberBrowser(app, 'ana@example.com')]) {
      const response = await who.call('/api/admin/beta-signups')
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain('@example.com')
    }
  })
})
