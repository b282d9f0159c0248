import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'

import { familiesOfProcess } from '#src/process/metrics'
import { createApp } from '#src/server/app'
import { readMetrics } from '#src/server/read-metrics'
import { listenForChanges } from '#src/story/library-changed'
import { browser, markupOf, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { type Database, openDatabase } from './db'
import type { ReadKind } from './from-replica'
import { stories } from './schema'
import { testDatabaseUrl } from './testing'
import { startPair } from './testing-standby'

const { services } = await testApp()
const { primary, standby } = await startPair()

/** Opens the program on the primary, with the standby as its replica. */
function openPair(lagSecondsMax: number) {
  // Only a standby that has ended counts as away here, not one that a busy machine lets wait.
  const db = openDatabase(primary.url, { replica: { url: standby.url, lagSecondsMax, answerMs: 120_000 } })
  afterAll(() => db.close())
  const here = { ...services, db }
  return { db, here, app: createApp(here), watch: watchOf(db) }
}

function watchOf(db: Database) {
  if (!db.replica) throw new Error('A replica was named.')
  return db.replica.watch
}

// A high limit, so that lag alone never stops reads from the replica. The tests are about changes.
const { here, app, watch } = openPair(600)
const other = openDatabase(primary.url, { max: 2 })
afterAll(() => other.close())

/** Returns how many reads of a kind each server answers during `act`. */
async function readsDuring(kind: ReadKind, act: () => Promise<unknown>) {
  const before = readsOf(kind)
  await act()
  const after = readsOf(kind)
  return { primary: after.primary - before.primary, replica: after.replica - before.replica }
}

function readsOf(kind: ReadKind): { primary: number; replica: number } {
  const samples =
    familiesOfProcess().find(({ name }) => name === 'nocturne_replica_reads_total')?.samples ?? []
  const of = (from: string) =>
    samples.find(({ labels }) => labels.kind === kind && labels.from === from)?.value ?? 0
  return { primary: of('primary'), replica: of('replica') }
}

/** Requests a page of Read Stories that no cache has, with other words each time. */
let asked = 0
async function search(): Promise<string> {
  asked += 1
  return markupOf(await browser(app).call(`/stories?q=${'ferry '.repeat(asked)}`))
}

test('lists, searches, visitors’ pages and dashboards are read from the standby', async () => {
  const { slug } = await publishTestItem(here, { title: 'The last ferry' })
  await until(() => watch.isReadable())
  const visitor = browser(app)
  const operator = await operatorBrowser(app)
  const calls: [ReadKind, () => Promise<Response>][] = [
    ['lists', () => visitor.call('/stories')],
    ['search', () => visitor.call('/stories?q=ferry')],
    ['pages', () => visitor.call(`/story/${slug}`)],
    ['dashboards', () => operator.call('/api/analytics/summary')],
  ]
  for (const [kind, call] of calls) {
    const reads = await readsDuring(kind, async () => expect((await call()).status).toBe(200))
    expect([kind, reads.primary, reads.replica > 0]).toEqual([kind, 0, true])
  }
})

test('members read their progress and favourites, and operators whole texts, from the primary', async () => {
  await until(() => watch.isReadable())
  const member = await memberBrowser(app, 'mara@example.com')
  const operator = await operatorBrowser(app)
  const { id, slug } = await publishTestItem(here, { title: 'The harbour at night' })
  await until(() => watch.isReadable())
  await standby.pause()
  const json = { contentId: id, contentType: 'story', lastPositionSec: 90, totalSec: 300 }
  await member.call('/api/analytics/progress', { json })
  await member.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${id}` } })
  expect(watch.isReadable()).toBe(true)
  expect(await member.json(`/api/analytics/progress/${id}/story`)).toMatchObject({ lastPositionSec: 90 })
  expect(await markupOf(await member.call('/my-content'))).toContain('The harbour at night')
  const reads = await readsDuring('pages', () => member.call(`/story/${slug}`))
  expect(reads).toEqual({ primary: 0, replica: 0 })
  await other.update(stories).set({ content: 'They moored at dawn.' }).where(eq(stories.id, id))
  for (const reader of [member, operator])
    expect(await reader.json('/api/content')).toContainEqual(
      expect.objectContaining({ id, content: 'They moored at dawn.' }),
    )
  await standby.resume()
})

test('a change is never followed by a stale page, however far the standby lags', async () => {
  await until(() => watch.isReadable())
  await standby.pause()
  const { slug } = await publishTestItem(here, { title: 'A ferry of our own' })
  expect(watch.isReadable()).toBe(false)
  const visitor = browser(app)
  expect(await search()).toContain('A ferry of our own')
  expect((await visitor.call(`/story/${slug}`)).status).toBe(200)
  expect(await markupOf(await visitor.call('/stories'))).toContain('A ferry of our own')
  // Measured again, it still has not replayed that change.
  expect(await watch.measure()).toBe('ready')
  expect(watch.isReadable()).toBe(false)
  await standby.resume()
  await until(() => watch.isReadable())
  const reads = await readsDuring('search', async () =>
    expect(await search()).toContain('A ferry of our own'),
  )
  expect(reads).toEqual({ primary: 0, replica: 1 })
})

test('a change by another process is not followed by a stale page either', async () => {
  await listenForChanges(here)
  await until(() => watch.isReadable())
  await standby.pause()
  await publishTestItem({ ...services, db: other }, { title: 'A ferry from elsewhere' })
  await until(async () => (await search()).includes('A ferry from elsewhere'))
  expect(watch.isReadable()).toBe(false)
  await until(async () =>
    (await markupOf(await browser(app).call('/stories'))).includes('A ferry from elsewhere'),
  )
  await standby.resume()
})

test('a standby that lags more than the limit is not read from, and the metrics report its lag', async () => {
  const strict = openPair(1.5)
  await until(() => strict.watch.isReadable())
  await standby.pause()
  await publishTestItem({ ...services, db: other })
  await until(async () => (await strict.watch.measure()) === 'behind')
  const reads = await readsDuring('lists', () => browser(strict.app).call('/stories'))
  expect(reads.replica).toBe(0)
  expect(reads.primary).toBeGreaterThan(0)
  const metrics = await readMetrics(strict.here)
  const gaugeOf = (name: string) => metrics.find((each) => each.name === name)?.samples[0]?.value
  expect(gaugeOf('nocturne_replica_readable')).toBe(0)
  expect(gaugeOf('nocturne_replica_lag_seconds')).toBeGreaterThan(1.5)
  await standby.resume()
  await until(() => strict.watch.isReadable())
})

test('a server that is not a standby of this database is not read from', async () => {
  for (const url of [primary.url, await testDatabaseUrl()]) {
    const db = openDatabase(primary.url, { max: 2, replica: { url } })
    expect(await watchOf(db).measure()).toBe('no standby')
    await db.close()
  }
})

test('a standby that crashes does not fail requests', async () => {
  await until(() => watch.isReadable())
  await standby.crash()
  const reads = await readsDuring('search', async () => expect(await search()).toContain('The last ferry'))
  expect(reads).toEqual({ primary: 1, replica: 0 })
  expect([watch.state(), watch.isReadable()]).toEqual(['away', false])
  expect(await watch.measure()).toBe('away')
})
