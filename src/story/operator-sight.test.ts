import { beforeEach, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { analyticsEvents, auditLog, reports, stories } from '#db/schema'
import { enqueueEnhancement } from '#src/script/enhance-job'
import { openText } from '#src/script/open-text'
import { memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { membersTitle } from './operator-sight'

/** An operator can open a member's private item only while it is reported or held, and the audit records that. */
const { app, services } = await testApp()
const { db } = services
const member = await memberBrowser(app, 'mara@example.com')
const operator = await operatorBrowser(app)
const title = 'Letters to Nobody'
const secret = 'the lighthouse keeper'
const made = await member.call('/api/user/content', {
  json: {
    title,
    content: `I wrote to ${secret} every night. `.repeat(20),
    categories: ['romantic'],
    voice: 'rachel',
  },
})
const { id } = (await made.json()) as { id: string }

beforeEach(async () => {
  await db.delete(reports)
  await db.delete(auditLog)
  await db.update(stories).set({ status: 'published', isShared: false }).where(eq(stories.id, id))
})

/** Every call that an operator can make with the id of an item. */
const byId: readonly [string, string, unknown?][] = [
  ['GET', `/studio/${id}`],
  ['GET', `/api/stories/${id}/script`],
  ['PUT', `/api/stories/${id}/script`, { script: 'I wrote.' }],
  ['POST', `/api/stories/${id}/enhance`, {}],
  ['POST', `/api/stories/${id}/narrate`, {}],
  ['POST', `/api/stories/${id}/narrate/estimate`, {}],
  ['GET', `/api/premium-content/${id}`],
  ['PUT', `/api/premium-content/${id}`, { title: 'Taken' }],
  ['DELETE', `/api/premium-content/${id}`, {}],
  ['POST', `/api/premium-content/${id}/restore`, {}],
  ['PUT', `/api/premium-audio/${id}/female/timings`, { file: 'WEBVTT' }],
  ['GET', `/story/letters-to-nobody`],
  ['GET', `/api/content/${id}`],
]

const call = (method: string, path: string, json?: unknown) =>
  operator.call(path, { method, ...(json !== undefined && { json }), headers: { accept: 'text/html' } })

const opened = () =>
  db
    .select({ actor: auditLog.actor, after: auditLog.after })
    .from(auditLog)
    .where(and(eq(auditLog.action, 'open_members_story'), eq(auditLog.subjectId, id)))

async function report(): Promise<string> {
  const [row] = await db
    .insert(reports)
    .values({ storyId: id, flagType: 'other', flagReason: 'Look at this.' })
    .returning({ id: reports.id })
  return row?.id ?? ''
}

test('operators get 404 for a member’s private item everywhere', async () => {
  const answers = []
  for (const [method, path, json] of byId) {
    const response = await call(method, path, json)
    const text = await response.text()
    const shows = text.includes(secret) || text.includes(title)
    if (response.status < 400 || shows)
      answers.push(`${method} ${path}: ${response.status}${shows ? ', shown' : ''}`)
  }
  expect(answers).toEqual([])
  expect(await opened()).toEqual([])
})

test('a report opens a private item, with one audit entry per operator and hour', async () => {
  const reportId = await report()
  for (const path of [`/studio/${id}`, `/api/stories/${id}/script`, `/studio/${id}`]) {
    const response = await call('GET', path)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(secret)
  }
  expect(await opened()).toEqual([{ actor: 'Ada', after: { because: 'report', report: reportId } }])
  await openText(db, id, 'Ben')
  expect(await opened()).toHaveLength(2)
  await db.update(auditLog).set({ at: new Date(Date.now() - 3_600_001) })
  await openText(db, id, 'Ada')
  expect(await opened()).toHaveLength(3)
})

test('a hold opens a private item, and a decided report does not', async () => {
  await db.update(stories).set({ status: 'held' }).where(eq(stories.id, id))
  expect((await call('GET', `/api/stories/${id}/script`)).status).toBe(200)
  expect(await opened()).toMatchObject([{ after: { because: 'held' } }])
  await db.update(stories).set({ status: 'published' }).where(eq(stories.id, id))
  await report()
  await db.update(reports).set({ resolvedAt: new Date(), moderatorAction: 'approve', moderator: 'Ada' })
  expect((await call('GET', `/api/stories/${id}/script`)).status).toBe(404)
})

test('a shared item opens without an audit entry', async () => {
  await db.update(stories).set({ isShared: true }).where(eq(stories.id, id))
  expect((await call('GET', `/studio/${id}`)).status).toBe(200)
  expect(await opened()).toEqual([])
})

test('a private item’s title appears in none of the operators’ lists', async () => {
  await db.update(stories).set({ status: 'held' }).where(eq(stories.id, id))
  await enqueueEnhancement(db, id)
  await db.update(stories).set({ status: 'published' }).where(eq(stories.id, id))
  await db.insert(analyticsEvents).values({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    anonId: crypto.randomUUID(),
    eventType: 'audio_play',
    contentType: 'story',
    contentId: id,
  })
  await report()
  const listed = (await operator.json('/api/content-flags')) as {
    id: string
    item: object
  }[]
  expect(listed).toMatchObject([{ item: { title } }])
  const decided = await call('PATCH', `/api/content-flags/${listed[0]?.id}`, { moderatorAction: 'approve' })
  expect(decided.status).toBe(200)
  const shown = []
  const lists = [
    '/api/jobs',
    '/jobs',
    '/api/audit',
    '/audit',
    '/api/content-flags?state=all',
    '/moderation?state=all',
    '/api/held-content',
    '/api/feedback',
    `/api/stories/${id}/feedback`,
    '/api/analytics/realtime',
    '/api/analytics/content',
    '/api/analytics/content-trends',
    `/api/analytics/retention/${id}`,
    '/analytics',
    '/api/premium-content?q=Letters',
    '/premium-content?q=Letters',
    '/api/stories',
    '/api/content?q=Letters',
    '/admin',
    '/api/analytics/searches',
    '/members',
  ]
  for (const path of lists) {
    const response = await call('GET', path)
    const text = await response.text()
    if (text.includes(title) || text.includes(secret)) shown.push(`${path} (${response.status})`)
  }
  expect(shown).toEqual([])
  expect(await (await call('GET', '/api/jobs')).text()).toContain(membersTitle)
  expect(await (await call('GET', '/api/analytics/realtime')).text()).toContain(membersTitle)
  expect(await operator.json(`/api/analytics/retention/${id}`)).toMatchObject({ contentTitle: membersTitle })
})
