import { afterEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { auditLog, jobs, stories } from '#db/schema'
import { browser, markupOf, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { cancelJob, retryJob } from './cancel-retry'
import { enqueue } from './enqueue'
import { stopWatching } from './events'
import { renewLease, returnJob, takeJob } from './lease'
import { listJobs } from './queries'
import { jobKinds, pausedWords } from './rules'
import type { Job } from './schema'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const mara = await memberBrowser(app, 'mara@example.com')
afterEach(async () => {
  stopWatching(db)
  await db.delete(jobs)
})

let numbers = 0
function add(more: Partial<Parameters<typeof enqueue>[1]> = {}) {
  numbers += 1
  return enqueue(db, { kind: 'narrate', dedupeKey: `key ${numbers}`, payload: { voice: 'female' }, ...more })
}

test('visitors and members get 401 from the queue’s endpoints', async () => {
  const id = await add()
  for (const each of [browser(app), mara]) {
    for (const [method, path] of [
      ['GET', '/api/jobs'],
      ['GET', '/api/jobs/events'],
      ['GET', `/api/jobs/${id}`],
      ['POST', `/api/jobs/${id}/retry`],
      ['POST', `/api/jobs/${id}/cancel`],
    ] as const)
      expect((await each.call(path, { method })).status).toBe(401)
  }
})

test('a job can be read by its id, with the request that queued it', async () => {
  const id = await add({ priority: 50 })
  await db
    .update(jobs)
    .set({ requestId: 'from-a-script' })
    .where(eq(jobs.id, id ?? ''))
  const [listed] = await operator.json('/api/jobs')
  expect(listed).toMatchObject({ id, priority: 50, requestId: 'from-a-script' })
  expect(await operator.json(`/api/jobs/${id}`)).toEqual(listed)
  for (const missing of [crypto.randomUUID(), 'x'])
    expect((await operator.call(`/api/jobs/${missing}`)).status).toBe(404)
})

test('the queue can be paused and resumed by API and page, and the page says so', async () => {
  await add()
  await add({ kind: 'mail' })
  const pausedKinds = async () =>
    (await operator.json('/api/jobs')).filter((job: Job) => job.isPaused).map(({ kind }: Job) => kind)
  const flags = (json: unknown) => operator.call('/api/feature-flags', { method: 'PATCH', json })
  const press = (value: string) =>
    operator.call('/admin/flags', { form: { name: 'jobQueue', from: 'jobs', value } })
  for (const pause of [() => flags({ jobQueue: false }), () => press('false')]) {
    await pause()
    expect(await takeJob(db, ['narrate'])).toBeNull()
    expect(await pausedKinds()).toEqual(['narrate'])
    const shown = await markupOf(await operator.call('/jobs'))
    expect(shown).toContain(pausedWords)
    expect(shown).toContain('Resume the queue')
    const pressed = await press('default')
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/jobs'])
    expect(await markupOf(await operator.call('/jobs'))).not.toContain(pausedWords)
    expect(await pausedKinds()).toEqual([])
  }
  expect(await takeJob(db, ['narrate'])).not.toBeNull()
  const kept = await db.select().from(auditLog).where(eq(auditLog.subjectId, 'jobQueue'))
  expect(kept.map(({ action }) => action).sort()).toEqual(['reset', 'reset', 'set', 'set'])
})

test('the page filters by kind, and a bulk change affects only that kind', async () => {
  await add()
  await add({ kind: 'mail' })
  const shown = await markupOf(await operator.call('/jobs?kind=mail'))
  expect(shown).toContain('<option value="mail" selected="">')
  expect(shown).not.toContain('<strong>Narration</strong>')
  const json = { kind: 'jobs', change: 'cancel', filter: { kind: 'mail' } }
  expect(await operator.json('/api/changes', { json })).toMatchObject({ changed: 1 })
  expect(await listJobs(db, { state: 'queued' })).toMatchObject([{ kind: 'narrate' }])
  for (const kind of ['', 'password-reset'])
    expect((await operator.call(`/jobs?kind=${kind}`)).status).toBe(200)
})

describe('job list', () => {
  test('has the item, voice, narrator and total count', async () => {
    const { id: storyId } = await publishTestItem(services)
    const id = await add({ storyId, payload: { voice: 'male', narrator: 'josh' }, priority: 50 })
    const response = await operator.call('/api/jobs')
    expect(response.headers.get('x-total-count')).toBe('1')
    expect(await response.json()).toMatchObject([
      {
        id,
        storyId,
        title: 'The Lamp',
        state: 'queued',
        voice: 'male',
        narrator: 'josh',
        priority: 50,
        error: null,
      },
    ])
  })

  test('is filtered and paged, and rejects invalid filters', async () => {
    const ids = [await add(), await add(), await add({ kind: 'enhance' })].reverse()
    const first = await operator.call('/api/jobs?limit=2')
    expect((await first.json()).map((job: { id: string }) => job.id)).toEqual(ids.slice(0, 2))
    const next = /<[^>]*(\/api\/jobs[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await operator.call(next)
    expect((await second.json()).map((job: { id: string }) => job.id)).toEqual(ids.slice(2))
    expect(second.headers.get('link')).toBeNull()
    expect(await operator.json('/api/jobs?kind=enhance')).toHaveLength(1)
    expect(await operator.json('/api/jobs?state=failed')).toEqual([])
    expect(await operator.json('/api/jobs?storyId=x')).toEqual([])
    for (const query of ['state=lost', 'limit=0', 'limit=101', 'cursor=x'])
      expect((await operator.call(`/api/jobs?${query}`)).status).toBe(422)
    const refused = await operator.call('/api/jobs?kind=nonsense')
    expect([refused.status, (await refused.json()).message]).toEqual([
      422,
      `Kind must be one of: ${jobKinds.join(', ')}.`,
    ])
  })
})

describe('cancelling and retrying a job', () => {
  test('changes its state, returns 409 when repeated, and is audited', async () => {
    const id = await add()
    expect(await operator.json(`/api/jobs/${id}/cancel`, { method: 'POST' })).toEqual({
      success: true,
      state: 'cancelled',
    })
    expect((await operator.call(`/api/jobs/${id}/cancel`, { method: 'POST' })).status).toBe(409)
    expect(await operator.json(`/api/jobs/${id}/retry`, { method: 'POST' })).toEqual({
      success: true,
      state: 'queued',
    })
    expect((await operator.call(`/api/jobs/${id}/retry`, { method: 'POST' })).status).toBe(409)
    for (const gone of [crypto.randomUUID(), 'x'])
      expect((await operator.call(`/api/jobs/${gone}/retry`, { method: 'POST' })).status).toBe(404)
    const entries = await db.select().from(auditLog).where(eq(auditLog.subjectId, id))
    expect(entries.map(({ actor, action }) => `${actor} ${action}`).toSorted()).toEqual([
      'Ada cancel',
      'Ada retry',
    ])
  })

  test('finds only jobs of the member’s own items when asked for a member', async () => {
    const owner = mara.id
    const { id: storyId } = await publishTestItem(services)
    await db.update(stories).set({ userId: owner }).where(eq(stories.id, storyId))
    const [own, other] = [await add({ storyId }), await add()]
    expect((await listJobs(db, { ownerId: owner })).map(({ id }) => id)).toEqual([own])
    expect(await rejectionOf(cancelJob(db, other, 'mara', { ownerId: owner }))).toMatchObject({
      code: 'not_found',
    })
    await cancelJob(db, own, 'mara', { ownerId: owner })
    expect(await rejectionOf(retryJob(db, own, 'lena', { ownerId: crypto.randomUUID() }))).toMatchObject({
      code: 'not_found',
    })
    await retryJob(db, own, 'mara', { ownerId: owner })
  })
})

describe('event stream', () => {
  async function* events(response: Response): AsyncGenerator<{ event: string; data: unknown }> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
        if (event) yield { event, data: JSON.parse(data ?? 'null') }
      }
    }
  }

  test('sends the current jobs, then changes, until the server stops', async () => {
    const id = await add()
    const response = await operator.call('/api/jobs/events')
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const seen = events(response)
    expect((await seen.next()).value).toMatchObject({ event: 'jobs', data: [{ id, state: 'queued' }] })
    await cancelJob(db, id, 'Ada')
    for await (const { event, data } of seen) {
      expect(event).toBe('job')
      if ((data as { state: string }).state === 'cancelled') break
    }
    const second = events(await operator.call('/api/jobs/events'))
    await second.next()
    stopWatching(db)
    expect((await second.next()).done).toBe(true)
  })

  test('ends with the operator’s session', async () => {
    const other = await operatorBrowser(app)
    const seen = events(await other.call('/api/jobs/events'))
    await seen.next()
    expect((await operator.call('/api/admin/sessions', { method: 'DELETE' })).status).toBe(200)
    expect((await seen.next()).done).toBe(true)
  })

  test('does not repeat the initial jobs as changes', async () => {
    await Promise.all([add(), add(), add()])
    const seen = events(await operator.call('/api/jobs/events'))
    expect((await seen.next()).value).toMatchObject({ event: 'jobs', data: { length: 3 } })
    for (let time = 0; time < 2; time += 1) {
      const id = await add()
      expect((await seen.next()).value).toMatchObject({ event: 'job', data: { id } })
    }
  })

  test('includes running and requeued jobs, however many newer ones wait', async () => {
    const failed = await add()
    await db
      .update(jobs)
      .set({ state: 'failed', finishedAt: sql`now() - interval '2 minutes'` })
      .where(eq(jobs.id, failed))
    const id = await add()
    const job = await takeJob(db, ['narrate'])
    if (job?.id !== id) throw new Error('Another job was taken.')
    await addWaiting(300)
    const seen = events(await operator.call('/api/jobs/events'))
    const { value } = await seen.next()
    expect(value?.data).toContainEqual(expect.objectContaining({ id, state: 'running' }))
    await renewLease(db, job, 0.5)
    expect((await seen.next()).value).toMatchObject({ event: 'job', data: { id, progress: 0.5 } })
    await returnJob(db, job, 60)
    expect((await seen.next()).value).toMatchObject({ event: 'job', data: { id, state: 'queued' } })
    await retryJob(db, failed, 'Ada')
    expect((await seen.next()).value).toMatchObject({ event: 'job', data: { id: failed, state: 'queued' } })
  })

  const addWaiting = (count: number) =>
    db.insert(jobs).values(
      Array.from({ length: count }, (_, number) => ({
        kind: 'narrate',
        dedupeKey: `waiting ${number}`,
        payload: {},
      })),
    )
})
