import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { createLog } from '#src/process/log'
import { createApp } from '#src/server/app'
import { operatorToken, testApp } from '#src/testing/app'

/** Requests that can only be sent as raw bytes: `fetch` corrects or refuses most of them. */
const { app, services } = await testApp({ PORT: '0' })
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, self) => app.fetch(request, self.requestIP(request)?.address),
})
afterAll(() => server.stop(true))

/** Sends raw bytes, and returns the answer once the server closes the connection. */
function exchange(...pieces: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(server.port ?? 0, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece)
    })
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer ? resolve(answer) : reject(error)))
  })
}

const statuses = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
const close = 'connection: close\r\n'

test('a response arrives over the wire with its headers and body', async () => {
  const answer = await exchange(`GET /healthz HTTP/1.1\r\nhost: localhost\r\n${close}\r\n`)
  expect(statuses(answer)).toEqual([200])
  expect(answer).toMatch(/^content-security-policy: default-src 'none'/im)
  expect(answer).toEndWith('{"status":"ok"}')
})

test.each([
  ['a short Host that shifts the path', 'GET /zz/api/admin/beta-signups HTTP/1.1\r\nhost: x\r\n'],
  ['a Host of one letter', 'GET /api/content HTTP/1.1\r\nhost: l\r\n'],
  ['an empty Host', 'GET /api/content HTTP/1.1\r\nhost:\r\n'],
  ['a Host with an invalid port', 'GET /api/content HTTP/1.1\r\nhost: localhost:99999\r\n'],
  ['a Host with a path', 'GET /content HTTP/1.1\r\nhost: localhost/api\r\n'],
  ['a Host with a question mark', 'GET /content HTTP/1.1\r\nhost: localhost/api?x=\r\n'],
  ['two Hosts, ours first', 'GET /api/content HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n'],
  ['two Hosts, ours last', 'GET /api/content HTTP/1.1\r\nhost: evil.example\r\nhost: localhost\r\n'],
  ['the same Host twice', 'GET /api/content HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n'],
  ['a Host on a folded line', 'GET /api/content HTTP/1.1\r\nhost: evil.example\r\n localhost\r\n'],
  ['no Host', 'GET /api/content HTTP/1.1\r\nx-forwarded-host: localhost\r\n'],
  [
    'a foreign Host with a forwarded one',
    'GET /api/content HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: localhost\r\n',
  ],
])('%s is rejected', async (_, head) => {
  for (const status of statuses(await exchange(`${head}${close}\r\n`))) expect([400, 403]).toContain(status)
})

test('a page cached for our host is not served to a foreign Host', async () => {
  const ours = await exchange(`GET / HTTP/1.1\r\nhost: localhost\r\n${close}\r\n`)
  expect(statuses(ours)).toEqual([200])
  for (const head of [
    'GET / HTTP/1.1\r\nhost: evil.example\r\n',
    'GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n',
    'GET / HTTP/1.1\r\nhost: evil.example\r\nhost: localhost\r\n',
    'GET http://localhost/ HTTP/1.1\r\nhost: evil.example\r\n',
    'GET / HTTP/1.1\r\nhost: localhost?\r\n',
    'GET / HTTP/1.1\r\nhost: localhost#\r\n',
    'GET / HTTP/1.1\r\nhost: evil@localhost\r\n',
  ]) {
    for (const status of statuses(await exchange(`${head}${close}\r\n`))) expect([400, 403]).toContain(status)
  }
})

test('an absolute URL in the request line does not choose another host', async () => {
  const answer = await exchange(
    `GET http://evil.example/api/admin/beta-signups HTTP/1.1\r\nhost: localhost\r\n${close}\r\n`,
  )
  for (const status of statuses(answer)) expect(status).toBeGreaterThanOrEqual(400)
})

test.each(['/api/admin/beta-signups', '/api/premium-content', '/api/imports'])(
  'no spelling of %s bypasses the operator’s access check',
  async (path) => {
    const writings = [
      path,
      `/${path}`,
      `//localhost${path}`,
      `${path}/`,
      `${path}?`,
      `${path}?/api/content`,
      `${path}#/api/content`,
      `/api/content/..${path.slice(4)}`,
      `/./${path.slice(1)}`,
      `/x/..${path}`,
      `/x/%2e%2e${path}`,
      `/x/.%2E${path}`,
      path.replace('/api/', '/api%2f'),
      path.replace('/api/', '/%61pi/'),
      path.replace('/api/', '/api\\'),
      path.replace('/api/', '/api/%00/../'),
      path.toUpperCase(),
      `${path}%20`,
      `${path};a=b`,
      `${path}%0d%0ahost:%20x`,
      '*',
      'api',
    ]
    let answered = 0
    for (const method of ['GET', 'HEAD', 'POST', 'TRACE', 'get', 'PROPFIND', 'X']) {
      for (const written of writings) {
        const answer = await exchange(
          `${method} ${written} HTTP/1.1\r\nhost: localhost\r\n${close}content-length: 0\r\n\r\n`,
        )
        for (const status of statuses(answer)) expect(`${method} ${written}: ${status}`).toMatch(/: 4\d\d$/)
        answered += statuses(answer).length
      }
    }
    expect(answered).toBeGreaterThan(100)
  },
)

