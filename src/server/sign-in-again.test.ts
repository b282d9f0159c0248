import { expect, test } from 'bun:test'
import { routes } from '#src/server/routes'
import { browser, markupOf, operatorToken, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { id, slug } = await publishTestItem(services)
const html = { accept: 'text/html' }
const forms = Object.entries(routes).filter(
  ([name, { body }]) => name.startsWith('POST /') && body === 'form',
)
const pathOf = (name: string) => name.slice(5).replace(/:\w+/g, id)

test('a member’s form whose session is over is answered with the sign-in, which leads back to it', async () => {
  const names = forms.filter(([, { access }]) => access === 'member').map(([name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const referer = 'http://localhost:3000/settings?open=password'
    const response = await browser(app).call(pathOf(name), { form: {}, headers: { ...html, referer } })
    const page = await markupOf(response)
    expect([name, response.status]).toEqual([name, 401])
    expect(page).toContain('You are signed out by now. Sign in to go on.')
    expect(page).toContain('name="next" value="/settings?open=password"')
  }
})

test('so are the forms of an item, for a visitor', async () => {
  for (const path of [`/vote/${id}`, `/rate/${id}`]) {
    const response = await browser(app).call(path, { form: { voteType: 'up', rating: '5' }, headers: html })
    expect([path, response.status]).toEqual([path, 303])
    expect(response.headers.get('location')).toStartWith(
      `/sign-in?next=${encodeURIComponent(`/story/${slug}`)}`,
    )
  }
})

test('an operator’s form is answered with the card for the token, which leads back', async () => {
  const referer = 'http://localhost:3000/admin?tab=overview'
  const headers = { ...html, referer }
  const refused = await browser(app).call('/admin/flags', { form: {}, headers })
  expect(refused.status).toBe(401)
  expect(await markupOf(refused)).toContain('name="next" value="/admin?tab=overview"')
  const form = { token: operatorToken, entrance: 'admin', next: '/admin?tab=overview' }
  const signedIn = await browser(app).call('/admin-login', { form })
  expect(signedIn.headers.get('location')).toBe('/admin?tab=overview')
})

test('a page of elsewhere is not led back to, and scripts get their envelope', async () => {
  const referer = 'https://elsewhere.example/settings'
  const page = await browser(app).call('/settings/history', { form: {}, headers: { ...html, referer } })
  expect(await markupOf(page)).toContain('name="next" value="/"')
  const plain = await browser(app).call('/settings/history', { form: {} })
  expect(await plain.json()).toMatchObject({ code: 'sign_in_required' })
})
