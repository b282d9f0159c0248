import { beforeEach, describe, expect, test } from 'bun:test'
import { inArray, sql } from 'drizzle-orm'
import { contentGuidelines, stories } from '#db/schema'
import { runScans } from '#src/guideline/testing'
import { applyImport } from '#src/import/apply'
import { decodeRows } from '#src/import/decode-rows'
import { rowOfObject } from '#src/import/rows/read-rows'
import { undoImport } from '#src/import/undo'
import { memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { isLockAwaited, isTableAwaited } from '#src/testing/lock-wait'
import { until } from '#src/testing/until'
import { addGuideline } from './change-guideline'
import { holdForbidden } from './hold-forbidden'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
beforeEach(
  async () =>
    void (await db.execute(
      sql`truncate stories, imports, import_changes, demo_items, audit_log, content_guidelines, guideline_decisions, jobs cascade`,
    )),
)

const path = '/api/premium-content'
const item = async (content = 'A lantern.') =>
  (await publishTestItem(services, { title: content.slice(0, 40), content })).id
const forbid = (keyword: string) =>
  addGuideline(db, { ruleType: 'negative_keywords', keywords: [keyword], severity: 'blocking' }, 'Ada', {
    isConfirmed: true,
  })
const statusesOf = async (...ids: string[]) => {
  const rows = await db.select().from(stories).where(inArray(stories.id, ids))
  return ids.map((id) => rows.find((row) => row.id === id)?.status)
}
const remove = (id: string) => operator.json(`${path}/${id}`, { method: 'DELETE' })
const restore = (id: string) => operator.json(`${path}/${id}/restore`, { json: {} })
const changeMany = (change: string, ids: string[]) =>
  operator.json(path, { method: 'PATCH', json: { change, ids } })
const decodeOne = (content: string) => decodeRows(db, [rowOfObject({ title: 'The Lamp', content }, 1)], 'Ada')
const applyRows = (rows: Awaited<ReturnType<typeof decodeOne>>) =>
  applyImport(db, { kind: 'items', fileName: null, rows, audio: [], strict: true, narrate: 'none' }, 'Ada')

describe('an item that a new rule forbids', () => {
  test('is held when restored from the bin', async () => {
    const id = await item()
    await remove(id)
    await forbid('lantern')
    await runScans(db)
    expect(await restore(id)).toMatchObject({ status: 'held' })
    expect(await operator.json('/api/held-content')).toMatchObject([{ id, heldFrom: 'published' }])
  })

  test('is held when restored from the bin in bulk', async () => {
    const [lantern, candle] = [await item(), await item('A candle.')]
    await changeMany('remove', [lantern, candle])
    await forbid('lantern')
    await runScans(db)
    const restored = await changeMany('restore', [lantern, candle])
    expect(restored).toMatchObject({ changed: 1, held: 1 })
    expect(restored.items.map(({ after }: { after: string }) => after).sort()).toEqual(['held', 'published'])
    expect(await statusesOf(lantern, candle)).toEqual(['held', 'published'])
    const undone = await operator.json(`${path}/changes/${restored.changeId}/undo`, { json: {} })
    expect(undone).toMatchObject({ changed: 2 })
    expect(await statusesOf(lantern, candle)).toEqual(['removed', 'removed'])
  })

  test('is held when its bulk removal is undone', async () => {
    const id = await item()
    const { changeId } = await changeMany('remove', [id])
    await forbid('lantern')
    await runScans(db)
    await operator.json(`${path}/changes/${changeId}/undo`, { json: {} })
    expect(await statusesOf(id)).toEqual(['held'])
  })

  test('is held when undoing an import restores its text', async () => {
    const first = await applyRows(await decodeOne('A lantern.'))
    const { batchId } = await applyRows(await decodeOne('A candle.'))
    await forbid('lantern')
    await runScans(db)
    await undoImport(db, batchId ?? '', 'Ada')
    expect(await statusesOf(...first.items.map(({ id }) => id))).toEqual(['held'])
  })

  test('is held when the decision on its report changes from remove to approve', async () => {
    const id = await item()
    const report = { flagType: 'not_as_described', flagReason: 'There is an argument in it.' }
    const reported = await operator.json(`/api/stories/${id}/flags`, { json: report })
    await operator.json(`/api/content-flags/${reported.id}`, {
      method: 'PATCH',
      json: { moderatorAction: 'remove' },
    })
    await forbid('lantern')
    await runScans(db)
    await operator.json(`/api/content-flags/${reported.id}`, {
      method: 'PATCH',
      json: { moderatorAction: 'approve' },
    })
    expect(await statusesOf(id)).toEqual(['held'])
  })

  test('is held when the demo library is restored', async () => {
    const id = await item()
    await db.execute(sql`insert into demo_items (story_id) values (${id})`)
    await operator.json('/api/demo', { method: 'DELETE', json: {} })
    await forbid('lantern')
    await runScans(db)
    await operator.json('/api/demo/restore', { json: {} })
    expect(await statusesOf(id)).toEqual(['held'])
  })

  test('is held again when restored after an operator refused it', async () => {
    const id = await item()
    await remove(id)
    await restore(id)
    await forbid('lantern')
    await runScans(db)
    await operator.json(`/api/held-content/${id}`, { method: 'PATCH', json: { decision: 'refuse' } })
    expect(await restore(id)).toMatchObject({ status: 'held' })
    expect(await operator.json('/api/held-content/rules')).toMatchObject([{ held: 1, severity: 'blocking' }])
  })
})

test('an approved item is published again when restored from the bin', async () => {
  const id = await item()
  await forbid('lantern')
  await runScans(db)
  await operator.json(`/api/held-content/${id}`, { method: 'PATCH', json: { decision: 'approve' } })
  await remove(id)
  expect(await restore(id)).toMatchObject({ status: 'published' })
})

test('an import decoded before a rule was added holds the items that the rule forbids', async () => {
  const rows = await decodeOne('A lantern.')
  await forbid('lantern')
  await runScans(db)
  const { items } = await applyRows(rows)
  expect(await statusesOf(...items.map(({ id }) => id))).toEqual(['held'])
})

describe('a rule added between a text’s check and its write', () => {
  /** Adds a rule after `write` has judged its text, while it waits for the table. */
  async function forbidDuring<T>(write: () => Promise<T>): Promise<T> {
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const holding = db.transaction(async (tx) => {
      await tx.execute(sql`lock table stories in share mode`)
      isLocked()
      await released
    })
    await locked
    const writing = write()
    await until(() => isTableAwaited(db, 'stories'))
    // The rule is inserted directly, without a scan, which would wait for the table too.
    const rule = { ruleType: 'negative_keywords', severity: 'blocking' } as const
    await db.insert(contentGuidelines).values({ ...rule, keywords: ['lantern'] })
    release()
    await holding
    return writing
  }
  const json = { title: 'The Lamp', content: 'A lantern.', categories: ['romantic'] }

  test('holds a new item', async () => {
    expect(await forbidDuring(() => operator.json(path, { json }))).toMatchObject({ status: 'held' })
  })

  test('holds an edited item', async () => {
    const id = await item('A candle.')
    const edit = { method: 'PUT', json: { content: 'A lantern.' } }
    expect(await forbidDuring(() => operator.json(`${path}/${id}`, edit))).toMatchObject({ status: 'held' })
  })

  test('holds a member’s new and edited items', async () => {
    const mara = await memberBrowser(app, 'mara@example.com')
    const made = await forbidDuring(() => mara.json('/api/user/content', { json }))
    expect(await statusesOf(made.id)).toEqual(['held'])
    await db.execute(sql`truncate content_guidelines cascade`)
    const other = await mara.json('/api/user/content', { json: { ...json, content: 'A candle.' } })
    const edit = { method: 'PUT', json: { content: 'A lantern.' } }
    await forbidDuring(() => mara.json(`/api/user/content/${other.id}`, edit))
    expect(await statusesOf(other.id)).toEqual(['held'])
  })
})

test('a rule added during a restore waits for it, and its scan holds the item', async () => {
  const id = await item()
  const saving = await db.transaction(async (tx) => {
    await holdForbidden(tx, [id], 'Ada')
    const saving = { rule: forbid('lantern') }
    await until(() => isLockAwaited(db))
    return saving
  })
  await saving.rule
  await runScans(db)
  expect(await statusesOf(id)).toEqual(['held'])
})
