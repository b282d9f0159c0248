import { expect, test } from 'bun:test'
import { safePath } from '#src/http/safe-path'
import { type Browser, browser, memberBrowser, memberPassword, testApp } from '#src/testing/app'

const { app } = await testApp()
await memberBrowser(app, 'ana@example.com')

const ours = [
  '/',
  '/stories',
  '/stories?q=salt%20air&category=romantic',
  '/story/the-lamp#words',
  '/?next=https://evil.example',
  '/a//b',
  '/a/@b',
  '/:80',
  '/stories?back=//evil.example',
  '/%2f%2fevil.example',
  '/sign-in?next=%2Fstories',
  '/é',
]

const hostile = [
  ...['', ' ', 'stories', 'stories/', './stories', '../stories', '?x', '#x', 'x:/stories', '.', '~'],
  ...[
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '//evil.example/..',
    '//localhost:3000',
    '//',
    '///',
  ],
  ...[
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '//\\evil.example',
    '/a\\..\\..\\evil',
  ],
  ...[
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '\t//evil.example',
    '/\r\nset-cookie: a=b',
    '/\0',
    '/a\u007fb',
    '/\u001b',
  ],
  ...[
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/..//evil.example',
    '/x/../..//evil.example',
  ],
  ...[
    'http://evil.example',
    'https://evil.example',
    'HTTPS://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'http:\\\\evil.example',
  ],
  ...[
    'http://localhost:3000/stories',
    'https://localhost:3000@evil.example',
    '//user:pass@evil.example',
    '//evil.example:443',
  ],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'mailto:a@b',
    'about:blank',
  ],
  ...[
    '//[::1]',
    '//127.0.0.1',
    '//0x7f.1',
    '//2130706433',
    '//evil。example',
    '／／evil.example',
    '//％65vil.example',
    '//xn--evil',
  ],
  ...[
    `/${'x'.repeat(2_000)}`,
    ' /stories',
    ' //evil.example',
    '\u00a0//evil.example',
    '\ufeff//evil.example',
    '\u2028//evil.example',
  ],
]

test('the list has at least sixty hostile paths', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(60)
})

test.each(ours)('safePath accepts %p', (path) => {
  const back = new URL(safePath(path), 'http://localhost:3000')
  expect(back.href).toBe(new URL(path, 'http://localhost:3000').href)
})

test.each(hostile)('safePath replaces %p with /', (path) => {
  expect(safePath(path)).toBe('/')
})

test('safePath is / when there is no path', () => {
  expect(safePath(null)).toBe('/')
  expect(safePath(undefined)).toBe('/')
})

test('sign-in, sign-out and the age gate redirect to / for every hostile path', async () => {
  const signIn = { email: 'ana@example.com', password: memberPassword }
  for (const [at, next] of hostile.filter((each) => each.length < 2_000).entries()) {
    const address = `10.0.${at}.1`
    const forms = [
      browser(app, address).call('/sign-out', { form: { next } }),
      answerAgeGate(browser(app, address), next),
    ]
    if (at % 15 === 0) forms.push(browser(app, address).call('/sign-in', { form: { ...signIn, next } }))
    for (const response of await Promise.all(forms)) {
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe('/')
    }
    const page = await (await browser(app, address).call(`/sign-in?${new URLSearchParams({ next })}`)).text()
    expect(page).toMatch(/name="next" value="\/"/)
  }
})

/** The form of the age gate redirects by way of a page that checks whether the cookie was stored. */
async function answerAgeGate(person: Browser, next: string): Promise<Response> {
  const { headers } = await person.call('/age', { form: { next } })
  return person.call(headers.get('location') ?? '')
}

test('every form redirects to a valid path', async () => {
  const next = '/stories?q=salt&category=romantic'
  const register = { email: 'ben@example.com', password: memberPassword, next }
  const signIn = { email: 'ana@example.com', password: memberPassword, next }
  for (const response of [
    await browser(app).call('/register', { form: register }),
    await browser(app).call('/sign-in', { form: signIn }),
    await browser(app).call('/sign-out', { form: { next } }),
    await answerAgeGate(browser(app), next),
  ]) {
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(next)
  }
})
