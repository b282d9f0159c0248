import { beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import {
  auditItems,
  auditLog,
  importChanges,
  imports,
  jobs,
  narrations,
  narrationTimings,
  reports,
  stories,
} from '#db/schema'
import { listChanges } from '#src/audit/list-changes'
import { rowOfObject } from '#src/import/rows/read-rows'
import { editItem } from '#src/library/edit'
import { removeItem, restoreItem } from '#src/library/remove'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { admitAudio } from '#src/narration/upload/admit-audio'
import { addGuideline } from '#src/review/change-guideline'
import { reviewHeld } from '#src/review/review'
import { editScript } from '#src/script/store-script'
import { tidyUp } from '#src/server/housekeeping'
import { publish } from '#src/story/publish'
import { publishDue } from '#src/story/publish-due'
import { browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { applyImport } from './apply'
import { decodeRows } from './decode-rows'
import type { ImportRequest } from './request'
import { planUndoOf, undoImport } from './undo'

const { app, services } = await testApp()
const { db, storage } = services
const ada = await operatorBrowser(app)
beforeEach(
  async () =>
    void (await db.execute(
      sql`truncate stories, imports, import_changes, audio_files, audit_log, content_guidelines cascade`,
    )),
)

async function importItems(
  items: Record<string, unknown>[],
  options: Partial<Pick<ImportRequest, 'audio' | 'narrate'>> = {},
): Promise<string> {
  const rows = await decodeRows(
    db,
    items.map((each, at) => rowOfObject(each, at + 1)),
    'Ada',
  )
  const request = { kind: 'items', fileName: null, rows, audio: [], strict: true, narrate: 'none' as const }
  const { batchId } = await applyImport(db, { ...request, ...options }, 'Ada')
  if (!batchId) throw new Error('The import has changed nothing.')
  return batchId
}
const lamp = { title: 'The Lamp', content: 'She lit the lamp.' }
const boat = { title: 'The Boat', content: 'He rowed at night.' }

async function find(title: string) {
  const [item] = await db.select().from(stories).where(eq(stories.title, title)).orderBy(stories.createdAt)
  if (!item) throw new Error(`There is no ${title}.`)
  return item
}
const verdictsOf = async (batch: string, edited: 'keep' | 'remove' = 'keep') =>
  (await planUndoOf(db, batch, { edited })).items.map(({ title, verdict, editedFields }) => [
    title,
    verdict,
    ...editedFields,
  ])
async function song(hertz: number) {
  const bytes = await toneMp3(1, hertz)
  const staged = await storage.receive(
    (async function* () {
      yield bytes
    })(),
  )
  return admitAudio({ db, storage }, staged, 'song.mp3')
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  )

test('undo keeps a text that was edited by hand since the import', async () => {
  await ada.json('/api/premium-content/bulk', { json: { items: [lamp] } })
  await ada.json('/api/premium-content/bulk', { json: { items: [{ ...lamp, content: 'Second.' }, boat] } })
  for (const { id } of await db.select({ id: stories.id }).from(stories))
    await ada.call(`/api/premium-content/${id}`, { method: 'PUT', json: { content: 'By hand.' } })
  const [batch] = await ada.json('/api/imports')
  await ada.call(`/api/imports/${batch.id}/undo`, { method: 'POST', json: {} })
  expect(await db.select({ content: stories.content, status: stories.status }).from(stories)).toEqual([
    { content: 'By hand.', status: 'published' },
    { content: 'By hand.', status: 'published' },
  ])
})

test('undo restores unedited fields, and keeps and names those edited since', async () => {
  await publish(db, { ...lamp, description: 'Old.', tags: ['old'], categories: ['gay'] })
  const batch = await importItems([{ ...lamp, description: 'New.', tags: 'new', duration: 20 }])
  const { id } = await find('The Lamp')
  await editItem(db, id, { description: 'By hand.' }, 'Ada')
  expect(await verdictsOf(batch)).toEqual([['The Lamp', 'restore', 'description']])
  await undoImport(db, batch, 'Ada')
  expect(await find('The Lamp')).toMatchObject({ description: 'By hand.', tags: ['old'], duration: 15 })
})

test('edited=remove also removes edited items and restores all changed fields', async () => {
  await publish(db, { ...lamp, description: 'Old.', categories: ['gay'] })
  const batch = await importItems([{ ...lamp, description: 'New.' }, boat])
  for (const title of ['The Lamp', 'The Boat'])
    await editItem(db, (await find(title)).id, { description: 'By hand.' }, 'Ada')
  expect(await verdictsOf(batch)).toEqual([
    ['The Lamp', 'keep', 'description'],
    ['The Boat', 'keep', 'description'],
  ])
  await undoImport(db, batch, 'Ada', { edited: 'remove' })
  expect(await find('The Lamp')).toMatchObject({ description: 'Old.', status: 'published' })
  expect(await find('The Boat')).toMatchObject({ description: 'By hand.', status: 'removed' })
})

test('status, audio, timings and script count as edits, and votes and favourites do not', async () => {
  const titles = ['Status', 'Audio', 'Timings', 'Script', 'Loved']
  const file = { ...(await song(300)), fileName: 'timings.mp3' }
  const batch = await importItems(
    titles.map((title) => ({ title, content: 'She lit the lamp.', status: 'draft' })),
    { audio: [file] },
  )
  const idOf = async (title: string) => (await find(title)).id
  await editItem(db, await idOf('Status'), { status: 'published' }, 'Ada')
  await attachAudio(db, {
    storyId: await idOf('Audio'),
    voice: 'female',
    file: await song(400),
    provider: 'upload',
  })
  await editScript(db, await idOf('Script'), { source: '[softer]She lit[/softer] the lamp.' }, 'Ada')
  const [narration] = await db.select().from(narrations).where(eq(narrations.fileName, 'timings.mp3'))
  await db
    .insert(narrationTimings)
    .values({ narrationId: narration?.id ?? '', textHash: 'x', source: 'file', sentences: [1], words: [1] })
  await memberBrowser(app, 'mara@example.com')
  await db.execute(
    sql`insert into favorites (id, story_id, user_id) select gen_random_uuid(), ${await idOf('Loved')}, id from users`,
  )
  await db.execute(
    sql`insert into votes (id, story_id, user_id, vote_type) select gen_random_uuid(), ${await idOf('Loved')}, id, 'up' from users`,
  )
  expect(await verdictsOf(batch)).toEqual([
    ['Status', 'keep', 'status'],
    ['Audio', 'keep', 'audioFemale'],
    ['Timings', 'keep', 'timingsFemale'],
    ['Script', 'keep', 'script'],
    ['Loved', 'remove'],
  ])
  const answer = await ada.json(`/api/imports/${batch}/undo?dryRun=true`, { method: 'POST' })
  expect(answer.items.at(-1)).toMatchObject({ title: 'Loved', verdict: 'remove', savedBy: 1, listeners: 0 })
})

test('narration jobs, due publication and guideline holds do not count as edits', async () => {
  const spoken = await importItems([lamp], { narrate: 'all' })
  const [job] = await db.select().from(jobs)
  expect(await verdictsOf(spoken)).toEqual([['The Lamp', 'remove']])
  const { id } = await find('The Lamp')
  await attachAudio(db, {
    storyId: id,
    voice: 'female',
    file: await song(500),
    provider: 'built-in',
    jobId: job?.id,
  })
  expect(await verdictsOf(spoken)).toEqual([['The Lamp', 'remove']])
  await attachAudio(db, { storyId: id, voice: 'female', file: await song(600), provider: 'upload' })
  expect(await verdictsOf(spoken)).toEqual([['The Lamp', 'keep', 'audioFemale']])

  const timed = await importItems([{ ...boat, status: 'scheduled', publishedAt: '2199-11-27T20:00:00Z' }])
  // The publication time arrives.
  const past = new Date('2026-01-01T20:00:00Z')
  await db.update(stories).set({ publishedAt: past }).where(eq(stories.title, 'The Boat'))
  await db.execute(sql`update import_changes
    set after = after || '{"publishedAt": "2026-01-01T20:00:00.000Z", "status": "scheduled:2026-01-01T20:00:00.000Z"}'
    where import_id = ${timed}`)
  expect(await publishDue(db)).toBe(1)
  expect(await verdictsOf(timed)).toEqual([['The Boat', 'remove']])
  await db.update(stories).set({ status: 'held', heldFrom: 'published' }).where(eq(stories.title, 'The Boat'))
  expect(await verdictsOf(timed)).toEqual([['The Boat', 'remove']])

  const held = await importItems([{ title: 'The Quay', content: 'Late.' }])
  await db.update(stories).set({ status: 'held', heldFrom: 'published' }).where(eq(stories.title, 'The Quay'))
  expect(await verdictsOf(held)).toEqual([['The Quay', 'remove']])
})

test('an approval counts as an edit, and an item that a guideline holds since stays held', async () => {
  await publish(db, { ...boat, categories: ['gay'], status: 'draft' })
  await addGuideline(db, { ruleType: 'negative_keywords', keywords: ['lamp'], severity: 'high' }, 'Ada')
  const batch = await importItems([lamp, { ...boat, status: 'published' }])
  expect(await find('The Lamp')).toMatchObject({ status: 'held' })
  await reviewHeld(services, (await find('The Lamp')).id, { decision: 'approve' }, 'Ada')
  await db.update(stories).set({ status: 'held', heldFrom: 'published' }).where(eq(stories.title, 'The Boat'))
  expect(await verdictsOf(batch)).toEqual([
    ['The Lamp', 'keep', 'status'],
    ['The Boat', 'restore'],
  ])
  await undoImport(db, batch, 'Ada')
  expect(await find('The Boat')).toMatchObject({ status: 'held', heldFrom: 'draft' })
})

test('undo removes imported items from the library, and they can be restored whole', async () => {
  const batch = await importItems([lamp], { audio: [{ ...(await song(700)), fileName: 'the lamp.mp3' }] })
  const { id } = await find('The Lamp')
  const visitor = browser(app)
  expect(await visitor.json('/api/content')).toHaveLength(1)
  await undoImport(db, batch, 'Ada')
  expect(await visitor.json('/api/content')).toEqual([])
  expect((await visitor.call(`/api/content/${id}`)).status).toBe(404)
  const { status, removedAt, removedFrom, removedByImport } = await find('The Lamp')
  expect({ status, removedFrom, removedByImport }).toEqual({
    status: 'removed',
    removedFrom: 'published',
    removedByImport: batch,
  })
  expect(removedAt).toBeInstanceOf(Date)
  await ada.call(`/api/premium-content/${id}/restore`, { method: 'POST', json: {} })
  expect(await find('The Lamp')).toMatchObject({
    status: 'published',
    removedAt: null,
    removedFrom: null,
    removedByImport: null,
  })
  expect(await db.select({ isCurrent: narrations.isCurrent }).from(narrations)).toEqual([{ isCurrent: true }])
})

test('only unreported items of undone imports are deleted after 30 days in the bin', async () => {
  const batch = await importItems([lamp, boat, { title: 'The Mole', content: 'Reported.' }])
  const byHand = await publish(db, { title: 'The Quay', content: 'Late.', categories: ['gay'] })
  await removeItem(db, byHand.id, 'Ada')
  await undoImport(db, batch, 'Ada')
  await db.execute(sql`update stories set removed_at = now() - interval '31 days' where title <> 'The Boat'`)
  await db.execute(sql`update stories set removed_at = now() - interval '29 days' where title = 'The Boat'`)
  const reported = await find('The Mole')
  await db.insert(reports).values({ storyId: reported.id, flagType: 'other' })
  await Promise.all([tidyUp(services), tidyUp(services)])
  const left = await db.select({ title: stories.title }).from(stories).orderBy(stories.title)
  expect(left.map(({ title }) => title)).toEqual(['The Boat', 'The Mole', 'The Quay'])
  const [emptied, ...more] = (await listChanges(db)).filter(({ action }) => action === 'empty_bin')
  expect(more).toEqual([])
  expect(emptied).toMatchObject({ actor: 'nocturne', subjectId: batch, after: { deleted: 1 }, items: 1 })
})

test('an item of a challenge stays in the bin after 30 days', async () => {
  const batch = await importItems([lamp, boat].map((each) => ({ ...each, type: 'flow' })))
  const items = [(await find('The Lamp')).id, (await find('The Boat')).id]
  const challenge = { name: 'Nights', description: '', items, isPublished: true }
  const { id } = await ada.json('/api/challenges', { json: challenge })
  await undoImport(db, batch, 'Ada')
  await db.execute(sql`update stories set removed_at = now() - interval '31 days'`)
  await tidyUp(services)
  expect(await db.$count(stories)).toBe(2)
  expect(
    (await ada.json('/api/admin/challenges')).find((each: { id: string }) => each.id === id),
  ).toMatchObject({
    totalDays: 2,
  })
})

test('any statement that removes an item sets removedAt, and restoring clears it', async () => {
  const { id } = await publish(db, { ...lamp, categories: ['gay'] })
  await db.execute(sql`update stories set status = 'removed' where id = ${id}`)
  const { removedAt } = await find('The Lamp')
  expect(removedAt).toBeInstanceOf(Date)
  await db.execute(sql`update stories set status = 'removed', title = 'The Lamp' where id = ${id}`)
  expect((await find('The Lamp')).removedAt).toEqual(removedAt)
  await db.execute(sql`update stories set status = 'draft' where id = ${id}`)
  expect((await find('The Lamp')).removedAt).toBeNull()
})

test('rows imported again are new items, and the removed one returns once its title is free', async () => {
  const batch = await importItems([lamp])
  const first = await find('The Lamp')
  await undoImport(db, batch, 'Ada')
  await importItems([lamp])
  const rows = await db.select().from(stories).orderBy(stories.createdAt)
  expect(rows.map(({ slug, status, content }) => [slug, status, content])).toEqual([
    ['the-lamp', 'removed', lamp.content],
    ['the-lamp-2', 'published', lamp.content],
  ])
  expect(await codeOf(restoreItem(db, first.id, 'Ada'))).toBe('already_exists')
  await editItem(db, rows[1]?.id ?? '', { title: 'The New Lamp' }, 'Ada')
  await restoreItem(db, first.id, 'Ada')
  expect(await find('The Lamp')).toMatchObject({ status: 'published', slug: 'the-lamp' })
})

test('undo restores the previous narration, but keeps a recording made since', async () => {
  const before = await song(800)
  const { id: storyId } = await publish(db, { ...lamp, categories: ['gay'] })
  await attachAudio(db, { storyId, voice: 'female', file: before, provider: 'upload' })
  const heard = async () =>
    (await db.select().from(narrations).where(eq(narrations.isCurrent, true))).map(
      ({ audioHash }) => audioHash,
    )
  const first = await importItems([lamp], { audio: [{ ...(await song(900)), fileName: 'the lamp.mp3' }] })
  await undoImport(db, first, 'Ada')
  expect(await heard()).toEqual([before.hash])
  const second = await importItems([lamp], { audio: [{ ...(await song(1_000)), fileName: 'the lamp.mp3' }] })
  const since = await song(1_100)
  await attachAudio(db, { storyId, voice: 'female', file: since, provider: 'upload' })
  expect(await verdictsOf(second)).toEqual([['The Lamp', 'keep', 'audioFemale']])
  await undoImport(db, second, 'Ada')
  expect(await heard()).toEqual([since.hash])
})

test('a batch without recorded values is undone, except where something was edited since', async () => {
  await publish(db, { title: 'The Quay', content: 'Before.', categories: ['gay'] })
  await publish(db, { title: 'The Lock', content: 'Before.', categories: ['gay'] })
  const batch = await importItems([
    lamp,
    boat,
    { title: 'The Letter', content: 'Dear.' },
    { title: 'The Quay', content: 'After.' },
    { title: 'The Lock', content: 'After.' },
  ])
  await db.update(importChanges).set({ after: null })
  // The id of the audit row dates the end of the import: 20 October 2025.
  await db.delete(auditItems)
  await db.update(auditLog).set({ id: '019a0000-0000-7000-8000-000000000000' })
  await db.execute(sql`update stories set updated_at = '2025-10-20T05:00:00Z'`)
  await editItem(db, (await find('The Boat')).id, { description: 'By hand.' }, 'Ada')
  await editItem(db, (await find('The Lock')).id, { content: 'By hand.' }, 'Ada')
  await db.update(stories).set({ isFree: true }).where(eq(stories.title, 'The Letter'))
  expect(await verdictsOf(batch)).toEqual([
    ['The Lamp', 'remove'],
    ['The Boat', 'keep', 'description'],
    ['The Letter', 'keep', 'unknown'],
    ['The Quay', 'restore'],
    ['The Lock', 'keep', 'content'],
  ])
  await undoImport(db, batch, 'Ada')
  expect((await find('The Quay')).content).toBe('Before.')
  expect((await find('The Lock')).content).toBe('By hand.')
})

test('undo does not derive an excerpt again that was edited since', async () => {
  await publish(db, { ...lamp, categories: ['gay'] })
  const batch = await importItems([{ ...lamp, content: 'Another text.' }])
  await editItem(db, (await find('The Lamp')).id, { excerpt: 'By hand.' }, 'Ada')
  await undoImport(db, batch, 'Ada')
  expect(await find('The Lamp')).toMatchObject({ content: lamp.content, excerpt: 'By hand.', wordCount: 4 })
})

test('a dry run changes nothing, and an outdated plan is rejected with 409', async () => {
  await publish(db, { ...lamp, description: 'Old.', categories: ['gay'] })
  const batch = await importItems([{ ...lamp, description: 'New.' }, boat])
  const undo = `/api/imports/${batch}/undo`
  const shown = await ada.json(`${undo}?dryRun=true`, { method: 'POST' })
  expect(shown).toMatchObject({
    dryRun: true,
    message: 'Nothing was changed. 1 item would go into the bin, 1 item would go back to what it was.',
    ...{ removed: 1, restored: 1, kept: 0, gone: 0, editedSince: 0, total: 2, binDays: 30 },
  })
  expect(await db.$count(imports, eq(imports.state, 'undone'))).toBe(0)
  expect((await find('The Boat')).status).toBe('published')
  await editItem(db, (await find('The Boat')).id, { description: 'By hand.' }, 'Ada')
  const refused = await ada.call(`${undo}?plan=${shown.plan}`, { method: 'POST' })
  expect([refused.status, (await refused.json()).message]).toEqual([
    409,
    'The library has changed since this plan was made. Look at the plan again, then undo.',
  ])
  const again = await ada.json(`${undo}?dryRun=true`, { method: 'POST' })
  const done = await ada.json(`${undo}?plan=${again.plan}`, { method: 'POST' })
  expect(done).toMatchObject({ dryRun: false, plan: again.plan, removed: 0, restored: 1, kept: 1 })
  expect(done.items).toEqual(again.items)
  for (const query of ['', '?dryRun=true'])
    expect((await ada.call(`${undo}${query}`, { method: 'POST' })).status).toBe(409)
  expect((await ada.call(`${undo}?edited=maybe`, { method: 'POST' })).status).toBe(422)
})

test('undo and its plan reject visitors and members with 401', async () => {
  const batch = await importItems([lamp])
  for (const each of [browser(app), await memberBrowser(app, 'jonas@example.com')])
    for (const path of [`/api/imports/${batch}/undo?dryRun=true`, `/api/imports/${batch}/undo`])
      expect((await each.call(path, { method: 'POST', json: {} })).status).toBe(401)
  expect((await find('The Lamp')).status).toBe('published')
})

test('the audit log lists every item of an import and of its undo, with the edited fields', async () => {
  await publish(db, { ...lamp, description: 'Old.', categories: ['gay'] })
  const batch = await importItems([{ ...lamp, description: 'New.' }, boat])
  await editItem(db, (await find('The Boat')).id, { tags: ['sea'] }, 'Ada')
  await undoImport(db, batch, 'Ada')
  const changes = (await ada.json('/api/audit')).filter(
    ({ subjectType }: { subjectType: string }) => subjectType === 'import',
  )
  expect(changes).toMatchObject([
    {
      action: 'undo',
      items: 2,
      after: { removed: 0, restored: 1, kept: 1, gone: 0, editedSince: 1, edited: 'keep' },
    },
    { action: 'import', items: 2, after: { kind: 'items', imported: 1, updated: 1 } },
  ])
  const [undone, imported] = changes
  const first = await ada.call(`/api/audit/${undone.id}/items?limit=1`)
  expect(first.headers.get('x-total-count')).toBe('2')
  expect(await first.json()).toMatchObject([{ title: 'The Lamp', verdict: 'restore', fields: [] }])
  const next = new URL(first.headers.get('link')?.match(/<(.+)>/)?.[1] ?? '')
  expect(await ada.json(next.pathname + next.search)).toMatchObject([
    { title: 'The Boat', verdict: 'keep', fields: ['tags'] },
  ])
  expect(await ada.json(`/api/audit/${imported.id}/items`)).toMatchObject([
    { title: 'The Boat', verdict: 'created', fields: [] },
    { title: 'The Lamp', verdict: 'updated', fields: ['description'] },
  ])
  const page = await (await ada.call(`/audit/${undone.id}`)).text()
  expect(page).toContain('The Boat')
  const visitor = browser(app)
  expect((await visitor.call(`/api/audit/${undone.id}/items`)).status).toBe(401)
  expect(await (await visitor.call(`/audit/${undone.id}`)).text()).not.toContain('The Boat')
  expect((await ada.call(`/api/audit/${crypto.randomUUID()}/items`)).status).toBe(404)
  expect((await ada.call('/audit/nothing')).status).toBe(404)
  expect(await db.$count(auditItems)).toBe(4)
  expect(await db.$count(auditLog, eq(auditLog.action, 'undo'))).toBe(1)
})

test('undo of a batch without recorded values restores the previous narration', async () => {
  const before = await song(1_200)
  const { id: storyId } = await publish(db, { ...lamp, categories: ['gay'] })
  await attachAudio(db, { storyId, voice: 'female', file: before, provider: 'upload' })
  const batch = await importItems([lamp], { audio: [{ ...(await song(1_300)), fileName: 'the lamp.mp3' }] })
  await db.update(importChanges).set({ after: null })
  expect(await verdictsOf(batch)).toEqual([['The Lamp', 'restore']])
  await undoImport(db, batch, 'Ada')
  const heard = await db.select().from(narrations).where(eq(narrations.isCurrent, true))
  expect(heard.map(({ audioHash }) => audioHash)).toEqual([before.hash])
})

test('imports are paged newest first, and the console links to older ones', async () => {
  for (const at of [1, 2, 3, 4, 5, 6]) await importItems([{ ...lamp, title: `The Lamp ${at}` }])
  const first = await ada.call('/api/imports?limit=4')
  expect(first.headers.get('x-total-count')).toBe('6')
  const next = first.headers.get('link')?.match(/<https?:\/\/[^/]+(.*)>/)?.[1] ?? ''
  const [newer, older] = [await first.json(), await ada.json(next)]
  const all = await ada.json('/api/imports')
  expect([...newer, ...older]).toEqual(all)
  expect(older).toHaveLength(2)
  expect((await ada.call('/api/imports?cursor=nowhere')).status).toBe(422)

  const wizard = await (await ada.call('/premium-content?tab=excel')).text()
  expect(wizard).toMatch(/<a[^>]* href="\/jobs#imports">All 6 imports</)
  const queue = await (await ada.call(`/jobs?imports=${all[4].id}`)).text()
  expect([queue.includes(all[5].id), queue.includes(all[4].id)]).toEqual([true, false])
  for (const html of [wizard, queue]) expect(html).toMatch(/<h2[^>]*>Imports <span class="meta">6</)
})
