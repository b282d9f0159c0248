import { expect, test } from 'bun:test'
import { browser, markupOf, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)
const undoButton = 'aria-label="Undo: removed many items"'

async function removeTwo(): Promise<string> {
  const made = await Promise.all(['Pier', 'Quay'].map((title) => publishTestItem(services, { title })))
  const ids = made.map(({ id }) => id)
  const removed: { changeId: string } = await operator.json('/api/premium-content', {
    method: 'PATCH',
    json: { change: 'remove', ids },
  })
  return removed.changeId
}
const logOf = async (path = '/audit') => markupOf(await operator.call(path))
const listed = async (id: string) => {
  const all: { id: string; isUndone: boolean }[] = await operator.json('/api/audit')
  return all.find((each) => each.id === id)
}

test('undoing marks the change as undone, removes its button and keeps the filter', async () => {
  const id = await removeTwo()
  expect(await logOf()).toContain(undoButton)
  expect(await listed(id)).toMatchObject({ isUndone: false })
  const filter = { actor: 'Ada', action: 'items.remove' }
  expect(await logOf('/audit?actor=Ada&action=items.remove')).toContain('name="action" value="items.remove"')
  const done = await operator.call('/audit/undo', { form: { id, ...filter } })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/audit?actor=Ada&action=items.remove'])
  const page = await logOf('/audit?action=items.remove')
  expect(page).not.toContain(undoButton)
  expect(page).toContain('Undone')
  expect(await listed(id)).toMatchObject({ isUndone: true })
})

test('undoing too late returns 409 and explains it on the audit page', async () => {
  const id = await removeTwo()
  await operator.call(`/api/changes/${id}/undo`, { method: 'POST', json: {} })
  const late = await operator.call('/audit/undo', { form: { id, action: 'items.remove' } })
  const page = await markupOf(late)
  expect(late.status).toBe(409)
  expect(page).toContain('Nothing is left to undo.')
  expect(page).toContain('What happened')
})

test('an undone bulk change of reports is marked as undone', async () => {
  const { id: item } = await publishTestItem(services, { title: 'Jetty' })
  const member = await memberBrowser(app, 'mara@example.com')
  await member.json(`/api/stories/${item}/flags`, {
    method: 'POST',
    json: { flagType: 'other', flagReason: 'It ends too soon.' },
  })
  const { changeId }: { changeId: string } = await operator.json('/api/changes', {
    method: 'POST',
    json: { kind: 'reports', change: 'approve', filter: {} },
  })
  expect(await listed(changeId)).toMatchObject({ isUndone: false })
  await operator.json(`/api/changes/${changeId}/undo`, { method: 'POST', json: {} })
  expect(await listed(changeId)).toMatchObject({ isUndone: true })
})

test('the undo form rejects visitors with 401 and an unknown change with 404', async () => {
  const form = { form: { id: await removeTwo() } }
  expect((await browser(app).call('/audit/undo', form)).status).toBe(401)
  expect((await operator.call('/audit/undo', { form: { id: 'nope' } })).status).toBe(404)
})
