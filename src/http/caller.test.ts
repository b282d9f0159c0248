import { describe, expect, test } from 'bun:test'
import type { App } from '#src/app'
import { addressReader } from '#src/http/caller'
import { browser, operatorBrowser, operatorToken, testApp } from '#src/testing'

const { app } = await testApp()

describe('the address that asks', () => {
  const request = (forwarded?: string) =>
    new Request(
      'http://localhost/',
      forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } },
    )

  test('is the peer’s where no proxy is trusted, whatever is said', () => {
    const read = addressReader({ trustProxy: [] })
    expect(read(request('1.2.3.4'), '10.0.0.1')).toBe('10.0.0.1')
    expect(read(request(), '::ffff:10.0.0.1')).toBe('10.0.0.1')
    expect(read(request('1.2.3.4'), '::1')).toBe('::1')
  })

  test.each([
    ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '9.9.9.9, 1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4, 10.0.0.7, 192.168.1.1', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4,10.0.0.7', '1.2.3.4'],
    ['10.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['fd00::5', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.9', '10.0.0.1'],
    ['10.0.0.1', ' , ,', '10.0.0.1'],
    ['8.8.8.8', '1.2.3.4', '8.8.8.8'],
    ['11.0.0.1', '10.0.0.1', '11.0.0.1'],
    ['192.168.1.2', '1.2.3.4', '192.168.1.2'],
  ])('peer %s with X-Forwarded-For %p is %s', (peer, forwarded, expected) => {
    const read = addressReader({ trustProxy: ['10.0.0.0/8', '192.168.1.1', 'fd00::/16'] })
    expect(read(request(forwarded), peer)).toBe(expected)
  })

  test.each([
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2001:db8::1]:5678', '2001:db8::1'],
    ['"[2001:db8::1]"', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['unknown', '10.0.0.1'],
    ['_hidden', '10.0.0.1'],
    ['1.2.3.4, unknown', '10.0.0.1'],
    ['1.2.3', '10.0.0.1'],
    ['x'.repeat(500), '10.0.0.1'],
  ])('is without its port, and the proxy’s where %p is none', (forwarded, expected) => {
    expect(addressReader({ trustProxy: ['10.0.0.0/8'] })(request(forwarded), '10.0.0.1')).toBe(expected)
  })

  test('decides who is throttled: behind a trusted proxy each sender alone, else all together', async () => {
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

describe('a bearer token', () => {
  const ask = (authorization: string, from: string, path = '/api/imports') =>
    browser(app, from).call(path, { headers: { authorization } })

  test('opens the operator’s calls, without a cookie', async () => {
    const response = await ask(`Bearer ${operatorToken}`, '10.2.0.1')
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
  ])('is not one as %p', async (authorization) => {
    expect((await ask(authorization, `10.2.1.${authorization.length}`)).status).toBe(401)
  })

  test('that is wrong takes the place of an operator’s cookie too', async () => {
    const operator = await operatorBrowser(app)
    expect((await operator.call('/api/imports', { headers: { authorization: 'Bearer no' } })).status).toBe(
      401,
    )
    expect((await operator.call('/api/imports')).status).toBe(200)
  })

  test('is guessed five times from an address, then not even the right one opens', async () => {
    for (let guess = 0; guess < 5; guess += 1)
      expect((await ask(`Bearer guess ${guess}`, '10.2.2.1')).status).toBe(401)
    const refused = await ask('Bearer guess', '10.2.2.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(`Bearer ${operatorToken}`, '10.2.2.1')).status).toBe(429)
    expect((await ask(`Bearer ${operatorToken}`, '10.2.2.2')).status).toBe(200)
  })

  test('may be used by many calls at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask(`Bearer ${operatorToken}`, '10.2.3.1')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
  })
})
