import { expect, test } from 'bun:test'
import { eq, isNotNull } from 'drizzle-orm'
import { jobs, removedComments, reports, stories, users } from '#db/schema'
import { tidyUp } from '#src/server/housekeeping'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import type { RowsOutcome } from './schema'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const visitor = browser(app)
const mara = await memberBrowser(app, 'mara@example.com')
const path = '/api/changes'
const change = (json: object) => operator.json(path, { json }) as Promise<RowsOutcome>
const plan = (json: object) => operator.json(`${path}?dryRun=true`, { json }) as Promise<RowsOutcome>
const undo = (id: string | null) => operator.call(`${path}/${id}/undo`, { json: {} })

async function report(itemId: string): Promise<string> {
  const json = { flagType: 'other', flagReason: 'The sound stops.' }
  return (await mara.json(`/api/stories/${itemId}/flags`, { json })).id
}
const storedReports = async () => db.select().from(reports).orderBy(reports.id)

test('bulk changes and their undo return 401 for visitors and members', async () => {
  for (const each of [visitor, mara]) {
    const json = { kind: 'jobs', change: 'cancel', filter: {} }
    expect((await each.call(path, { json })).status).toBe(401)
    expect((await each.call(`${path}/x/undo`, { json: {} })).status).toBe(401)
  }
})

test('a bulk change rejects an unknown change, an ambiguous selection and an invalid filter value', async () => {
  for (const json of [
    { kind: 'jobs', change: 'suspend', filter: {} },
    { kind: 'jobs', change: 'cancel' },
    { kind: 'jobs', change: 'cancel', ids: ['x'], filter: {} },
    { kind: 'jobs', change: 'cancel', filter: { state: 'asleep' } },
    { kind: 'jobs', change: 'cancel', filter: { kind: 'nonsense' } },
    { kind: 'members', change: 'suspend', filter: {} },
  ])
    expect((await operator.call(path, { json })).status).toBe(422)
  expect((await undo(crypto.randomUUID())).status).toBe(404)
})

test('a bulk change rejects a filter that its list does not have, in a dry run too', async () => {
  for (const [kind, change, filter, message] of [
    ['jobs', 'cancel', { status: 'failed' }, '"status" is not a filter of this list. Use state, kind.'],
    ['jobs', 'cancel', { item: 'x' }, '"item" is not a filter of this list. Use state, kind.'],
    ['members', 'lift', { kind: 'narrate' }, '"kind" is not a filter of this list. Use q, state.'],
    ['comments', 'remove', { state: 'shown' }, '"state" is not a filter of this list. Use item.'],
  ] as const)
    for (const query of ['', '?dryRun=true']) {
      const refused = await operator.call(path + query, { json: { kind, change, filter } })
      expect([refused.status, (await refused.json()).message]).toEqual([422, message])
    }
})

test('a bulk decision removes the items of all pending reports, and its undo reverts both', async () => {
  const items = await Promise.all([publishTestItem(services), publishTestItem(services, { title: 'Ferry' })])
  for (const { id } of items) await report(id)
  const wanted = { kind: 'reports', change: 'remove', filter: { state: 'pending' } }
  expect(await plan(wanted)).toMatchObject({ changed: 2, same: 0, changeId: null })
  expect((await storedReports()).every(({ resolvedAt }) => resolvedAt === null)).toBe(true)
  const done = await change({ ...wanted, reason: 'Heard again.' })
  expect(done).toMatchObject({ changed: 2, same: 0 })
  expect(await db.$count(stories, eq(stories.status, 'removed'))).toBe(2)
  expect((await storedReports()).map(({ moderatorNotes }) => moderatorNotes)).toEqual([
    'Heard again.',
    'Heard again.',
  ])
  expect(await (await operator.call('/audit')).text()).toContain('aria-label="Undo: decided on many reports')
  expect(await (await undo(done.changeId)).json()).toMatchObject({ changed: 2, same: 0 })
  expect(await db.$count(stories, eq(stories.status, 'removed'))).toBe(0)
  expect(
    (await storedReports()).map(({ moderatorAction, resolvedAt }) => [moderatorAction, resolvedAt]),
  ).toEqual([
    [null, null],
    [null, null],
  ])
  expect((await undo(done.changeId)).status).toBe(409)
})

