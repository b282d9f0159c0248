import { afterAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { watchStatements } from '#db/watch-statements'
import { guardedFetch } from '#src/http-client/guarded-fetch'
import { runWorker } from '#src/job/worker'
import { createLog } from '#src/process/log'
import { browser, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { createApp } from './app'

const made = await testApp()
const lines: string[] = []
const log = createLog('info', (line) => void lines.push(line))
const services = { ...made.services, log }
const app = createApp({ ...services, env: { ...services.env, accessLog: 'on' } })
const linesAbout = (words: string) =>
  lines.map((line) => JSON.parse(line)).filter((line) => JSON.stringify(line).includes(words))

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const sent = { 'x-request-id': 'proxy_7.a-b', traceparent: `00-${traceId}-00f067aa0ba902b7-01` }

describe('X-Request-Id', () => {
  test.each([['a'], ['proxy_7.a-b'], ['0'.repeat(128)]])('%s is taken from the request', async (id) => {
    const headers = { 'x-request-id': id }
    const response = await browser(app).call('/api/nothing', { headers })
    expect(response.headers.get('x-request-id')).toBe(id)
    expect(await response.json()).toMatchObject({ requestId: id })
  })

  test.each([[''], ['a b'], ['é'], ['"}{'], ['0'.repeat(129)]])('%j is replaced by a new id', async (id) => {
    const response = await browser(app).call('/healthz', { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[a-z0-9]{6}-[a-z0-9]+$/)
  })

  test('is the current request’s on a cached page', async () => {
    const guest = browser(app)
    for (const id of ['first', 'second', 'third']) {
      const response = await guest.call('/stories', { headers: { 'x-request-id': id } })
      expect(response.headers.get('x-request-id')).toBe(id)
    }
    expect(linesAbout('page cache').map(({ requestId }) => requestId)).toContain('third')
  })
})

test('an access log line has route, duration and both ids, but no address or query', async () => {
  await browser(app, '203.0.113.7').call('/stories?q=hidden', { headers: sent })
  expect(linesAbout(sent['x-request-id']).at(-1)).toEqual({
    time: expect.any(String),
    level: 'info',
    message: 'request',
    requestId: sent['x-request-id'],
    traceId,
    method: 'GET',
    route: 'GET /stories',
    status: 200,
    durationMs: expect.any(Number),
  })
  expect(lines.join('')).not.toMatch(/203\.0\.113\.7|hidden/)
})

test('no access log is written without ACCESS_LOG', async () => {
  const quiet = createApp(services)
  const before = lines.length
  await browser(quiet).call('/healthz')
  expect(lines.slice(before)).toEqual([])
})

test('a job’s log lines and outgoing calls carry the ids of the request that queued it', async () => {
  const asked = Promise.withResolvers<Headers>()
  const provider = Bun.serve({
    port: 0,
    fetch(request) {
      asked.resolve(request.headers)
      return new Response('')
    },
  })
  const call = guardedFetch({ trustedOrigins: [provider.url.origin], timeoutMs: 5_000 })
  await browser(app).call('/reset-password', { form: { email: 'ada@example.com' }, headers: sent })

  const worker = runWorker(services, {
    concurrency: 1,
    handlers: { 'password-reset': async () => void (await call(provider.url)) },
  })
  await until(() => linesAbout('job done').length > 0)

  expect(linesAbout('job done')).toEqual([
    expect.objectContaining({ kind: 'password-reset', requestId: sent['x-request-id'], traceId }),
  ])
  expect((await asked.promise).get('traceparent')).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  await worker.stop()
  await provider.stop(true)
})

describe('slow statement', async () => {
  const url = await testDatabaseUrl()
  const open = (slowMs: number) => {
    const db = openDatabase(url, { max: 1, observe: watchStatements(log, slowMs) })
    afterAll(() => db.close())
    return db
  }
  // Any statement takes longer than a microsecond; none of these takes an hour.
  const [all, none] = [open(0.001), open(3_600_000)]

  test('is logged with its text and duration, without values', async () => {
    await all.sql`select pg_sleep(${0}), ${'moonlight'}::text, 'starlight'`
    expect(linesAbout('a slow statement')).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        statement: "select pg_sleep($1), $2::text, '…'",
        durationMs: expect.any(Number),
        outcome: 'done',
      }),
    )
    expect(lines.join('')).not.toMatch(/moonlight|starlight/)
  })

  test('is logged as failed when it fails, and a fast one is not logged', async () => {
    lines.length = 0
    await all.sql`select 1 / (${1} - 1)`.catch(() => {})
    const [{ outcome }] = linesAbout('a slow statement').slice(-1)
    expect(outcome).toBe('failed')
    lines.length = 0
    await none.sql`select 1`
    await none.sql`select 1 / (${1} - 1)`.catch(() => {})
    expect(linesAbout('a slow statement')).toEqual([])
  })
})
