import { describe, expect, test } from 'bun:test'
import { asc, sql } from 'drizzle-orm'
import { auditLog, throttles } from '#db/schema'
import { rotateOperatorToken } from '#src/security/secrets'
import { createApp } from '#src/server/app'
import {
  browser,
  memberBrowser,
  operatorBrowser,
  operatorToken,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const login = (token: unknown, address: string, each = app) =>
  browser(each, address).call('/api/admin/login', { json: { token } })

describe('operator login', () => {
  test('opens a session in a cookie of its own', async () => {
    const operator = browser(app, '10.10.0.1')
    expect(await operator.json('/api/admin/status')).toEqual({ isAdmin: false })
    const response = await operator.call('/api/admin/login', { json: { token: operatorToken } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true, message: 'Admin Access Granted' })
    expect([...operator.jar.keys()]).toEqual(['nocturne_operator'])
    expect(await operator.json('/api/admin/status')).toEqual({ isAdmin: true })
    expect((await operator.call('/api/premium-content')).status).toBe(200)
    expect(await operator.json('/api/auth/user')).toBeNull()
  })

  test('trims the token', async () => {
    expect((await login(`  ${operatorToken}\n`, '10.10.0.2')).status).toBe(200)
  })

  test.each(['', ' ', 'no', operatorToken.slice(1), `${operatorToken}x`, operatorToken.toUpperCase()])(
    'rejects %p with 401 and a message for operators',
    async (token) => {
      const response = await login(token, `10.10.1.${token.length}`)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({
        success: false,
        message: 'Invalid admin token',
        code: 'wrong_credentials',
      })
      expect(response.headers.getSetCookie()).toEqual([])
    },
  )

  test('returns 422 for a token that is too long or not text', async () => {
    for (const token of [null, 1, [], {}, true, 'x'.repeat(513)]) {
      expect((await login(token, '10.10.0.3')).status).toBe(422)
    }
  })

  test('ends the browser’s earlier operator session', async () => {
    const operator = await operatorBrowser(app)
    const copy = browser(app)
    copy.jar.set('nocturne_operator', operator.jar.get('nocturne_operator') ?? '')
    await operator.call('/api/admin/login', { json: { token: operatorToken } })
    expect(await operator.json('/api/admin/status')).toEqual({ isAdmin: true })
    expect(await copy.json('/api/admin/status')).toEqual({ isAdmin: false })
  })

  test('coexists with a member’s session, and signing out of one keeps the other', async () => {
    const ana = await memberBrowser(app, 'ana@example.com')
    await ana.call('/api/admin/login', { json: { token: operatorToken } })
    expect(await ana.json('/api/admin/status')).toEqual({ isAdmin: true })
    await ana.call('/api/admin/logout', { method: 'POST' })
    expect(await ana.json('/api/admin/status')).toEqual({ isAdmin: false })
    expect(await ana.json('/api/auth/user')).toMatchObject({ email: 'ana@example.com' })
    await ana.call('/api/admin/login', { json: { token: operatorToken } })
    await ana.call('/api/auth/logout', { method: 'POST' })
    expect(await ana.json('/api/admin/status')).toEqual({ isAdmin: true })
  })

  test('is ended by logout for every copy of the cookie', async () => {
    const operator = await operatorBrowser(app)
    const copy = browser(app)
    copy.jar.set('nocturne_operator', operator.jar.get('nocturne_operator') ?? '')
    const response = await operator.call('/api/admin/logout', { method: 'POST' })
    expect(await response.json()).toEqual({ success: true, message: 'Admin session ended.' })
    expect((await copy.call('/api/imports')).status).toBe(401)
  })
})

describe('rate limit of operator logins', () => {
  const other = createApp(services)
  /** A test may run past the end of a rate limit window, and each window allows the limit again. */
  const windows = async (key: string) =>
    Math.max(1, (await db.execute(sql`select 1 from throttles where key like ${key}`)).length)

  test('allows five wrong tokens per address, across two servers', async () => {
    await db.delete(throttles)
    const statuses: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const answers = Array.from({ length: 50 }, (_, at) =>
        login(`guess ${round} ${at}`, '10.11.0.1', at % 2 ? app : other),
      )
      statuses.push(...(await Promise.all(answers)).map(({ status }) => status))
    }
    const tried = statuses.filter((status) => status === 401).length
    expect(tried).toBeGreaterThanOrEqual(5)
    expect(tried).toBeLessThanOrEqual(5 * (await windows('operator:%')))
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    const refused = await login('guess', '10.11.0.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 15 * 60 + 1)
    expect((await login(operatorToken, '10.11.0.1')).status).toBe(200)
  })

  test('never locks out the right token, even after guesses from many addresses', async () => {
    await db.delete(throttles)
    await Promise.all(
      Array.from({ length: 150 }, (_, at) => login('guess', `10.12.0.${at}`, at % 2 ? app : other)),
    )
    for (const from of ['10.12.0.1', '10.12.1.1']) expect((await login(operatorToken, from)).status).toBe(200)
  })

  test('does not end the session of an operator', async () => {
    await db.delete(throttles)
    const operator = await operatorBrowser(app)
    await Promise.all(Array.from({ length: 10 }, () => login('guess', '127.0.0.1')))
    expect((await operator.call('/api/imports')).status).toBe(200)
  })

  test('counts only failed logins', async () => {
    await db.delete(throttles)
    for (let time = 0; time < 20; time += 1)
      expect((await login(operatorToken, '10.13.0.1')).status).toBe(200)
    for (let time = 0; time < 4; time += 1) expect((await login('guess', '10.13.0.1')).status).toBe(401)
    expect((await login(operatorToken, '10.13.0.1')).status).toBe(200)
  })
})

test('a rotated token works at once and the old one stops working', async () => {
  const { app: own, services: ownServices } = await testApp()
  const tokenFile = `${ownServices.env.dataDir}/admin-token`
  const first = rotateOperatorToken(ownServices.env.dataDir)
  const withFile = createApp({
    ...ownServices,
    secrets: { ...ownServices.secrets, operatorToken: first, operatorTokenFile: tokenFile },
  })
  expect((await login(first, '10.14.0.1', withFile)).status).toBe(200)
  const second = rotateOperatorToken(ownServices.env.dataDir)
  expect(second).not.toBe(first)
  expect((await login(first, '10.14.0.2', withFile)).status).toBe(401)
  expect((await login(second, '10.14.0.3', withFile)).status).toBe(200)
  expect((await login(second, '10.14.0.4', own)).status).toBe(401)
})

describe('audit log', () => {
  const entries = () => db.select().from(auditLog).orderBy(asc(auditLog.at), asc(auditLog.id))

  test('records successful logins under the given name or as “operator”', async () => {
    await db.delete(auditLog)
    await db.delete(throttles)
    await browser(app, '10.15.0.1').call('/api/admin/login', {
      json: { token: operatorToken, name: ' Gr\u001bace\n' },
    })
    await browser(app, '10.15.0.2').call('/api/admin/login', { json: { token: operatorToken, name: ' ' } })
    await browser(app, '10.15.0.3').call('/api/admin/login', { json: { token: 'guess', name: 'Eve' } })
    expect((await entries()).map(({ actor, action, subjectType }) => [actor, action, subjectType])).toEqual([
      ['Grace', 'login', 'operator'],
      ['operator', 'login', 'operator'],
    ])
  })

  test('records who changed what, with the values before and after', async () => {
    await db.delete(auditLog)
    const ada = await operatorBrowser(app)
    const { id } = await ada.json('/api/premium-content', {
      json: { title: 'The Lamp', content: 'She lit it.' },
    })
    await ada.call(`/api/premium-content/${id}`, { method: 'PUT', json: { title: 'The Lantern' } })
    await browser(app, '10.15.0.4').call(`/api/premium-content/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    const changes = (await entries()).filter(({ subjectId }) => subjectId === id)
    expect(changes.map(({ actor, action }) => [actor, action])).toEqual([
      ['Ada', 'publish'],
      ['Ada', 'edit'],
      ['token', 'remove'],
    ])
    expect(changes[1]).toMatchObject({ before: { title: 'The Lamp' }, after: { title: 'The Lantern' } })
  })

  test('has no entry for a rejected change', async () => {
    const ada = await operatorBrowser(app)
    const { id } = await publishTestItem(services)
    await db.delete(auditLog)
    const refused = await ada.call(`/api/premium-content/${id}`, {
      method: 'PUT',
      json: { title: 'Other', voice: 'nobody' },
    })
    expect(refused.status).toBe(422)
    expect((await ada.call(`/api/premium-content/${crypto.randomUUID()}`, { method: 'DELETE' })).status).toBe(
      404,
    )
    expect(await entries()).toEqual([])
    expect(await ada.json(`/api/content/${id}`)).toMatchObject({ title: 'The Lamp' })
  })
})
