import { describe, expect, test } from 'bun:test'
import { keyedHash } from '#src/security/keyed-hash'
import { signValue } from '#src/security/signed-value'
import type { App } from '#src/server/app'
import { browser, operatorToken, publishTestItem, testApp } from '#src/testing/app'

const plain = await testApp({ AGE_GATE: 'confirm' })
const secure = await testApp({ AGE_GATE: 'confirm', PUBLIC_URL: 'https://evening.example' })
const password = 'lanterns on the water'

/** The Set-Cookie lines of a response, each as a name with its sorted attributes. */
async function cookiesOf(
  app: App,
  origin: string,
  path: string,
  body?: { json?: unknown; form?: Record<string, string> },
  cookie = '',
) {
  const { host } = new URL(origin)
  const response = await app.fetch(
    new Request(`${origin}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        host,
        'sec-fetch-site': 'same-origin',
        ...(body?.json !== undefined && { 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
      },
      ...(body && {
        body: body.json !== undefined ? JSON.stringify(body.json) : new URLSearchParams(body.form),
      }),
    }),
    '10.9.0.1',
  )
  return response.headers.getSetCookie().map((line) => {
    const [pair = '', ...attributes] = line.split('; ')
    return {
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      attributes: attributes.sort(),
    }
  })
}

describe('cookies', () => {
  const month = `Max-Age=${30 * 24 * 3_600}`
  const year = `Max-Age=${365 * 24 * 3_600}`
  const cases = [
    [
      '/api/auth/register',
      { json: { email: 'ana@example.com', password } },
      [
        ['nocturne_session', ['HttpOnly', month, 'Path=/', 'SameSite=Lax']],
        ['nocturne_device', ['HttpOnly', year, 'Path=/', 'SameSite=Lax']],
      ],
    ],
    [
      '/api/admin/login',
      { json: { token: operatorToken } },
      [['nocturne_operator', ['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Strict']]],
    ],
    ['/age', { form: { next: '/' } }, [['nocturne_age', ['HttpOnly', year, 'Path=/', 'SameSite=Lax']]]],
  ] as const

  test.each(cases)(
    'set by %s over HTTP are HttpOnly, with Max-Age and SameSite',
    async (path, body, expected) => {
      expect(await cookiesOf(plain.app, 'http://localhost:3000', path, body)).toEqual(
        expected.map(([name, attributes]) => ({
          name,
          value: expect.stringMatching(/^[\w.-]{20,}$/),
          attributes: [...attributes],
        })),
      )
    },
  )

  test.each(cases)(
    'set by %s over HTTPS are also Secure, with the __Host- prefix',
    async (path, body, expected) => {
      expect(await cookiesOf(secure.app, 'https://evening.example', path, body)).toMatchObject(
        expected.map(([name, attributes]) => ({
          name: `__Host-${name}`,
          attributes: [...attributes, 'Secure'],
        })),
      )
    },
  )

  test('identify a visitor for a year from the first opened story', async () => {
    for (const { app, services, origin, prefix } of [
      { ...plain, origin: 'http://localhost:3000', prefix: '' },
      { ...secure, origin: 'https://evening.example', prefix: '__Host-' },
    ]) {
      const { id } = await publishTestItem(services)
      const [cookie] = await cookiesOf(app, origin, `/api/content/${id}`)
      expect(cookie?.name).toBe(`${prefix}nocturne_visitor`)
      expect(cookie?.attributes).toEqual([
        'HttpOnly',
        year,
        'Path=/',
        'SameSite=Lax',
        ...(prefix ? ['Secure'] : []),
      ])
    }
  })

  test('without the __Host- prefix are ignored over HTTPS', async () => {
    const [cookie] = await cookiesOf(secure.app, 'https://evening.example', '/api/auth/register', {
      json: { email: 'ben@example.com', password },
    })
    const who = async (sent: string) => {
      const headers = { host: 'evening.example', cookie: sent }
      return (
        await secure.app.fetch(new Request('https://evening.example/api/auth/user', { headers }))
      ).json()
    }
    expect(await who(`__Host-nocturne_session=${cookie?.value}`)).toMatchObject({ email: 'ben@example.com' })
    expect(await who(`nocturne_session=${cookie?.value}`)).toBeNull()
  })
})

describe('signed visitor cookie', () => {
  const { app, services } = plain
  const progress = async (cookie: string, contentId: string) => {
    const response = await app.fetch(
      new Request(`http://localhost:3000/api/analytics/progress/${contentId}/story`, {
        headers: { host: 'localhost:3000', cookie },
      }),
    )
    expect(response.status).toBe(200)
    return response.json()
  }

  test('counts as absent when tampered with, without an error', async () => {
    const { id } = await publishTestItem(services)
    const visitor = browser(app)
    await visitor.call('/api/analytics/progress', {
      json: { contentId: id, contentType: 'story', lastPositionSec: 42 },
    })
    const signed = visitor.jar.get('nocturne_visitor') ?? ''
    expect(await progress(`nocturne_visitor=${signed}`, id)).toMatchObject({ lastPositionSec: 42 })

    const [value = '', signature = ''] = signed.split('.')
    const forged = crypto.randomUUID()
    for (const tampered of [
      value,
      `${value}.`,
      `.${signature}`,
      `${forged}.${signature}`,
      `${value}.${signature.slice(0, -1)}`,
      `${value}.${signature}x`,
      `${value}.${signature}.${signature}`,
      `${value.toUpperCase()}.${signature}`,
      `${value}.${keyedHash('another secret', 'cookie:nocturne_visitor', value)}`,
      // A valid signature of ours, but for another cookie.
      signValue(services.secrets.session, 'nocturne_age', value),
      signValue(services.secrets.session, 'nocturne_visitor', 'not an id'),
      '',
      '.',
      '%',
      'x'.repeat(10_000),
    ]) {
      expect(await progress(`nocturne_visitor=${tampered}`, id)).toBeNull()
    }
  })

  test('is read among other and malformed cookies', async () => {
    const { id } = await publishTestItem(services)
    const visitor = browser(app)
    await visitor.call('/api/analytics/progress', {
      json: { contentId: id, contentType: 'story', lastPositionSec: 7 },
    })
    const pair = `nocturne_visitor=${visitor.jar.get('nocturne_visitor')}`
    for (const cookie of [
      pair,
      ` ${pair} `,
      `a=b; ${pair}`,
      `${pair};`,
      `; ;=;${pair}`,
      `x; ${pair}; nocturne_visitor=other`,
    ]) {
      expect(await progress(cookie, id)).toMatchObject({ lastPositionSec: 7 })
    }
  })
})

test('the first of two cookies with the same name is used', async () => {
  const { app } = plain
  const first = browser(app)
  await first.call('/api/auth/register', { json: { email: 'cleo@example.com', password } })
  const pair = `nocturne_session=${first.jar.get('nocturne_session')}`
  const who = async (cookie: string) =>
    (
      await app.fetch(
        new Request('http://localhost:3000/api/auth/user', { headers: { host: 'localhost:3000', cookie } }),
      )
    ).json()
  expect(await who(`${pair}; nocturne_session=planted`)).toMatchObject({ email: 'cleo@example.com' })
  expect(await who(`nocturne_session=planted; ${pair}`)).toBeNull()
})

test('the theme cookie is readable by scripts and SameSite=Lax', async () => {
  const member = browser(plain.app)
  await member.call('/api/auth/register', { json: { email: 'dora@example.com', password } })
  const answer = await member.call('/settings/preferences', { form: { theme: 'paper' } })
  expect(answer.headers.getSetCookie()).toEqual([
    'nocturne_theme=paper; Path=/; Max-Age=31536000; SameSite=Lax',
  ])
})
