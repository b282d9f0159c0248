import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { lock } from '#db/locks'
import { stories } from '#db/schema'
import type { Status } from '#src/story/rules'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { editItem } from './edit'
import { putIntoBin, removeItem } from './remove'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const path = '/api/premium-content'
const send = (body: object, query = '') => operator.call(`${path}${query}`, { method: 'PATCH', json: body })
const undo = (id: string) => operator.call(`${path}/changes/${id}/undo`, { json: {} })

async function itemOf(title: string, status: Status = 'published'): Promise<string> {
  const { id } = await publishTestItem(services, { title })
  await db.update(stories).set({ status }).where(eq(stories.id, id))
  return id
}
const statusOf = async (id: string) =>
  (await db.select({ status: stories.status }).from(stories).where(eq(stories.id, id)))[0]?.status

test('changing many items and undoing it return 401 to visitors and members', async () => {
  const body = { change: 'remove', ids: [crypto.randomUUID()] }
  for (const each of [browser(app), await memberBrowser(app, 'mara@example.com')]) {
    expect((await each.call(path, { method: 'PATCH', json: body })).status).toBe(401)
    expect((await each.call(`${path}/changes/x/undo`, { json: {} })).status).toBe(401)
  }
})

test('a bulk publication is planned, applied, and undone except for items changed since', async () => {
  const [draft, other, shown, held] = await Promise.all([
    itemOf('Draft', 'draft'),
    itemOf('Other', 'draft'),
    itemOf('Shown'),
    itemOf('Held', 'held'),
  ])
  const body = { change: 'publish', ids: [draft, other, shown, held, crypto.randomUUID(), 'none'] }
  const plan = await (await send(body, '?dryRun=true')).json()
  expect(plan).toMatchObject({ changed: 2, same: 1, held: 1, changeId: null })
  expect(await statusOf(draft)).toBe('draft')
  const done = await (await send(body)).json()
  expect(done).toMatchObject({ changed: 2, same: 1, held: 1 })
  expect(await statusOf(draft)).toBe('published')
  expect((await operator.json('/api/audit?limit=1'))[0]).toMatchObject({
    sentence: 'published many items',
    items: 2,
  })
  await editItem(db, other, { status: 'draft' }, 'Ada')
  expect(await (await undo(done.changeId)).json()).toMatchObject({ changed: 1, same: 1 })
  expect(await statusOf(draft)).toBe('draft')
  await editItem(db, draft, { status: 'published' }, 'Ada')
  expect((await undo(done.changeId)).status).toBe(409)
  expect(await statusOf(draft)).toBe('published')
  expect((await undo(crypto.randomUUID())).status).toBe(404)
})

test('undo skips items unpublished and republished since, but not items edited otherwise', async () => {
  const [edited, hand, many] = await Promise.all(
    ['Edited', 'Hand', 'Many'].map((title) => itemOf(title, 'draft')),
  )
  const done = await (await send({ change: 'publish', ids: [edited, hand, many] })).json()
  await editItem(db, edited ?? '', { description: 'By the water.', status: 'published' }, 'Ada')
  for (const status of ['draft', 'published'] as const) await editItem(db, hand ?? '', { status }, 'Ada')
  for (const change of ['unpublish', 'publish']) await send({ change, ids: [many] })
  expect(await (await undo(done.changeId)).json()).toMatchObject({ changed: 1, same: 2 })
  expect(await Promise.all([edited ?? '', hand ?? '', many ?? ''].map(statusOf))).toEqual([
    'draft',
    'published',
    'published',
  ])
})

test('publishing and removing by filter can be undone, with the scheduled time restored', async () => {
  const ids = await Promise.all([itemOf('Lantern One', 'scheduled'), itemOf('Lantern Two')])
  const at = new Date('2099-01-01T20:00:00Z')
  await db
    .update(stories)
    .set({ publishedAt: at })
    .where(eq(stories.id, ids[0] ?? ''))
  const filter = { q: 'lantern' }
  const published = await (await send({ change: 'publish', filter })).json()
  expect(published).toMatchObject({ changed: 1, same: 1 })
  await undo(published.changeId)
  const [again] = await db
    .select()
    .from(stories)
    .where(eq(stories.id, ids[0] ?? ''))
  expect(again).toMatchObject({ status: 'scheduled', publishedAt: at })

  const removed = await (await send({ change: 'remove', filter })).json()
  expect(removed.changed).toBe(2)
  expect(await (await operator.call('/audit')).text()).toContain('aria-label="Undo: removed many items"')
  expect((await send({ change: 'remove', filter }, '?dryRun=true')).status).toBe(200)
  expect((await operator.json(`${path}?q=lantern`)).content).toEqual([])
  const form = { form: { id: removed.changeId } }
  expect((await browser(app).call('/audit/undo', form)).status).toBe(401)
  expect((await operator.call('/audit/undo', form)).headers.get('location')).toBe('/audit')
  expect(await Promise.all(ids.map(statusOf))).toEqual(['scheduled', 'published'])
})

