import { describe, expect, test } from 'bun:test'
import type { App } from '#src/server/app'
import { browser, operatorBrowser, operatorToken, testApp } from '#src/testing/app'

const { app } = await testApp()

describe('client address', () => {
  test('is the rate limit’s key: each forwarded address behind a trusted proxy, otherwise the peer’s', async () => {
    const { app: behindProxy } = await testApp({ TRUST_PROXY: '10.0.0.0/8' })
    const guess = async (each: App, from: string) =>
      (
        await browser(each, '10.0.0.1').call('/api/admin/login', {
          json: { token: 'no' },
          headers: { 'x-forwarded-for': from },
        })
      ).status
    for (let sender = 0; sender < 8; sender += 1)
      expect(await guess(behindProxy, `1.2.3.${sender}`)).toBe(401)
    const { app: direct } = await testApp()
    const statuses = []
    for (let sender = 0; sender < 8; sender += 1) statuses.push(await guess(direct, `1.2.3.${sender}`))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  })
})

describe('bearer token', () => {
  const request = (authorization: string, from: string, path = '/api/imports') =>
    browser(app, from).call(path, { headers: { authorization } })

  test('grants operator access without a cookie', async () => {
    const response = await request(`Bearer ${operatorToken}`, '10.2.0.1')
    expect(response.status).toBe(200)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(
      await browser(app, '10.2.0.1').json('/api/admin/status', {
        headers: { authorization: `Bearer ${operatorToken}` },
      }),
    ).toEqual({ isAdmin: true })
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'bearer x',
    `Basic ${operatorToken}`,
    operatorToken,
    `Bearer ${operatorToken}x`,
    `Bearer  ${operatorToken}`,
    `Bearer ${operatorToken.toUpperCase()}`,
  ])('is rejected when the header is %p', async (authorization) => {
    expect((await request(authorization, `10.2.1.${authorization.length}`)).status).toBe(401)
  })

  test('is rejected when wrong, even beside an operator’s cookie', async () => {
    const operator = await operatorBrowser(app)
    expect((await operator.call('/api/imports', { headers: { authorization: 'Bearer no' } })).status).toBe(
      401,
    )
    expect((await operator.call('/api/imports')).status).toBe(200)
  })

  test('is rate-limited by address after five wrong guesses, while the right one still works', async () => {
    for (let guess = 0; guess < 5; guess += 1)
      expect((await request(`Bearer guess ${guess}`, '10.2.2.1')).status).toBe(401)
    const refused = await request('Bearer guess', '10.2.2.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const from of ['10.2.2.1', '10.2.2.2'])
      expect((await request(`Bearer ${operatorToken}`, from)).status).toBe(200)
    expect((await request('Bearer guess', '10.2.2.1')).status).toBe(429)
  })

  test('is accepted in 30 concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => request(`Bearer ${operatorToken}`, '10.2.3.1')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
  })
})
