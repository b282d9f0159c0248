import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobs } from '#db/schema'
import { countRequest, metricsText } from '#src/http/metrics'
import {
  browser,
  memberBrowser,
  operatorBrowser,
  operatorToken,
  publishTestItem,
  testApp,
} from '#src/testing'

const { app, parts } = await testApp()

test('the process lives and can serve', async () => {
  expect(await browser(app, '8.8.8.8').json('/healthz')).toEqual({ status: 'ok' })
  expect(await browser(app, '8.8.8.8').json('/readyz')).toEqual({ status: 'ready' })
})

test('metrics are for operators and for this machine', async () => {
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

test('behind a trusted proxy, it is the sender who has to be this machine', async () => {
  const { app: behindProxy } = await testApp({ TRUST_PROXY: '127.0.0.1' })
  const forwarded = { 'x-forwarded-for': '8.8.8.8' }
  expect((await browser(behindProxy, '127.0.0.1').call('/metrics', { headers: forwarded })).status).toBe(403)
  expect((await browser(behindProxy, '127.0.0.1').call('/metrics')).status).toBe(200)
})

test('metrics are lines that Prometheus reads, and count what was asked', async () => {
  const count = async () => {
    const response = await browser(app).call('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(# TYPE [a-z_]+ (counter|gauge)|[a-z_]+(\{[a-z]+="[\w]+"(,[a-z]+="[\w]+")*\})? [\d.e+-]+)$/,
      )
    }
    expect(text).toMatch(/^nocturne_database_bytes [1-9]/m)
    const queued = await parts.db.$count(jobs, eq(jobs.state, 'queued'))
    expect(text).toContain(`\nnocturne_jobs_queued ${queued}\n`)
    return Number(/nocturne_http_requests_total\{method="DELETE",status="404"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  const before = await count()
  for (let each = 0; each < 3; each += 1) await browser(app).call('/api/nothing', { method: 'DELETE' })
  expect(await count()).toBe(before + 3)
})

test('a method that was made up is counted as another, not under its name', () => {
  for (const method of ['BREWCOFFEE', 'get', 'G"} 1', '']) countRequest(method, 404, 1)
  const text = metricsText({})
  expect(text).not.toMatch(/BREWCOFFEE|"get"|G"\}/)
  expect(text).toMatch(/method="OTHER",status="404"\} \d+/)
})

test('search engines are told where the items are, and where nothing is for them', async () => {
  const { slug } = await publishTestItem(parts, { title: 'A & B <c>' })
  await publishTestItem(parts, { title: 'Hidden', status: 'draft' })
  await publishTestItem(parts, { title: 'Tide', type: 'flow' })
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

test('a cover is a picture that holds nothing to run, whatever the title', async () => {
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