test('bulk restore returns items to their earlier status, skips titles in use, and can be undone', async () => {
  const [draft, shown, alone] = await Promise.all([itemOf('Pier', 'draft'), itemOf('Quay'), itemOf('Jetty')])
  await send({ change: 'remove', ids: [draft, shown] })
  await removeItem(db, alone, 'Ada')
  const [first, again, binned, other] = await Promise.all(
    ['Tide', 'Tide', 'Reef', 'reef!'].map((title) => itemOf(title)),
  )
  await db.transaction((tx) =>
    putIntoBin(
      tx,
      [first, again, binned].flatMap((id) => id ?? []),
      crypto.randomUUID(),
    ),
  )
  const body = { change: 'restore', filter: { status: 'removed' } }
  const counts = { changed: 4, same: 0, held: 0, taken: 2 }
  expect(await (await send(body, '?dryRun=true')).json()).toMatchObject({ ...counts, changeId: null })
  const done = await (await send(body)).json()
  expect(done).toMatchObject(counts)
  expect(await Promise.all([draft, shown, alone].map(statusOf))).toEqual(['draft', 'published', 'published'])
  const tides = await Promise.all([first ?? '', again ?? ''].map(statusOf))
  expect(tides.sort()).toEqual(['published', 'removed'])
  expect(await Promise.all([binned ?? '', other ?? ''].map(statusOf))).toEqual(['removed', 'published'])
  expect((await operator.json('/api/audit?limit=1'))[0]).toMatchObject({
    sentence: 'restored many items',
    items: 4,
  })
  expect(await (await send({ change: 'restore', ids: [other] })).json()).toMatchObject({
    changed: 0,
    same: 1,
  })
  expect(await (await undo(done.changeId)).json()).toMatchObject({ changed: 4 })
  expect(await Promise.all([draft, shown, alone].map(statusOf))).toEqual(['removed', 'removed', 'removed'])
})

test('an item whose title is in use again is not restored; items of one title removed together are', async () => {
  const [reed, dike] = await Promise.all([itemOf('Reed'), itemOf('Dike')])
  const twins = await Promise.all([itemOf('Weir'), itemOf('Weir')])
  const removed = await (await send({ change: 'remove', ids: [reed, dike, ...twins] })).json()
  const again = await itemOf('reed!')
  expect((await operator.call(`${path}/${reed}/restore`, { json: {} })).status).toBe(409)
  expect(await (await send({ change: 'restore', ids: [reed] }, '?dryRun=true')).json()).toMatchObject({
    changed: 0,
    taken: 1,
  })
  expect(await (await undo(removed.changeId)).json()).toMatchObject({ changed: 3, same: 0, taken: 1 })
  expect(await Promise.all([reed, dike, ...twins].map(statusOf))).toEqual([
    'removed',
    'published',
    'published',
    'published',
  ])
  // Both were removed, each before the next was created, so only one of them can be restored.
  await removeItem(db, again, 'Ada')
  const restored = await (await send({ change: 'restore', ids: [reed, again] })).json()
  expect(restored).toMatchObject({ changed: 1, taken: 1 })
})

test('restoring items returns 503 when an import holds the lock for long', async () => {
  const id = await itemOf('Culvert')
  await removeItem(db, id, 'Ada')
  const bringBack = [
    () => operator.call(`${path}/${id}/restore`, { json: {} }),
    () => send({ change: 'restore', ids: [id] }),
  ]
  await db.transaction(async (tx) => {
    await lock(tx, 'imports')
    const answers = await Promise.all(bringBack.map((press) => press()))
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
  })
  expect(await statusOf(id)).toBe('removed')
})

test('rejects an unknown filter instead of changing the whole library', async () => {
  for (const query of ['', '?dryRun=true']) {
    const refused = await send({ change: 'remove', filter: { state: 'draft' } }, query)
    expect([refused.status, (await refused.json()).message]).toEqual([
      422,
      '"state" is not a filter of this list. Use q, type, category, status.',
    ])
  }
})

test('rejects a request without ids or filter, with both, or with an unknown change', async () => {
  expect((await send({ change: 'publish' })).status).toBe(422)
  expect((await send({ change: 'publish', ids: ['x'], filter: {} })).status).toBe(422)
  expect((await send({ change: 'fly', filter: {} })).status).toBe(422)
})
