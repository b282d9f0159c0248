import { expect, test } from 'bun:test'
import { nobody } from '#src/request/caller'
import { browser, markupOf, memberBrowser, testApp } from '#src/testing/app'
import { isSharedCaller } from './shared-page'

const operator = { name: 'Ada', via: 'session', sid: 'b', endsAt: null } as const

test.each([
  ['a newcomer', nobody, true, true],
  ['a visitor with an id', { ...nobody, visitorId: 'a' }, true, false],
  ['the owner of a session', { ...nobody, sid: 'a' }, false, false],
  ['an operator', { ...nobody, operator }, false, false],
])('the page of %s is shared with the right visitors', (_, caller, visitors, newcomers) => {
  expect(isSharedCaller({ isCached: 'visitors' }, caller)).toBe(visitors)
  expect(isSharedCaller({ isCached: 'newcomers' }, caller)).toBe(newcomers)
})

test('a session cookie with an encoded name never puts a member’s page into the cache', async () => {
  const { app } = await testApp()
  const ana = await memberBrowser(app, 'ana@example.com')
  for (const path of ['/', '/stories']) {
    const token = ana.jar.get('nocturne_session')
    await browser(app).call(path, { headers: { cookie: `%6eocturne_session=${token}` } })
    expect(await markupOf(await browser(app).call(path))).not.toContain('href="/settings"')
  }
})
