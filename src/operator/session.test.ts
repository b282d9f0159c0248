import { describe, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import { auditLog, sessions } from '#db/schema'
import { rotateOperatorToken } from '#src/security/secrets'
import { createApp } from '#src/server/app'
import { browser, markupOf, memberBrowser, operatorBrowser, operatorToken, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
type Listed = { id: string; name: string; device: string; isCurrent: boolean }

async function signIn(name: string, each = app, token = operatorToken) {
  const who = browser(each)
  await who.call('/api/admin/login', { json: { token, name }, headers: { 'user-agent': firefox } })
  return who
}
const isIn = async (who: ReturnType<typeof browser>) => (await who.call('/api/imports')).status === 200
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const lastChange = async () => (await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1))[0]

describe('operator session', () => {
  test('ends on every server when the token is rotated, as do bearer calls', async () => {
    const { dataDir } = services.env
    const first = rotateOperatorToken(dataDir)
    const secrets = { ...services.secrets, operatorToken: first, operatorTokenFile: `${dataDir}/admin-token` }
    const [one, other] = [createApp({ ...services, secrets }), createApp({ ...services, secrets })]
    const who = await signIn('Ada', one, first)
    const copy = browser(other)
    copy.jar.set('nocturne_operator', who.jar.get('nocturne_operator') ?? '')
    expect([await isIn(who), await isIn(copy)]).toEqual([true, true])
    const second = rotateOperatorToken(dataDir)
    expect([await isIn(who), await isIn(copy)]).toEqual([false, false])
    expect((await browser(one).call('/api/imports', bearer(first))).status).toBe(401)
    expect((await browser(one).call('/api/imports', bearer(second))).status).toBe(200)
    expect(await isIn(await signIn('Ada', other, second))).toBe(true)
  })

  test('ends when a restart changes ADMIN_TOKEN, and is valid again with the old one', async () => {
    const who = await signIn('Grace')
    const restarted = createApp({
      ...services,
      secrets: { ...services.secrets, operatorToken: 'another token that is long enough' },
    })
    const there = browser(restarted)
    there.jar.set('nocturne_operator', who.jar.get('nocturne_operator') ?? '')
    expect([await isIn(there), await isIn(who)]).toEqual([false, true])
    expect(await there.json('/api/admin/status')).toEqual({ isAdmin: false })
  })

  test('stores neither the token nor a plain hash of it', async () => {
    await signIn('Ada')
    const rows = await db.select().from(sessions).where(eq(sessions.kind, 'operator'))
    const plain = new Bun.CryptoHasher('sha256').update(operatorToken).digest('hex').slice(0, 16)
    expect(JSON.stringify(rows)).not.toContain(plain)
    expect(JSON.stringify(rows)).not.toContain(operatorToken)
  })

  test('is invalid when it does not record which token opened it', async () => {
    const who = await signIn('Ada')
    await db
      .update(sessions)
      .set({ sess: { startedAt: new Date().toISOString(), userAgent: '', addressHash: '' } })
      .where(eq(sessions.kind, 'operator'))
    expect(await isIn(who)).toBe(false)
    await db.delete(sessions).where(eq(sessions.kind, 'operator'))
  })
})

describe('operator session list', () => {
  test('returns 401 to visitors and members, and so does ending sessions', async () => {
    await signIn('Ada')
    for (const who of [browser(app), await memberBrowser(app, 'mara@example.com')]) {
      expect((await who.call('/api/admin/sessions')).status).toBe(401)
      for (const path of ['/api/admin/sessions', '/api/admin/sessions/0123456789abcdef'])
        expect((await who.call(path, { method: 'DELETE', json: {} })).status).toBe(401)
      expect((await who.call('/admin/sessions', { form: {} })).status).toBe(401)
    }
    await db.delete(sessions).where(eq(sessions.kind, 'operator'))
  })

  test('shows name, device and the current session; ending one is audited', async () => {
    const [ada, grace] = [await signIn('Ada'), await signIn('Grace')]
    const listed: Listed[] = await ada.json('/api/admin/sessions')
    expect(listed.map(({ name, device, isCurrent }) => [name, device, isCurrent])).toEqual(
      expect.arrayContaining([
        ['Ada', 'Firefox on Linux', true],
        ['Grace', 'Firefox on Linux', false],
      ]),
    )
    const id = listed.find(({ name }) => name === 'Grace')?.id ?? ''
    expect((await ada.call(`/api/admin/sessions/${id}`, { method: 'DELETE', json: {} })).status).toBe(200)
    expect([await isIn(ada), await isIn(grace)]).toEqual([true, false])
    expect(await lastChange()).toMatchObject({
      actor: 'Ada',
      action: 'end',
      subjectType: 'operator session',
      subjectId: id,
      before: { name: 'Grace', device: 'Firefox on Linux' },
    })
    const gone = await ada.call(`/api/admin/sessions/${id}`, { method: 'DELETE', json: {} })
    expect([gone.status, (await gone.json()).message]).toEqual([404, 'This session no longer exists.'])
  })

  test('ends all other sessions at once, or all of them for a bearer token', async () => {
    const [ada, grace] = [await signIn('Ada'), await signIn('Grace')]
    const answer = await ada.json('/api/admin/sessions', { method: 'DELETE', json: {} })
    expect(answer).toMatchObject({ success: true, ended: expect.any(Number) })
    expect([await isIn(ada), await isIn(grace)]).toEqual([true, false])
    expect(await lastChange()).toMatchObject({ actor: 'Ada', action: 'end', subjectId: null })
    const all = await browser(app).json('/api/admin/sessions', {
      method: 'DELETE',
      json: {},
      ...bearer(operatorToken),
    })
    expect(all.ended).toBeGreaterThanOrEqual(1)
    expect(await isIn(ada)).toBe(false)
  })

  test('neither shows nor ends members’ sessions', async () => {
    const ada = await operatorBrowser(app)
    await ada.call('/api/admin/sessions', { method: 'DELETE', json: {} })
    const mara = await memberBrowser(app, 'lena@example.com')
    const [{ id }] = await mara.json('/api/user/sessions')
    expect(await ada.json('/api/admin/sessions')).toHaveLength(1)
    expect((await ada.call(`/api/admin/sessions/${id}`, { method: 'DELETE', json: {} })).status).toBe(404)
    await ada.call('/api/admin/sessions', { method: 'DELETE', json: {} })
    expect(await mara.json('/api/auth/user')).not.toBeNull()
  })

  test('ends sessions from the console by forms without JavaScript', async () => {
    await db.delete(sessions).where(eq(sessions.kind, 'operator'))
    const [ada, grace] = [await signIn('Ada'), await signIn('Grace <b>')]
    const page = await markupOf(await ada.call('/admin?tab=overview'))
    for (const words of ['Operator sessions', 'Grace &lt;b&gt;', 'Firefox on Linux', 'This session'])
      expect(page).toContain(words)
    const { id } = (await ada.json('/api/admin/sessions')).find(({ isCurrent }: Listed) => !isCurrent)
    const ended = await ada.call('/admin/sessions', { form: { id } })
    expect(ended.headers.get('location')).toBe('/admin?tab=overview&said=session')
    expect(await isIn(grace)).toBe(false)
    await signIn('Grace')
    expect((await ada.call('/admin/sessions', { form: {} })).status).toBe(303)
    expect(await ada.json('/api/admin/sessions')).toHaveLength(1)
  })
})
