import { expect, test } from 'bun:test'
import { signValue } from '#src/security/signed-value'
import { routes } from '#src/server/routes'
import { browser, markupOf, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { urls } from '#src/urls'

const { app, services } = await testApp({ AGE_GATE: 'confirm' })
const { slug, id } = await publishTestItem(services, {
  title: 'The Velvet Hour',
  content: 'A secret sentence. '.repeat(50),
})
const question = 'Are you 18 or older?'
const html = { accept: 'text/html' }
const googlebot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }

const pages = Object.entries(routes)
  .filter(([name, { kind }]) => name.startsWith('GET ') && kind === 'page')
  .map(([name]) => name.slice(4).replace(/:\w+/, slug))

test.each(pages)('%s shows the age gate with status 200, at the same URL and uncached', async (path) => {
  for (const client of [browser(app), await operatorBrowser(app)]) {
    const response = await client.call(`${path}?category=romantic`, { headers: html })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const page = await response.text()
    expect(page).toContain(question)
    expect(page).toContain(`name="next" value="${path}?category=romantic"`)
    expect(page).not.toContain('Velvet')
    expect(page).not.toContain('A secret sentence')
  }
})

test('members see the age gate too', async () => {
  const ana = await memberBrowser(app, 'ana@example.com')
  expect(await (await ana.call('/')).text()).toContain(question)
})

test.each([
  '/api/content',
  '/api/docs',
  '/healthz',
  '/readyz',
  '/.well-known/security.txt',
  '/.well-known/change-password',
  '/robots.txt',
  '/sitemap.xml',
  '/leave',
  '/cover?title=x',
  '/cover/1z',
  '/nothing',
])('%s bypasses the age gate', async (path) => {
  expect(await (await browser(app).call(path, { headers: html })).text()).not.toContain(question)
})

test('no content page is among the routes open without the age gate', () => {
  const open = Object.entries(routes).filter(([name, { kind }]) => name.startsWith('GET ') && kind === 'open')
  for (const [name] of open)
    expect(name).not.toMatch(/\/(story|flow|stories|home|my-content|trending|create)\b/)
  expect(routes['GET /']?.kind).toBe('page')
})

test('confirming redirects to the requested page, which then opens', async () => {
  const visitor = browser(app)
  const confirmed = await visitor.call('/age', { form: { next: `/story/${slug}` } })
  expect(confirmed.status).toBe(303)
  const answered = await visitor.call(confirmed.headers.get('location') ?? '')
  expect(answered.status).toBe(303)
  expect(answered.headers.get('location')).toBe(`/story/${slug}`)
  const page = await (await visitor.call(`/story/${slug}`)).text()
  expect(page).toContain('A secret sentence')
  expect(page).not.toContain(question)
})

test('a browser that blocks cookies gets an explanation, and passes once it allows them', async () => {
  const visitor = browser(app)
  const answerGate = async () => {
    const { headers } = await visitor.call('/age', { form: { next: '/stories?q=salt' } })
    return headers.get('location') ?? ''
  }
  const answered = await answerGate()
  visitor.jar.clear()
  const told = await visitor.call(answered, { headers: html })
  expect(told.status).toBe(422)
  expect(told.headers.get('cache-control')).toBe('private, no-store')
  const page = await markupOf(told)
  expect(page).toContain('Your browser blocks cookies for this site; your answer is kept in one.')
  expect(page).toContain('name="next" value="/stories?q=salt"')
  expect((await visitor.call(await answerGate())).headers.get('location')).toBe('/stories?q=salt')
})

test('a confirmation redirects to the page when the gate has been turned off since', async () => {
  const open = await testApp({ AGE_GATE: 'off' })
  const answered = await browser(open.app).call(urls.ageAnswered({ next: '/stories' }))
  expect(answered.headers.get('location')).toBe('/stories')
})

test('the confirmation cookie is the same for everyone and identifies nobody', async () => {
  const one = browser(app)
  const other = browser(app)
  await one.call('/age', { form: { next: '/' } })
  await other.call('/age', { form: { next: '/' } })
  expect(one.jar.get('nocturne_age')).toBe(other.jar.get('nocturne_age') ?? 'none')
})

test('a forged or malformed confirmation cookie does not open the gate', async () => {
  for (const value of [
    'confirmed',
    'confirmed.',
    'confirmed.x',
    '1',
    'true',
    signValue('another secret', 'nocturne_age', 'confirmed'),
    signValue(services.secrets.session, 'nocturne_visitor', 'confirmed'),
  ]) {
    const visitor = browser(app)
    visitor.jar.set('nocturne_age', value)
    expect(await (await visitor.call('/')).text()).toContain(question)
  }
})

test('confirming is rejected from another site and by GET', async () => {
  const visitor = browser(app)
  const forged = await visitor.call('/age', {
    form: { next: '/' },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(forged.status).toBe(403)
  expect((await visitor.call('/age')).status).toBe(403)
  expect(visitor.jar.size).toBe(0)
})

test('crawlers and link previews bypass the gate but get only an excerpt of the text', async () => {
  for (const agent of [
    googlebot['user-agent'],
    'facebookexternalhit/1.1',
    'Twitterbot/1.0',
    'WhatsApp/2.21',
    'Mastodon/4.2',
  ]) {
    const page = await (
      await browser(app).call(`/story/${slug}`, { headers: { ...html, 'user-agent': agent } })
    ).text()
    expect(page).not.toContain(question)
    expect(page).toContain('The Velvet Hour')
    expect(page.split('A secret sentence').length - 1).toBeLessThan(50)
  }
})

test('crawlers and people never get each other’s cached page', async () => {
  expect(await (await browser(app).call('/', { headers: googlebot })).text()).not.toContain(question)
  expect(await (await browser(app).call('/')).text()).toContain(question)
  expect(await (await browser(app).call('/', { headers: googlebot })).text()).not.toContain(question)
})

test('nothing counts towards the free limit before the age is confirmed', async () => {
  const visitor = browser(app)
  for (let visit = 0; visit < 5; visit += 1) await visitor.call(`/story/${slug}`)
  expect(visitor.jar.size).toBe(0)
  await visitor.call('/age', { form: { next: '/' } })
  expect(await markupOf(await visitor.call('/stories'))).toContain('3 of 3 free stories left')
})

test('/leave names neither the site nor its content', async () => {
  const page = await (await browser(app).call('/leave')).text()
  expect(page).not.toMatch(/nocturne|stor(y|ies)|adult/i)
  expect(page).not.toMatch(/<script|stylesheet/)
})

test('pages open without the gate when it is off', async () => {
  const open = await testApp({ AGE_GATE: 'off' })
  expect(await (await browser(open.app).call('/')).text()).not.toContain(question)
})

test('the content API returns the text of an item without the age gate', async () => {
  const item = await browser(app).json(`/api/content/${id}`)
  expect(item.content).toContain('A secret sentence')
})