test('a request smuggled in the body of another is not answered', async () => {
  const hidden = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'
  const json = 'host: localhost\r\ncontent-type: application/json\r\nsec-fetch-site: same-origin\r\n'
  const attempts = [
    `POST /api/auth/logout HTTP/1.1\r\n${json}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `POST /api/auth/logout HTTP/1.1\r\n${json}content-length: 0\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
    `POST /api/auth/logout HTTP/1.1\r\n${json}content-length: ${hidden.length}\r\n\r\n${hidden}`,
    `POST /api/auth/logout HTTP/1.1\r\n${json}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
  ]
  // Answers come in order, and the connection closes after the last one: then the hidden request has none.
  const last = `GET /robots.txt HTTP/1.1\r\nhost: localhost\r\n${close}\r\n`
  for (const attempt of attempts) {
    const answer = await exchange(attempt, last)
    expect(statuses(answer).length).toBeLessThanOrEqual(2)
    expect(answer).not.toContain('"status":"ok"')
  }
})

test.each([
  ['a call', 'POST /api/auth/login', 'application/json', '{"email":"a"}'],
  ['a form', 'POST /unlock', 'application/x-www-form-urlencoded', 'pin=2468'],
  ['an empty form of members', 'POST /settings/pin', 'application/x-www-form-urlencoded', ''],
  ['a page', 'GET /privacy', 'text/html', ''],
])('%s whose length is stated twice returns 400', async (_, line, type, body) => {
  const length = `content-length: ${body.length}\r\n`
  const head = `host: localhost\r\naccept: text/html\r\nsec-fetch-site: same-origin\r\ncontent-type: ${type}\r\n`
  const answer = await exchange(`${line} HTTP/1.1\r\n${head}${length}${length}${close}\r\n${body}`)
  expect(statuses(answer)).toEqual([400])
})

test('a chunked body is limited while it is read', async () => {
  const head =
    'POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nsec-fetch-site: same-origin\r\n'
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
  const refused = await exchange(
    `${head}${close}transfer-encoding: chunked\r\n\r\n`,
    chunk.repeat(6),
    '0\r\n\r\n',
  )
  expect(statuses(refused)).toEqual([413])
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'not this one' })
  const pieces = [...body].map((letter) => `1\r\n${letter}\r\n`).join('')
  const read = await exchange(`${head}${close}transfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`)
  expect(statuses(read)).toEqual([401])
})

test('a bearer token is accepted in any case of the header name, and only unchanged', async () => {
  const request = async (authorization: string) =>
    statuses(
      await exchange(`GET /api/imports HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\n${close}\r\n`),
    )
  expect(await request(`Authorization: Bearer ${operatorToken}`)).toEqual([200])
  expect(await request(`AUTHORIZATION: Bearer ${operatorToken}`)).toEqual([200])
  expect(await request(`authorization: Bearer ${operatorToken}x`)).toEqual([401])
  expect(await request(`authorization: Basic ${operatorToken}`)).toEqual([401])
})

test.each([
  ['of a stated length', 'content-length: 5000\r\n\r\n{"email":'],
  ['in chunks', 'transfer-encoding: chunked\r\n\r\n9\r\n{"email":\r\n'],
])('a body %s that is cut off returns 400 and logs no error', async (_, rest) => {
  const lines: string[] = []
  const logging = createApp({ ...services, log: createLog('warn', (line) => void lines.push(line)) })
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<number>()
  const listening = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      asked.resolve()
      const answer = await logging.fetch(request)
      answered.resolve(answer.status)
      return answer
    },
  })
  const socket = connect(listening.port ?? 0, '127.0.0.1', () => {
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${rest}`,
    )
  })
  await asked.promise
  socket.destroy()
  expect(await answered.promise).toBe(400)
  await listening.stop(true)
  expect(lines).toEqual([])
})
