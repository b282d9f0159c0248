import { expect, test } from 'bun:test'
import { type Browser, browser, memberBrowser, testApp } from '#src/testing/app'

const { app } = await testApp()
const password = 'lanterns on the water'
await memberBrowser(app, 'ana@example.com', '10.8.0.1')

const html = { accept: 'text/html' }
const isSignedIn = async (who: Browser) => (await who.json('/api/auth/user')) !== null
const post = (who: Browser, path: string, form: Record<string, string>) =>
  who.call(path, { form, headers: html })

test('the sign-in and registration forms post to their own address and keep the return path', async () => {
  const forms = {
    '/sign-in?next=%2Fstories%3Fq%3Dsalt': ['/sign-in', 'Welcome Back!', 'current-password'],
    '/landing?next=%2Fstories%3Fq%3Dsalt': ['/register', 'Join Nocturne FREE!', 'new-password'],
    '/sign-in?mode=register&next=%2Fstories%3Fq%3Dsalt': ['/register', 'Join Nocturne FREE!', 'new-password'],
  }
  for (const [path, [action = '', title = '', autocomplete = '']] of Object.entries(forms)) {
    const page = await (await browser(app).call(path, { headers: html })).text()
    expect(page).toContain(`action="${action}" method="post"`)
    expect(page).toContain('name="next" value="/stories?q=salt"')
    expect(page).toContain(title)
    expect(page).toContain(`autoComplete="${autocomplete}"`)
  }
})

test('signing in without JavaScript returns to the previous page', async () => {
  const ana = browser(app, '10.8.0.2')
  const response = await post(ana, '/sign-in', {
    email: 'ana@example.com',
    password,
    next: '/stories?q=salt',
  })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/stories?q=salt')
  expect(await isSignedIn(ana)).toBe(true)
  expect(await (await ana.call('/stories?q=salt', { headers: html })).text()).toContain('href="/settings"')
})

test('signing in without a return path leads to the first page', async () => {
  const response = await post(browser(app, '10.8.0.3'), '/sign-in', { email: 'ana@example.com', password })
  expect(response.headers.get('location')).toBe('/')
})

test('a wrong password shows the form again with the reason, the email and the return path', async () => {
  const ana = browser(app, '10.8.0.4')
  const form = { email: 'ana@example.com', password: 'not this one', next: '/stories' }
  const response = await post(ana, '/sign-in', form)
  expect(response.status).toBe(401)
  const page = await response.text()
  expect(page).toContain('Email or password is not right.')
  expect(page).toContain('value="ana@example.com"')
  expect(page).toContain('name="next" value="/stories"')
  expect(page).not.toContain('not this one')
  expect(await isSignedIn(ana)).toBe(false)
})

test('typed values are escaped in the form', async () => {
  const email = '"><script>alert(1)</script>@example.com'.replaceAll(' ', '')
  const page = await (await post(browser(app, '10.8.0.5'), '/sign-in', { email, password: 'x' })).text()
  expect(page).not.toContain('<script>alert(1)')
  expect(page).toContain('&lt;script&gt;')
})

test('registering without JavaScript creates a member, returns to the page and greets them', async () => {
  const ben = browser(app, '10.8.0.6')
  const form = { email: 'ben@example.com', password, firstName: 'Ben', lastName: '', next: '/story/the-lamp' }
  const response = await post(ben, '/register', form)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/story/the-lamp')
  const arrived = await (await ben.call('/stories', { headers: html })).text()
  expect(arrived).toContain('sign-in-welcome')
  expect(await ben.json('/api/auth/user')).toMatchObject({
    email: 'ben@example.com',
    firstName: 'Ben',
    lastName: null,
  })
})

test('a known email or a common password shows the form again with its values and focus on the field', async () => {
  const known = await post(browser(app, '10.8.0.7'), '/register', { email: 'ana@example.com', password })
  expect(known.status).toBe(409)
  const shown = await known.text()
  expect(shown).toContain('An account with this email exists already.')
  // The field has the focus, so a screen reader reads it first.
  expect(shown).toMatch(/<input[^>]*aria-invalid="true"[^>]* autofocus=""[^>]* name="email"/)
  const common = await post(browser(app, '10.8.0.7'), '/register', {
    email: 'cleo@example.com',
    password: 'password',
    firstName: 'Cleo',
    lastName: 'Marsh',
  })
  expect(common.status).toBe(422)
  const page = await common.text()
  expect(page).toContain('one of the most common')
  expect(page).toMatch(/<input[^>]*aria-invalid="true"[^>]* autofocus=""[^>]* name="password"/)
  for (const typed of ['cleo@example.com', 'Cleo', 'Marsh']) expect(page).toContain(`value="${typed}"`)
})

test('invalid fields return 422 as an HTML page', async () => {
  for (const form of [
    { email: 'ana', password: 'x' },
    { email: 'ana@example.com' },
    { email: 'dan@example.com', password: 'short' },
  ]) {
    for (const path of ['/register', '/sign-in']) {
      if (path === '/sign-in' && form.password === 'short') continue
      const response = await post(browser(app, '10.8.0.8'), path, form as Record<string, string>)
      expect(response.status).toBe(422)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  }
})

test('too many tries return 429 and ask to wait', async () => {
  const ana = browser(app, '10.8.0.9')
  const statuses = []
  for (let guess = 0; guess < 12; guess += 1) {
    statuses.push(
      (await post(ana, '/sign-in', { email: 'ana@example.com', password: `guess ${guess}` })).status,
    )
  }
  expect(statuses[0]).toBe(401)
  expect(statuses.at(-1)).toBe(429)
  const refused = await post(ana, '/sign-in', { email: 'ana@example.com', password })
  expect(await refused.text()).toContain('Too many attempts. Wait a moment and try again.')
})

test('signing out without JavaScript ends the session and returns to the previous page', async () => {
  const eve = await memberBrowser(app, 'eve@example.com', '10.8.0.10')
  const response = await post(eve, '/sign-out', { next: '/stories' })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/stories')
  expect(await isSignedIn(eve)).toBe(false)
})

test('a form posted from another site is rejected with 403', async () => {
  const eve = await memberBrowser(app, 'fay@example.com', '10.8.0.11')
  for (const path of ['/sign-in', '/register', '/sign-out']) {
    const form = { email: 'ana@example.com', password, next: '/' }
    const response = await eve.call(path, {
      form,
      headers: { ...html, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    })
    expect(response.status).toBe(403)
  }
  expect(await eve.json('/api/auth/user')).toMatchObject({ email: 'fay@example.com' })
})
