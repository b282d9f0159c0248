import { expect, test } from 'bun:test'
import { type Browser, browser, memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import type { ProgressReport } from './schema'

const { app, services } = await testApp()
const story = await publishTestItem(services)
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const visitor = browser(app)

const pageOwner = async (who: Browser) =>
  /data-owner="([^"]*)"/.exec(await (await who.call('/stories')).text())?.[1]
const report = (owner?: string): ProgressReport => ({
  contentId: story.id,
  contentType: 'story',
  lastPositionSec: 100,
  totalSec: 700,
  owner,
})

test('pages carry a stable owner id, different for each member and empty for visitors', async () => {
  const [anas, bens, nobodys] = [await pageOwner(ana), await pageOwner(ben), await pageOwner(visitor)]
  expect(anas).toMatch(/^[\w-]{22}$/)
  expect(bens).toMatch(/^[\w-]{22}$/)
  expect(bens).not.toBe(anas)
  expect(await pageOwner(ana)).toBe(anas)
  expect(nobodys).toBe('')
})

test('progress with a member’s owner id is rejected with 409 from anybody else', async () => {
  const json = report(await pageOwner(ana))
  for (const other of [ben, visitor]) {
    expect((await other.call('/api/analytics/progress', { json })).status).toBe(409)
    expect(await other.json(`/api/analytics/progress/${story.id}/story`)).toBeNull()
  }
  expect((await ana.call('/api/analytics/progress', { json })).status).toBe(200)
})

test('progress without an owner id belongs to its sender', async () => {
  expect((await ben.call('/api/analytics/progress', { json: report() })).status).toBe(200)
  const progressOf = (who: Browser) => who.json(`/api/analytics/progress/${story.id}/story`)
  expect(await progressOf(ben)).toMatchObject({ lastPositionSec: 100 })
  expect(await progressOf(visitor)).toBeNull()
})
