import { expect, test } from 'bun:test'
import { routes } from '#src/server/routes'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { narrateWithTone } from '#src/testing/browser'
import type { FeedAddresses } from './schema'

const { app, services } = await testApp()
const item = await publishTestItem(services)
await narrateWithTone(services, item.id, 1)
const ana = await memberBrowser(app, 'ana@example.com')
const { podcastUrl }: FeedAddresses = await ana.json('/api/user/feeds', { json: {} })
const key = podcastUrl.slice(`${services.env.publicUrl}/feed/`.length, -'.xml'.length)
const player = { origin: 'https://player.example', 'sec-fetch-site': 'cross-site' }
const feedRoutes = [
  'GET /feed/:token',
  'GET /feed/:token/art.png',
  'GET /feed/:token/:id/:file',
  'GET /opds/:token',
]
const audio = `/feed/${key}/${item.id}/female.mp3`
const sharing = (headers: Headers) => [
  headers.get('access-control-allow-origin'),
  headers.get('cross-origin-resource-policy'),
]
const withheld = [null, 'same-origin']

test('only feed routes can be read from other origins, whatever they answer', async () => {
  const clients = [browser(app), await operatorBrowser(app), await memberBrowser(app, 'ben@example.com')]
  for (const name of Object.keys(routes)) {
    const [method = '', pattern = ''] = name.split(' ')
    const path = pattern.replace(':id', item.id).replace(':slug', item.slug).replace(/:\w+/g, 'x')
    const expected = feedRoutes.includes(name) ? ['*', 'cross-origin'] : withheld
    for (const client of clients) {
      for (const asked of new Set([method, method === 'GET' ? 'HEAD' : method, 'OPTIONS'])) {
        const { headers } = await client.call(path, { method: asked, headers: player })
        expect({ name, asked, sharing: sharing(headers) }).toEqual({ name, asked, sharing: expected })
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    }
  }
})

test('assets, unknown paths, other methods and foreign hosts cannot be read from other origins', async () => {
  const anyone = browser(app)
  for (const path of ['/assets/nothing.js', '/nothing', '/feed', '/opds/', '/feed/x/y', `/feed/${key}//x`])
    expect(sharing((await anyone.call(path, { headers: player })).headers)).toEqual(withheld)
  const posted = await anyone.call(audio, { method: 'POST', headers: player })
  expect([posted.status, ...sharing(posted.headers)]).toEqual([403, ...withheld])
  const elsewhere = await anyone.call(audio, { headers: { host: 'evil.example' } })
  expect([elsewhere.status, ...sharing(elsewhere.headers)]).toEqual([403, ...withheld])
})

test('a player of another origin can preflight and fetch an episode by ranges', async () => {
  const anyone = browser(app)
  const asked = await anyone.call(audio, {
    method: 'OPTIONS',
    headers: { ...player, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' },
  })
  expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD'])
  expect(asked.headers.get('access-control-allow-headers')?.split(', ')).toContain('range')
  const whole = await anyone.call(audio, { headers: player })
  const part = await anyone.call(audio, { headers: { ...player, range: 'bytes=0-99' } })
  const head = await anyone.call(audio, { method: 'HEAD', headers: player })
  expect([whole, part, head].map(({ status }) => status)).toEqual([200, 206, 200])
  for (const { headers } of [whole, part, head]) {
    expect(sharing(headers)).toEqual(['*', 'cross-origin'])
    expect(headers.get('access-control-expose-headers')).toContain('content-range')
  }
})

test('feeds ignore cookies and tokens, and set no cookie', async () => {
  const operator = await operatorBrowser(app)
  const bodies = await Promise.all(
    [browser(app), ana, operator].map(async (client) => (await client.call(`/opds/${key}`)).text()),
  )
  expect(new Set(bodies).size).toBe(1)
  for (const client of [ana, operator]) {
    const gone = await client.call('/opds/nothing', { headers: { accept: 'text/html' } })
    expect([gone.status, gone.headers.get('set-cookie')]).toEqual([404, null])
    expect(gone.headers.get('content-type')).toStartWith('application/json')
  }
  const wrong = { authorization: `Bearer ${'n'.repeat(43)}` }
  expect((await browser(app).call(`/opds/${key}`, { headers: wrong })).status).toBe(200)
})
