import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { openDatabase } from '#db/db'
import { jobs } from '#db/schema'
import { findProgram } from '#scripts/debian-package'
import { enqueue } from '#src/job/enqueue'
import { countRequest, familiesOfProcess, metricsText } from '#src/process/metrics'
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
const promtool = await findProgram({ program: 'promtool', packageName: 'prometheus' }, (line) =>
  console.warn(line),
)
const behind = await testApp({ TRUST_PROXY: '127.0.0.1,10.0.0.0/8' })

test('/healthz returns ok and /readyz returns ready', async () => {
  expect(await browser(app, '8.8.8.8').json('/healthz')).toEqual({ status: 'ok' })
  expect(await browser(app, '8.8.8.8').json('/readyz')).toEqual({ status: 'ready' })
})

test('/metrics is open only to operators and loopback addresses', async () => {
  const statusFrom = async (address: string, headers = {}) =>
    (await browser(app, address).call('/metrics', { headers })).status
  expect(await statusFrom('127.0.0.1')).toBe(200)
  expect(await statusFrom('127.8.8.8')).toBe(200)
  expect(await statusFrom('::1')).toBe(200)
  expect(await statusFrom('::ffff:127.0.0.1')).toBe(200)
  for (const address of ['8.8.8.8', '10.0.0.1', '192.168.0.1', '2001:db8::1', '1127.0.0.1', '']) {
    expect(await statusFrom(address)).toBe(403)
    expect(await statusFrom(address, { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' })).toBe(
      403,
    )
  }
  expect((await (await memberBrowser(app, 'ana@example.com', '8.8.4.4')).call('/metrics')).status).toBe(403)
  expect(await statusFrom('8.8.8.8', { authorization: `Bearer ${operatorToken}` })).toBe(200)
  expect((await (await operatorBrowser(app)).call('/metrics')).status).toBe(200)
})

test('/metrics checks the forwarded address behind a trusted proxy', async () => {
  const { app: behindProxy } = await testApp({ TRUST_PROXY: '127.0.0.1' })
  const forwarded = { 'x-forwarded-for': '8.8.8.8' }
  expect((await browser(behindProxy, '127.0.0.1').call('/metrics', { headers: forwarded })).status).toBe(403)
  expect((await browser(behindProxy, '127.0.0.1').call('/metrics')).status).toBe(200)
})

test.each([
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'forwarded',
  'via',
])('/metrics treats a loopback request with %s as proxied', async (name) => {
  const values = ['8.8.8.8', '127.0.0.1', '::1', 'localhost', 'for=127.0.0.1', 'https', '']
  for (const value of values) {
    const statuses = await Promise.all(
      [app, behind.app].map(
        async (each) => (await browser(each).call('/metrics', { headers: { [name]: value } })).status,
      ),
    )
    // A trusted proxy may speak for this machine, but only with the header that the server reads.
    const isLocal = name === 'x-forwarded-for' && (value === '127.0.0.1' || value === '::1')
    expect([value, ...statuses]).toEqual([value, 403, isLocal ? 200 : 403])
  }
})

test('/metrics rejects a trusted proxy’s request whose headers disagree about the client', async () => {
  const { app: trusting } = behind
  const statusWith = async (headers: Record<string, string>) =>
    (await browser(trusting).call('/metrics', { headers })).status
  const local = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
  expect(await statusWith(local)).toBe(200)
  expect(await statusWith({ ...local, 'x-real-ip': '127.0.0.1' })).toBe(200)
  expect(await statusWith({ ...local, 'x-real-ip': '8.8.8.8' })).toBe(403)
  expect(await statusWith({ ...local, 'cf-connecting-ip': '8.8.8.8' })).toBe(403)
  expect(await statusWith({ ...local, forwarded: 'for=8.8.8.8' })).toBe(403)
  for (const said of [
    '127.0.0.1, 8.8.8.8',
    '8.8.8.8, 127.0.0.1',
    'unknown',
    '127.0.0.1, unknown',
    '10.9.9.9',
  ])
    expect(await statusWith({ 'x-forwarded-for': said })).toBe(403)
})

test('/metrics has the Prometheus text format and counts requests', async () => {
  const count = async () => {
    const response = await browser(app).call('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(# HELP [a-z_]+ [A-Z].+\.|# TYPE [a-z_]+ (counter|gauge|histogram)|[a-z_]+(\{[a-z]+="[^"\\]+"(,[a-z]+="[^"\\]+")*\})? [\d.e+-]+)$/,
      )
    }
    expect(text).toMatch(/^nocturne_database_bytes [1-9]/m)
    const queued = await services.db.$count(jobs, eq(jobs.state, 'queued'))
    expect(text).toContain(`\nnocturne_jobs_queued ${queued}\n`)
    return Number(/nocturne_http_requests_total\{method="DELETE",status="404"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  const before = await count()
  for (let each = 0; each < 3; each += 1) await browser(app).call('/api/nothing', { method: 'DELETE' })
  expect(await count()).toBe(before + 3)
})

test('/metrics has request durations by route, without concrete paths or queries', async () => {
  await browser(app).call('/api/content?q=secret')
  await browser(app).call('/story/nobody-wrote-this')
  const text = await (await browser(app).call('/metrics')).text()
  expect(text).toMatch(
    /^nocturne_http_request_duration_seconds_bucket\{route="GET \/api\/content",le="\+Inf"\} [1-9]/m,
  )
  expect(text).toMatch(/^nocturne_http_request_duration_seconds_count\{route="GET \/story\/:slug"\} [1-9]/m)
  expect(text).not.toMatch(/secret|nobody-wrote-this/)
})

test('/metrics has jobs by kind and state, and the state of the database pool', async () => {
  await enqueue(services.db, { kind: 'nothing', dedupeKey: 'one', payload: {} })
  const text = await (await browser(app).call('/metrics')).text()
  expect(text).toContain('\nnocturne_jobs{kind="nothing",state="queued"} 1\n')
  expect(text).toMatch(/^nocturne_jobs_overdue_seconds\{kind="nothing"\} [\d.]+$/m)
  expect(text).toMatch(/^nocturne_database_pool_connections\{state="(open|busy)"\} [1-9]/m)
  expect(text).toMatch(/^nocturne_database_pool_waiting 0$/m)
})

test('/metrics works while the database is unreachable', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { max: 1 })
  const response = await browser(createApp({ ...services, db: away })).call('/metrics')
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).toContain('\nnocturne_database_up 0\n')
  expect(text).toContain('\nnocturne_http_requests_total{')
  await away.close()
})

test.skipIf(promtool === null)('promtool accepts the metrics', async () => {
  const child = Bun.spawn([promtool ?? '', 'check', 'metrics'], {
    stdin: new Blob([await (await browser(app).call('/metrics')).text()]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = await Promise.all([child.stdout, child.stderr].map((each) => new Response(each).text()))
  expect([await child.exited, ...said]).toEqual([0, '', ''])
})

test('an unknown HTTP method is counted as OTHER', () => {
  for (const method of ['BREWCOFFEE', 'get', 'G"} 1', '']) countRequest({ method, route: 'none' }, 404, 1)
  const text = metricsText(familiesOfProcess())
  expect(text).not.toMatch(/BREWCOFFEE|"get"|G"\}/)
  expect(text).toMatch(/method="OTHER",status="404"\} \d+/)
})

test('robots.txt excludes /api, and the sitemap lists published items only', async () => {
  const { slug } = await publishTestItem(services, { title: 'A & B <c>' })
  await publishTestItem(services, { title: 'Hidden', status: 'draft' })
  await publishTestItem(services, { title: 'Tide', type: 'flow' })
  const robots = await (await browser(app).call('/robots.txt')).text()
  expect(robots).toContain('Disallow: /api/')
  expect(robots).toContain('Sitemap: http://localhost:3000/sitemap.xml')
  const response = await browser(app).call('/sitemap.xml')
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const sitemap = await response.text()
  expect(sitemap).toContain(`<loc>http://localhost:3000/story/${slug}</loc>`)
  expect(sitemap).toContain('<loc>http://localhost:3000/flow/tide</loc>')
  expect(sitemap).not.toContain('hidden')
  expect(sitemap).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset [^>]+>[\s\S]+<\/urlset>\n$/)
  expect(sitemap).not.toMatch(/&(?!amp;|lt;|gt;|quot;|apos;)/)
})

test('a cover is an SVG without scripts or external references, whatever the title', async () => {
  for (const title of [
    'The Lamp',
    '<script>alert(1)</script>',
    '"/><image href="https://evil.example"/>',
    '',
    '🌙'.repeat(50),
    'x'.repeat(400),
  ]) {
    const response = await browser(app).call(`/cover?${new URLSearchParams({ title })}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    const picture = await response.text()
    expect(picture).toMatch(/^<svg [^>]+>[\s\S]+<\/svg>$/)
    expect(picture).not.toMatch(/<script|<image|<foreignObject|href=|\son\w+=/i)
  }
  expect((await browser(app).call(`/cover?title=${'x'.repeat(401)}`)).status).toBe(422)
})
