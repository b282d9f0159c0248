import { expect, test } from 'bun:test'
import { routes } from '#src/server/routes'
import { browser, markupOf, memberBrowser, operatorToken, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { id, slug } = await publishTestItem(services)
const html = { accept: 'text/html' }
const forms = Object.entries(routes).filter(
  ([name, { body }]) => name.startsWith('POST /') && body === 'form',
)
const pathOf = (name: string) => name.slice(5).replace(/:\w+/g, id)

test('a member’s form without a session returns 401 with a sign-in form that leads back', async () => {
  const names = forms.filter(([, { access }]) => access === 'member').map(([name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const referer = 'http://localhost:3000/settings?open=password'
    const response = await browser(app).call(pathOf(name), { form: {}, headers: { ...html, referer } })
    const page = await markupOf(response)
    expect([name, response.status]).toEqual([name, 401])
    expect(page).toContain('You have been signed out. Sign in to continue.')
    expect(page).toContain('name="next" value="/settings?open=password"')
  }
})

test('vote and rating forms without a session redirect to the sign-in page, which leads back', async () => {
  for (const path of [`/vote/${id}`, `/rate/${id}`]) {
    const response = await browser(app).call(path, { form: { voteType: 'up', rating: '5' }, headers: html })
    expect([path, response.status]).toEqual([path, 303])
    expect(response.headers.get('location')).toStartWith(
      `/sign-in?next=${encodeURIComponent(`/story/${slug}`)}`,
    )
  }
})

test('an operator’s form without a session returns 401 with the token form, which leads back', async () => {
  const referer = 'http://localhost:3000/admin?tab=overview'
  const headers = { ...html, referer }
  const refused = await browser(app).call('/admin/flags', { form: {}, headers })
  expect(refused.status).toBe(401)
  expect(await markupOf(refused)).toContain('name="next" value="/admin?tab=overview"')
  const form = { token: operatorToken, entrance: 'admin', next: '/admin?tab=overview' }
  const signedIn = await browser(app).call('/admin-login', { form })
  expect(signedIn.headers.get('location')).toBe('/admin?tab=overview')
})

test('input except passwords survives the sign-in, even after a wrong password', async () => {
  const password = 'lanterns on the water'
  await memberBrowser(app, 'mara@example.com')
  const visitor = browser(app)
  const typed = { firstName: 'Mära "& co"\r\nx', lastName: 'Lind', password: 'not carried' }
  const headers = { ...html, referer: 'http://localhost:3000/settings' }
  const page = await markupOf(await visitor.call('/settings/profile', { form: typed, headers }))
  expect(page).not.toContain('not carried')
  const unsent = `/settings/profile?${new URLSearchParams({ firstName: typed.firstName, lastName: 'Lind' })}`
  expect(page).toContain(`name="unsent" value="${unsent.replaceAll('&', '&amp;')}"`)
  const form = { email: 'mara@example.com', password, next: '/settings', unsent }
  const wrong = await visitor.call('/sign-in', {
    form: { ...form, password: 'another phrase' },
    headers: html,
  })
  expect(await markupOf(wrong)).toContain('name="unsent"')
  const again = await markupOf(await visitor.call('/sign-in', { form }))
  expect(again).toContain('action="/settings/profile"')
  expect(again).toContain('name="firstName" value="Mära &quot;&amp; co&quot;\r\nx"')
})

test('an operator’s story survives the token form, and a visitor’s comment is carried into the sign-in', async () => {
  const visitor = browser(app)
  const story = { title: 'The Orchard', content: 'Pears. '.repeat(20_000) }
  const card = await markupOf(await visitor.call('/admin/story', { form: story, headers: html }))
  const unsent = `/admin/story?${new URLSearchParams(story)}`
  expect(card).toContain('name="unsent"')
  const form = { token: operatorToken, entrance: 'admin', next: '/admin', unsent }
  const again = await markupOf(await visitor.call('/admin-login', { form }))
  expect(again).toContain('action="/admin/story"')
  expect(again).toContain(story.content)
  const words = { rating: '5', comments: 'Warm.' }
  const asked = await browser(app).call(`/rate/${id}`, { form: words, headers: html })
  expect(await markupOf(asked)).toContain(`value="/rate/${id}?rating=5&amp;comments=Warm."`)
})

test('input survives joining, returning to the sign-in and a passkey sign-in', async () => {
  const unsent = '/settings/profile?firstName=Mara'
  const carried = { next: '/settings', unsent, email: 'mara@example.com', password: 'not carried' }
  const call = (who: ReturnType<typeof browser>, way: object) =>
    who.call('/sign-in/carried', { form: { ...carried, ...way } }).then(markupOf)
  for (const [way, action] of [
    ['register', '/register'],
    ['sign-in', '/sign-in'],
  ]) {
    const page = await call(browser(app), { way })
    expect(page).toContain(`action="${action}"`)
    expect(page).toContain(`name="unsent" value="${unsent}"`)
    expect(page).toContain('value="mara@example.com"')
    expect(page).toMatch(/<button[^>]+form="auth-form"[^>]+name="way"/)
    expect(page).not.toContain('not carried')
  }
  expect(await call(browser(app), {})).toContain('action="/sign-in"')
  const member = await call(await memberBrowser(app, 'iris@example.com'), {})
  expect(member).toContain('action="/settings/profile"')
  expect(member).toContain('name="firstName" value="Mara"')
})

test('carried input for another origin is dropped', async () => {
  const form = { token: operatorToken, next: '/admin', unsent: '//elsewhere.example/x?y=z' }
  expect(await markupOf(await browser(app).call('/admin-login', { form }))).not.toContain('elsewhere')
})

test('a Referer of another origin is not the way back, and scripts get a JSON error', async () => {
  const referer = 'https://elsewhere.example/settings'
  const page = await browser(app).call('/settings/history', { form: {}, headers: { ...html, referer } })
  expect(await markupOf(page)).toContain('name="next" value="/"')
  const plain = await browser(app).call('/settings/history', { form: {} })
  expect(await plain.json()).toMatchObject({ code: 'sign_in_required' })
})