test('undoing a bulk suspension lifts it only for members not changed since', async () => {
  const [ana, ben] = await Promise.all(
    ['ana@example.com', 'ben@example.com'].map(async (email, at) => {
      const member = await memberBrowser(app, email, `10.80.1.${at}`)
      return { id: member.id, member }
    }),
  )
  const ids = [ana?.id, ben?.id]
  for (const reason of [undefined, 'x'.repeat(501)])
    expect(
      (await operator.call(path, { json: { kind: 'members', change: 'suspend', ids, reason } })).status,
    ).toBe(422)
  expect(await db.$count(users, isNotNull(users.suspendedAt))).toBe(0)
  const done = await change({ kind: 'members', change: 'suspend', ids, reason: 'Unkind words.' })
  expect(done.items.map(({ title }) => title).sort()).toEqual(['ana@example.com', 'ben@example.com'])
  expect(await db.$count(users, eq(users.suspensionReason, 'Unkind words.'))).toBe(2)
  const log = await operator.json(`/api/audit/${done.changeId}/items`)
  expect(JSON.stringify(log)).not.toContain('example.com')
  await operator.call(`/api/members/${ben?.id}/suspension`, { method: 'DELETE', json: {} })
  expect(await (await undo(done.changeId)).json()).toMatchObject({ changed: 1, same: 1 })
  expect(await db.$count(users, eq(users.suspensionReason, 'Unkind words.'))).toBe(0)
  await operator.json(`/api/members/${ana?.id}/suspension`, { json: { reason: 'Unkind again.' } })
  expect((await undo(done.changeId)).status).toBe(409)
  expect(await db.$count(users, eq(users.suspensionReason, 'Unkind again.'))).toBe(1)
})

test('undo leaves members, jobs and items alone that were changed back and forth since', async () => {
  const cleo = await memberBrowser(app, 'cleo@example.com', '10.80.2.1')
  const dora = await memberBrowser(app, 'dora@example.com', '10.80.2.2')
  const wanted = { kind: 'members', change: 'suspend', ids: [cleo.id, dora.id] }
  const suspended = await change({ ...wanted, reason: 'Unkind words.' })
  await operator.call(`/api/members/${dora.id}/suspension`, { method: 'DELETE', json: {} })
  await operator.json(`/api/members/${dora.id}/suspension`, { json: { reason: 'Spam.' } })
  expect(await (await undo(suspended.changeId)).json()).toMatchObject({ changed: 1, same: 1 })
  expect(await db.$count(users, eq(users.suspensionReason, 'Spam.'))).toBe(1)

  const job = { kind: 'narrate', payload: {}, runAfter: new Date('2099-01-01') }
  const [queued] = await db
    .insert(jobs)
    .values({ ...job, dedupeKey: 'there and back' })
    .returning()
  const cancelled = await change({ kind: 'jobs', change: 'cancel', ids: [queued?.id] })
  for (const verb of ['retry', 'cancel']) await operator.json(`/api/jobs/${queued?.id}/${verb}`, { json: {} })
  expect((await undo(cancelled.changeId)).status).toBe(409)
  await operator.json(`/api/jobs/${queued?.id}/retry`, { json: {} })

  const { id } = await publishTestItem(services, { title: 'Sluice' })
  const removed = await change({ kind: 'reports', change: 'remove', ids: [await report(id)], reason: 'No.' })
  await operator.json(`/api/premium-content/${id}/restore`, { json: {} })
  await operator.call(`/api/premium-content/${id}`, { method: 'DELETE', json: {} })
  expect((await undo(removed.changeId)).status).toBe(409)
  expect((await db.select().from(stories).where(eq(stories.id, id)))[0]?.status).toBe('removed')
})

test('comments removed in bulk can be restored within a day only', async () => {
  const { id } = await publishTestItem(services, { title: 'Reeds' })
  await mara.call(`/api/stories/${id}/feedback`, {
    json: { rating: 4, comments: 'Warm.', tags: ['The pace'] },
  })
  const wanted = { kind: 'comments', change: 'remove', filter: { item: id } }
  const listed = async () => (await operator.json(`/api/feedback?item=${id}`)).length
  const first = await change(wanted)
  expect([first.changed, await listed()]).toEqual([1, 0])
  expect((await undo(first.changeId)).status).toBe(200)
  expect(await operator.json(`/api/feedback?item=${id}`)).toMatchObject([
    { comments: 'Warm.', tags: ['The pace'] },
  ])
  const second = await change(wanted)
  await db.update(removedComments).set({ removedAt: new Date(Date.now() - 25 * 3_600_000) })
  await tidyUp(services)
  expect(await db.$count(removedComments)).toBe(0)
  expect((await undo(second.changeId)).status).toBe(409)
})

test('jobs cancelled by a filter are queued again by the undo', async () => {
  const { id } = await publishTestItem(services)
  for (const kind of ['narrate', 'enhance'])
    await db
      .insert(jobs)
      .values({ kind, dedupeKey: kind, storyId: id, payload: {}, runAfter: new Date('2099-01-01') })
  const done = await change({ kind: 'jobs', change: 'cancel', filter: { state: 'queued' } })
  expect(done.changed).toBeGreaterThanOrEqual(2)
  expect(await db.$count(jobs, eq(jobs.state, 'queued'))).toBe(0)
  expect(await (await undo(done.changeId)).json()).toMatchObject({ changed: done.changed })
  expect(await db.$count(jobs, eq(jobs.state, 'cancelled'))).toBe(0)
})
