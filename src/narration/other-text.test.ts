import { afterAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { jobs, narrations, narrationTimings, stories } from '#db/schema'
import { runWorker } from '#src/job/worker'
import { addGuideline } from '#src/review/change-guideline'
import { sha256 } from '#src/security/keyed-hash'
import { memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'

const { app, services } = await testApp({ MEMBER_NARRATIONS_A_DAY: '9' })
const { db, log, storage } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const ada = await operatorBrowser(app)
await addGuideline(db, { keywords: ['moonshine'], severity: 'high' }, 'Ada')

/** Happens once, after a text was spoken and before its narration is attached. */
let meanwhile: (() => Promise<unknown>) | null = null
const worker = runWorker({
  db,
  log,
  concurrency: 1,
  handlers: {
    [narrateKind]: narrateHandler({
      ...services,
      storage: {
        ...storage,
        receive: async (source) => {
          const act = meanwhile
          meanwhile = null
          await act?.()
          return storage.receive(source)
        },
      },
    }),
  },
})
afterAll(() => worker.stop())

const make = async (): Promise<string> => {
  const draft = { title: 'The Pier', content: 'Nobody was on the pier.', categories: ['romantic'] }
  return (await ana.json('/api/user/content', { json: draft })).id
}
const edit = (id: string, content: string) =>
  ana.call(`/api/user/content/${id}`, { method: 'PUT', json: { content } })
const share = (id: string) => ana.call(`/api/user/content/${id}/share`, { method: 'POST', json: {} })
const approve = (id: string) =>
  ada.call(`/api/held-content/${id}`, { method: 'PATCH', json: { decision: 'approve' } })
const narrate = async (id: string) => {
  await ana.call(`/api/user/content/${id}/narrate`, { method: 'POST', json: {} })
  return until(async () => {
    const [job] = await db.select().from(jobs).where(eq(jobs.storyId, id))
    return job && job.state !== 'queued' && job.state !== 'running' && job
  })
}
const hears = async (who: typeof ana, id: string) =>
  (await who.call(`/api/premium-audio/${id}/female`, { method: 'HEAD' })).status
const spokenText = async (id: string) => {
  const [current] = await db
    .select({ textHash: narrationTimings.textHash })
    .from(narrations)
    .innerJoin(narrationTimings, eq(narrationTimings.narrationId, narrations.id))
    .where(and(eq(narrations.storyId, id), eq(narrations.isCurrent, true)))
  return current?.textHash
}

test('of a text that was changed since it was spoken, others hear nothing when it is approved', async () => {
  const id = await make()
  await narrate(id)
  await edit(id, 'Two were on the pier.')
  await share(id)
  expect(await hears(ana, id)).toBe(200)
  expect((await approve(id)).status).toBe(200)
  expect(await hears(ben, id)).toBe(404)
  expect((await db.select().from(stories).where(eq(stories.id, id)))[0]?.audioDurationSeconds).toBeNull()
})

test('of a text that is as it was spoken they hear it', async () => {
  const id = await make()
  await narrate(id)
  await share(id)
  await approve(id)
  expect(await hears(ben, id)).toBe(200)
})

test('a text that is changed while it is spoken is spoken as it is now', async () => {
  const id = await make()
  meanwhile = () => edit(id, 'Two were on the pier.')
  expect(await narrate(id)).toMatchObject({ state: 'done', attempts: 1 })
  expect(await spokenText(id)).toBe(sha256('Two were on the pier.'))
})

test('one that is held meanwhile is not spoken', async () => {
  const id = await make()
  meanwhile = () => edit(id, 'They drank moonshine on the pier.')
  expect(await narrate(id)).toMatchObject({ state: 'failed' })
  expect(await spokenText(id)).toBeUndefined()
})
