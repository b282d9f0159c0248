import { afterAll, afterEach, expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { watchStatements } from '#db/watch-statements'
import { guardedFetch } from '#src/http-client/guarded-fetch'
import { runWorker } from '#src/job/worker'
import { createApp } from '#src/server/app'
import { browser, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { exportSpans, type SpanExport } from './export-spans'
import { createLog } from './log'

type Attribute = { key: string; value: { stringValue?: string; intValue?: string } }
type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number }
}

/** A collector: the spans and requests it has received, and its response. */
const spans: SentSpan[] = []
const requests: Request[] = []
const answers: number[] = []
const collector = Bun.serve({
  port: 0,
  async fetch(request) {
    requests.push(request)
    const status = answers.shift() ?? 200
    const { resourceSpans } = await request.json()
    if (status !== 200) return new Response('', { status })
    for (const { resource, scopeSpans } of resourceSpans) {
      expect(attributeOf(resource, 'service.name')).toBe('stories')
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    return Response.json({})
  },
})
afterAll(() => collector.stop(true))

const made = await testApp()
const log = createLog('error', () => {})
const db = openDatabase(await testDatabaseUrl(), { max: 3, observe: watchStatements(log, 0) })
const services = { ...made.services, db, log }
const app = createApp(services)
let tracing: ReturnType<typeof exportSpans> | undefined
afterEach(async () => {
  await tracing?.stop()
  spans.length = 0
})
afterAll(() => db.close())

function trace(settings: Partial<SpanExport> = {}) {
  tracing = exportSpans(
    {
      endpoint: collector.url.href,
      serviceName: 'stories',
      share: 1,
      headers: 'x-api-key=a%20b',
      ...settings,
    },
    log,
  )
  return tracing
}

function attributeOf({ attributes }: { attributes: Attribute[] }, key: string): string | undefined {
  const value = attributes.find((each) => each.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

const spanNamed = (name: string) => {
  const found = spans.find((span) => span.name === name)
  if (!found) throw new Error(`No span ${name} among ${spans.map((span) => span.name).join(', ')}`)
  return found
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = '00f067aa0ba902b7'

test('a request, its SQL statements, its job and the job’s calls form one trace', async () => {
  const provider = Bun.serve({ port: 0, fetch: () => new Response('', { status: 500 }) })
  const call = guardedFetch({ trustedOrigins: [provider.url.origin], timeoutMs: 5_000 })
  const sending = trace()
  const headers = { traceparent: `00-${traceId}-${caller}-01` }
  await browser(app).call('/reset-password', { form: { email: 'ada@example.com' }, headers })
  const done = Promise.withResolvers<void>()
  const worker = runWorker(services, {
    concurrency: 1,
    handlers: { 'password-reset': async () => void (await call(provider.url).finally(done.resolve)) },
  })
  await done.promise
  await worker.stop()
  await sending.stop()
  await provider.stop(true)

  const request = spanNamed('POST /reset-password')
  expect(request).toMatchObject({ traceId, parentSpanId: caller, kind: 2, status: {} })
  expect(attributeOf(request, 'http.response.status_code')).toBe('303')
  const insert = spans.find((span) => /insert into "jobs"/.test(attributeOf(span, 'db.query.text') ?? ''))
  expect(insert).toMatchObject({ traceId, parentSpanId: request.spanId, name: 'with', kind: 3 })
  const job = spanNamed('job password-reset')
  expect(job).toMatchObject({ traceId, parentSpanId: request.spanId, kind: 5 })
  expect(spanNamed(`call ${provider.url.host}`)).toMatchObject({
    ...{ traceId, parentSpanId: job.spanId, kind: 3 },
    status: { code: 2 },
  })
  for (const span of spans) {
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)]
    expect(end >= start && end - start < 60_000_000_000n).toBe(true)
    expect(Math.abs(Number(start / 1_000_000n) - Date.now())).toBeLessThan(300_000)
  }
  expect(JSON.stringify(spans)).not.toContain('ada@example.com')
  expect(requests.at(-1)).toMatchObject({ method: 'POST', url: `${collector.url.href}v1/traces` })
  expect(requests.at(-1)?.headers.get('x-api-key')).toBe('a b')
})

test('an incoming traceparent decides whether a request is recorded, else the sampling share', async () => {
  const sending = trace({ share: 0 })
  for (const flags of ['00', '01'])
    await browser(app).call('/healthz', { headers: { traceparent: `00-${traceId}-${caller}-${flags}` } })
  await browser(app).call('/healthz')
  await sending.stop()
  expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([caller])
})

test('spans that a busy collector rejects are sent again', async () => {
  const sending = trace()
  answers.push(503)
  for (let count = 0; count < 512; count += 1) await browser(app).call('/healthz')
  await until(() => answers.length === 0)
  await sending.stop()
  expect(spans.filter(({ name }) => name === 'GET /healthz')).toHaveLength(512)
})

test('no spans are sent without a collector', async () => {
  const before = requests.length
  await browser(app).call('/healthz')
  expect(requests).toHaveLength(before)
})
