import { expect, test } from 'bun:test'
import { createApp } from '#src/server/app'
import { routes } from '#src/server/routes'
import {
  type Browser,
  browser,
  type Call,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

/**
 * With discreet mode on, no page reveals the site by its tab title, its icon or its name, not even errors, locks and
 * gates.
 */
const siteName = 'Velvet Hours'
const brand = { 'favicon.svg': 'brand.svg', 'plain.svg': 'plain.svg', 'apple-touch-icon.png': 'brand.png' }
const { services: bare } = await testApp({ SITE_NAME: siteName })
const services = { ...bare, assets: { ...bare.assets, manifest: { ...bare.assets.manifest, files: brand } } }
const app = createApp(services)
const title = 'The Night Ferry'
const item = await publishTestItem(services, { title })
const member = await memberBrowser(app, 'mara@example.com')
await member.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })

const html = { accept: 'text/html' }

async function findNames(who: Browser, path: string, options: Call = {}) {
  const response = await who.call(path, { ...options, headers: { ...html, ...options.headers } })
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  if (!type.startsWith('text/html')) return []
  const head = text.slice(0, text.indexOf('</head>'))
  const found = [
    text.includes(siteName) && 'the name',
    /brand\.(svg|png)/.test(text) && 'the icon',
    head.includes(title) && 'the title of an item',
    /href="\/manifest\.webmanifest"/.test(text) && 'the manifest',
    path !== '/api/docs' && path !== '/leave' && !head.includes('<title>Library</title>') && 'a title',
  ].filter(Boolean)
  return found.map((what) => `${path} (${response.status}): ${what}`)
}

/** Every page in the table of routes, with values for its parameters. */
const pages = Object.keys(routes)
  .filter((name) => name.startsWith('GET ') && (!name.startsWith('GET /api/') || name === 'GET /api/docs'))
  .map((name) => name.slice(4).replace(/:slug/, item.slug).replace(/:id/, item.id).replace(/:\w+/g, 'none'))
  .filter(
    (path) =>
      !/feed|opds|\/cover|\/picture|service-worker|manifest|^\/offline$|metrics|readyz|healthz/.test(path),
  )

const unknown = ['/nowhere', '/story/nowhere', '/stories?cursor=broken', '/wp-login.php', '/api/nowhere']

test('discreet mode hides the site’s identity on every known and unknown page', async () => {
  const found = []
  for (const path of [...pages, ...unknown]) found.push(...(await findNames(member, path)))
  expect(found).toEqual([])
  expect(pages.length).toBeGreaterThan(30)
})

test('discreet mode hides the site’s identity on every page for an operator', async () => {
  const operator = await operatorBrowser(app)
  for (const [name, value] of member.jar) operator.jar.set(name, value)
  const found = []
  for (const path of [...pages, ...unknown]) found.push(...(await findNames(operator, path)))
  expect(found).toEqual([])
})

test('discreet mode hides the site’s identity on requests rejected before the session is read', async () => {
  const refused: Call[] = [
    { headers: { 'sec-fetch-site': 'cross-site' }, form: { pin: '1' } },
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    { form: { pin: 'x'.repeat(40_000) } },
  ]
  for (const each of refused) {
    expect(await findNames(member, '/unlock', each)).toEqual([])
    const fresh = browser(app)
    fresh.jar.set('nocturne_session', member.jar.get('nocturne_session') ?? '')
    expect(await findNames(fresh, '/unlock', each)).toEqual([])
  }
})

test('discreet mode hides the site’s identity on every page behind a PIN', async () => {
  const locked = await memberBrowser(app, 'ines@example.com')
  await locked.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
  await locked.call('/settings/pin', { form: { pin: '2468' } })
  locked.jar.delete('nocturne_open')
  const found = []
  for (const path of [...pages, ...unknown]) found.push(...(await findNames(locked, path)))
  found.push(...(await findNames(locked, '/unlock', { form: { pin: '1111' } })))
  expect(found).toEqual([])
})

test('discreet mode hides the site’s identity on the age gate', async () => {
  const gated = createApp({ ...services, env: { ...services.env, ageGate: 'confirm' } })
  const asker = browser(gated)
  for (const [name, value] of member.jar) asker.jar.set(name, value)
  expect(await findNames(asker, '/')).toEqual([])
  expect(await findNames(asker, `/story/${item.slug}`)).toEqual([])
})

test('discreet mode hides the site’s identity by its cookie alone when the database or a page fails', async () => {
  expect(member.jar.get('nocturne_discreet')).toBe('on')
  const broken = (error: Error) => {
    const refuse = () => {
      throw error
    }
    const db = new Proxy(services.db, { get: () => refuse })
    const asker = browser(createApp({ ...services, db }))
    for (const [name, value] of member.jar) asker.jar.set(name, value)
    return asker
  }
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  for (const asker of [broken(away), broken(new Error('a bug'))]) {
    for (const path of ['/', '/stories', '/nowhere', '/settings', `/story/${item.slug}`])
      expect(await findNames(asker, path)).toEqual([])
  }
})

test.each([
  ['turning discreet mode off', '/api/user/settings', { method: 'PATCH', json: { discreetMode: false } }],
  ['signing out', '/api/auth/logout', { json: {} }],
])('%s deletes the discreet cookie and shows the site’s name again', async (_, path, call) => {
  const who = await memberBrowser(app, `${crypto.randomUUID()}@example.com`)
  await who.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
  await who.call('/settings', { headers: html })
  expect(who.jar.get('nocturne_discreet')).toBe('on')
  expect((await who.call(path, call)).ok).toBe(true)
  expect(await (await who.call('/settings', { headers: html })).text()).toContain(siteName)
  expect(who.jar.has('nocturne_discreet')).toBe(false)
  expect(await (await who.call('/nowhere', { headers: html })).text()).toContain(siteName)
})
