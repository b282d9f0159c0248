import { expect, test } from 'bun:test'
import { browser, markupOf, memberBrowser, testApp } from '#src/testing/app'
import { securityTxt } from './security-txt'

const { app } = await testApp({ CONTACT_EMAIL: 'people@example.com', AGE_GATE: 'confirm' })
const silent = await testApp()

test('security.txt names the contact address and expires within a year', async () => {
  const response = await browser(app).call('/.well-known/security.txt')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = await response.text()
  const fields = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  )
  expect(fields).toMatchObject({
    Contact: 'mailto:people@example.com',
    'Preferred-Languages': 'en',
    Canonical: 'http://localhost:3000/.well-known/security.txt',
  })
  const expires = Date.parse(fields.Expires)
  expect(expires).toBeWithin(Date.now() + 86_400_000, Date.now() + 365 * 86_400_000)
})

test('security.txt requires a contact that is an email address or a URL', async () => {
  expect((await browser(silent.app).call('/.well-known/security.txt')).status).toBe(404)
  const of = (contactEmail: string) =>
    securityTxt({ contactEmail, publicUrl: 'https://nocturne.example' }, new Date())
  expect(of('ask at the desk')).toBeNull()
  expect(of('https://nocturne.example/report')).toStartWith('Contact: https://nocturne.example/report\n')
})

test('Help and Contact link to the contact address, or say what to do without one', async () => {
  const page = async (of: typeof app, path: string) => markupOf(await browser(of).call(path))
  const main = (html: string) => html.slice(html.indexOf('<article'), html.indexOf('</article>'))
  expect(main(await page(app, '/help'))).toContain('href="/contact"')
  expect(main(await page(app, '/contact'))).toContain('href="mailto:people@example.com"')
  expect(main(await page(silent.app, '/help'))).not.toMatch(/Write to us|\/contact/)
  expect(main(await page(silent.app, '/help'))).toContain('Whatever is wrong with an item can be reported')
  expect(main(await page(silent.app, '/contact'))).toContain('have not given an address yet')
})

test('/.well-known/change-password redirects to the password settings', async () => {
  for (const who of [browser(app), await memberBrowser(app, 'ana@example.com')]) {
    const response = await who.call('/.well-known/change-password')
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/settings?open=password#privacy',
    ])
  }
})
