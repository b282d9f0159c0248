import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { jobs, stories } from '#db/schema'
import { testDatabase } from '#db/testing'
import { AppError } from '#src/app-error'
import { readEnv } from '#src/env'
import { changeFlags } from '#src/feature-flag/change'
import { createLog } from '#src/process/log'
import { publish } from '#src/story/publish'
import { isLockAwaited } from '#src/testing/lock-wait'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { cancelJob, retryJob } from './cancel-retry'
import { enqueue } from './enqueue'
import { finishJob, returnJob, takeJob } from './lease'
import { lockItemOf } from './mark-generating'
import { listJobs, pruneJobs } from './queries'
import { backoffSeconds } from './rules'
import { type JobHandler, RetryLater } from './run-job'
import { runWorker, type Worker, type WorkerOptions } from './worker'

const db = await testDatabase()
const log = createLog('error', () => {})
const workers: Worker[] = []
let numbers = 0

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  await db.delete(jobs)
})

function start(
  handler: JobHandler,
  { kind = 'test', concurrency = 1, priorities }: Partial<WorkerOptions> & { kind?: string } = {},
  ownLog = log,
): Worker {
  const worker = runWorker({ db, log: ownLog }, { concurrency, priorities, handlers: { [kind]: handler } })
  workers.push(worker)
  return worker
}

function add(payload: unknown = {}, more: Partial<Parameters<typeof enqueue>[1]> = {}) {
  numbers += 1
  return enqueue(db, { kind: 'test', dedupeKey: `key ${numbers}`, payload, ...more })
}

async function job(id: string) {
  const [row] = await db.select().from(jobs).where(eq(jobs.id, id))
  if (!row) throw new Error('The job is gone.')
  return row
}

const untilState = (id: string, state: string) => until(async () => (await job(id)).state === state)

test('a paused queue starts only mail jobs, and running jobs finish', async () => {
  const switchQueue = (jobQueue: false | null) => changeFlags({ db, env: readEnv({}) }, { jobQueue }, 'Ada')
  const running = Promise.withResolvers<void>()
  start(async ({ payload }) => (payload === 'first' ? running.promise : null))
  const first = await add('first')
  await untilState(first, 'running')
  await switchQueue(false)
  const second = await add('second')
  running.resolve()
  await untilState(first, 'done')
  // Neither the worker above, which is free now, nor another one takes the job.
  expect(await takeJob(db, ['test'])).toBeNull()
  for (const kind of ['mail', 'password-reset']) {
    const id = await add({}, { kind })
    expect(await takeJob(db, ['test', kind])).toMatchObject({ id })
  }
  expect((await job(second)).state).toBe('queued')
  await switchQueue(null)
  await untilState(second, 'done')
})

describe('job queue', () => {
  test('runs a job at once, without polling, and stores its result', async () => {
    // The worker does not poll here, so it has to be notified.
    const looksByItself = spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => {}))
    start(async ({ payload }) => ({ got: payload }))
    const id = await add({ words: 3 })
    await untilState(id, 'done')
    expect(looksByItself).toHaveBeenCalled()
    looksByItself.mockRestore()
    expect(await job(id)).toMatchObject({
      result: { got: { words: 3 } },
      progress: 1,
      attempts: 1,
      leaseId: null,
    })
  })

  test('deduplicates the same work, also when queued concurrently, until it is done', async () => {
    const same = { kind: 'test', dedupeKey: 'the same', payload: {} }
    const ids = await Promise.all(Array.from({ length: 10 }, () => enqueue(db, same)))
    expect(new Set(ids).size).toBe(1)
    start(async () => null)
    await untilState(ids[0] ?? '', 'done')
    expect(await enqueue(db, same)).not.toBe(ids[0] ?? '')
  })

  test('keeps the more urgent priority when work is queued twice', async () => {
    const same = { kind: 'test', dedupeKey: 'queued twice', payload: {} }
    const id = await enqueue(db, { ...same, priority: 500 })
    for (const [priority, expected] of [
      [undefined, 100],
      [50, 50],
      [500, 50],
    ] as const) {
      expect(await enqueue(db, { ...same, ...(priority && { priority }) })).toBe(id)
      expect((await job(id)).priority).toBe(expected)
    }
  })

  test('gives a worker only jobs within its priorities', async () => {
    const [wanted, background] = [await add({}, { priority: 499 }), await add({}, { priority: 500 })]
    const first = start(async () => 'wanted', { priorities: { below: 500 } })
    await untilState(wanted, 'done')
    await first.stop()
    expect((await job(background)).state).toBe('queued')
    start(async () => 'background', { priorities: { from: 500 } })
    await untilState(background, 'done')
    expect((await job(wanted)).result).toBe('wanted')
  })

  test('queues nothing in a transaction that is rolled back', async () => {
    await db
      .transaction(async (tx) => {
        await enqueue(tx, { kind: 'test', dedupeKey: 'rolled back', payload: {} })
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(await listJobs(db)).toEqual([])
  })

  test('runs lower priority numbers first, then older jobs', async () => {
    const order: unknown[] = []
    for (const [payload, priority] of [
      ['c', 500],
      ['b', 100],
      ['d', 500],
      ['a', 1],
    ] as const)
      await add(payload, { priority })
    start(async ({ payload }) => void order.push(payload))
    await until(async () => order.length === 4)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  test('never runs a job on two workers, nor more at once than their concurrency', async () => {
    const done: unknown[] = []
    let atOnce = 0
    let most = 0
    // The first jobs wait for each other, so that the number of concurrent jobs does not depend on speed.
    const full = Promise.withResolvers<void>()
    const handler: JobHandler = async ({ payload }) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      if (atOnce === 4) full.resolve()
      await full.promise
      await Bun.sleep(5)
      done.push(payload)
      atOnce -= 1
    }
    for (let at = 0; at < 40; at += 1) await add(at)
    start(handler, { concurrency: 2 })
    start(handler, { concurrency: 2 })
    await until(async () => done.length === 40)
    expect(new Set(done).size).toBe(40)
    expect(most).toBe(4)
  })

  test('leaves alone the kinds that a worker does not know', async () => {
    const id = await add({}, { kind: 'another' })
    start(async () => null)
    await untilState(await add(), 'done')
    expect((await job(id)).state).toBe('queued')
  })
})

describe('failing job', () => {
  test('is retried later, and fails after its last attempt', async () => {
    const begun = Date.now()
    const failing = Promise.withResolvers<void>()
    const first = start(() => failing.promise)
    const id = await add({}, { attemptsMax: 2 })
    await untilState(id, 'running')
    // A worker that is stopping takes no other job, so none retries this one while it is examined.
    const stopped = first.stop()
    failing.reject(new Error('a secret path'))
    await stopped
    const waiting = await job(id)
    expect(waiting).toMatchObject({
      state: 'queued',
      attempts: 1,
      error: 'Something went wrong on our side. The log has the details.',
    })
    expect(waiting.runAfter.getTime()).toBeGreaterThan(begun + 2_000)
    await db.update(jobs).set({ runAfter: sql`now()` }).where(eq(jobs.id, id))
    start(async () => {
      throw new Error('no')
    })
    await untilState(id, 'failed')
    expect((await job(id)).attempts).toBe(2)
  })

  test('is logged as retried, failed or cancelled', async () => {
    const lines: { message: string; jobId: string; isRetried?: boolean }[] = []
    const listening = createLog('info', (line) => lines.push(JSON.parse(line)))
    start(
      async ({ id, payload }) => {
        if (payload === 'cancelled') await db.update(jobs).set({ state: 'cancelled' }).where(eq(jobs.id, id))
        else throw new Error('no')
      },
      {},
      listening,
    )
    const logged = (jobId: string) => until(() => lines.find((line) => line.jobId === jobId))
    expect(await logged(await add())).toMatchObject({ message: 'job failed', isRetried: true })
    const last = await add({}, { attemptsMax: 1 })
    expect(await logged(last)).toMatchObject({ message: 'job failed', isRetried: false })
    expect(await logged(await add('cancelled'))).toMatchObject({ message: 'job cancelled' })
  })

  test('is not retried when a guideline blocks it, and stores why', async () => {
    start(async () => {
      throw new AppError('guideline_blocked', 'This text is not narrated.')
    })
    const id = await add()
    await untilState(id, 'failed')
    expect(await job(id)).toMatchObject({ attempts: 1, error: 'This text is not narrated.' })
  })

  test('waits as long as the provider’s retryAfterSeconds', async () => {
    start(async () => {
      throw new AppError('throttled', 'Later.', { retryAfterSeconds: 300 })
    })
    const begun = Date.now()
    const id = await add()
    await until(async () => (await job(id)).error !== null)
    const runAfter = (await job(id)).runAfter.getTime()
    expect(runAfter).toBeWithin(begun + 299_000, Date.now() + 301_000)
  })

  test('loses no attempt when it asks to run later', async () => {
    const runs: number[] = []
    start(async ({ attempts }) => {
      runs.push(attempts)
      throw new RetryLater(600)
    })
    const id = await add({}, { attemptsMax: 1 })
    await until(async () => runs.length === 1 && (await job(id)).state === 'queued')
    const waiting = await job(id)
    expect(waiting).toMatchObject({ attempts: 0, error: null, leaseId: null })
    expect(waiting.runAfter.getTime()).toBeGreaterThan(Date.now() + 500_000)
  })

  test('backs off from seconds to minutes', () => {
    expect([1, 2, 3, 4, 9].map((attempts) => backoffSeconds(attempts, 0.5))).toEqual([5, 20, 80, 320, 600])
  })

  test('is taken again when the lease of its killed worker expires', async () => {
    const id = await add('again')
    const taken = await takeJob(db, ['test'])
    expect(taken?.id).toBe(id)
    const seen: unknown[] = []
    start(async ({ payload }) => void seen.push(payload))
    await untilState(await add('another'), 'done')
    expect(seen.splice(0)).toEqual(['another'])
    await db.update(jobs).set({ leasedUntil: sql`now() - interval '1 second'` }).where(eq(jobs.id, id))
    await untilState(id, 'done')
    expect(seen).toEqual(['again'])
    // The worker that was thought dead returns, and can no longer change the job.
    if (taken) expect(await returnJob(db, taken)).toBe(false)
    expect((await job(id)).state).toBe('done')
  })

  test('fails when its worker is killed on every attempt', async () => {
    const id = await add({}, { attemptsMax: 2 })
    for (let time = 0; time < 2; time += 1) {
      await takeJob(db, ['test'])
      await db.update(jobs).set({ leasedUntil: sql`now() - interval '1 second'` }).where(eq(jobs.id, id))
    }
    expect(await takeJob(db, ['test'])).toBeNull()
    expect(await job(id)).toMatchObject({ state: 'failed', attempts: 2 })
  })
})

describe('cancelling, retrying and stopping', () => {
  test('cancelling aborts a running job at once', async () => {
    const told = Promise.withResolvers<string>()
    start(async (_job, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      told.resolve(String(signal.reason))
      signal.throwIfAborted()
    })
    const id = await add()
    await untilState(id, 'running')
    await cancelJob(db, id, 'Ada')
    expect(await told.promise).toContain('cancelled')
    expect(await job(id)).toMatchObject({ state: 'cancelled', leaseId: null })
    expect(await rejectionOf(cancelJob(db, id, 'Ada'))).toMatchObject({ code: 'conflict' })
  })

  test('a cancelled job can be retried, but not beside its duplicate', async () => {
    const first = await enqueue(db, { kind: 'test', dedupeKey: 'one', payload: {} })
    await cancelJob(db, first, 'Ada')
    const second = await enqueue(db, { kind: 'test', dedupeKey: 'one', payload: {} })
    expect(await rejectionOf(retryJob(db, first, 'Ada'))).toMatchObject({ code: 'conflict' })
    await cancelJob(db, second, 'Ada')
    await retryJob(db, first, 'Ada')
    expect(await rejectionOf(retryJob(db, first, 'Ada'))).toMatchObject({ code: 'conflict' })
    start(async () => null)
    await untilState(first, 'done')
    expect(await rejectionOf(retryJob(db, first, 'Ada'))).toMatchObject({ code: 'conflict' })
    expect(await rejectionOf(retryJob(db, 'x', 'Ada'))).toMatchObject({ code: 'not_found' })
  })

  test('stopping waits for a job that is nearly done', async () => {
    const nearlyDone = Promise.withResolvers<void>()
    const worker = start(async (_job, { signal }) => {
      await nearlyDone.promise
      signal.throwIfAborted()
    })
    const id = await add()
    await untilState(id, 'running')
    const stopped = worker.stop()
    nearlyDone.resolve()
    await stopped
    expect((await job(id)).state).toBe('done')
  })

  test('stopping requeues a longer job without counting the attempt', async () => {
    const worker = start(async (_job, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      signal.throwIfAborted()
    })
    const id = await add()
    await untilState(id, 'running')
    await worker.stop()
    expect(await job(id)).toMatchObject({ state: 'queued', attempts: 0, leaseId: null })
  })

  test('progress is visible while a job runs and never goes back', async () => {
    const end = Promise.withResolvers<void>()
    start(async (_job, { progress }) => {
      for (let share = 0; share < 1; share += 0.05) {
        progress(share)
        progress(0.1)
        await Bun.sleep(75)
      }
      await end.promise
    })
    const id = await add()
    await until(async () => (await job(id)).progress > 0.5)
    end.resolve()
    await untilState(id, 'done')
  })
})

describe('job state', () => {
  test('marks the item as generating while a job waits or runs', async () => {
    const { id: storyId } = await publish(db, {
      title: 'The Lamp',
      content: 'She lit it.',
      categories: ['romantic'],
    })
    const id = await add({}, { storyId })
    expect(await isGenerating(storyId)).toBe(true)
    await cancelJob(db, id, 'Ada')
    expect(await isGenerating(storyId)).toBe(false)
    await retryJob(db, id, 'Ada')
    expect(await isGenerating(storyId)).toBe(true)
    start(async () => null)
    await untilState(id, 'done')
    expect(await isGenerating(storyId)).toBe(false)
    expect(await listJobs(db, { storyId })).toMatchObject([{ id, title: 'The Lamp', state: 'done' }])
  })

  test('never shows a finished job while its item is still generating', async () => {
    const { id: storyId } = await publish(db, { title: 'The Pier', content: 'They sat.', categories: [] })
    const id = await add({}, { storyId })
    const taken = await takeJob(db, ['test'])
    if (!taken) throw new Error('The job was not taken.')
    const look = async () => expect((await job(id)).state).toBe('running')
    expect(await whileLocked(storyId, () => finishJob(db, taken, null), look)).toBe(true)
    expect((await job(id)).state).toBe('done')
    expect(await isGenerating(storyId)).toBe(false)
  })

  test('never shows a queued job whose item is not generating yet', async () => {
    const { id: storyId } = await publish(db, { title: 'The Quay', content: 'They met.', categories: [] })
    const look = async () => expect(await listJobs(db)).toEqual([])
    const id = await whileLocked(storyId, () => add({}, { storyId }), look)
    expect(await listJobs(db, { storyId })).toMatchObject([{ id, state: 'queued' }])
    expect(await isGenerating(storyId)).toBe(true)
  })

  test('never shows a failed job while its item is still generating', async () => {
    const { id: storyId } = await publish(db, { title: 'The Buoy', content: 'It rang.', categories: [] })
    const id = await add({}, { storyId, attemptsMax: 1 })
    await takeJob(db, ['test'])
    await db.update(jobs).set({ leasedUntil: sql`now() - interval '1 second'` }).where(eq(jobs.id, id))
    const look = async () => expect((await job(id)).state).toBe('running')
    expect(await whileLocked(storyId, () => takeJob(db, ['test']), look)).toBeNull()
    expect(await job(id)).toMatchObject({ state: 'failed', leaseId: null })
    expect(await isGenerating(storyId)).toBe(false)
  })

  /** Runs `look` from outside while `work` waits for the lock on its item. */
  async function whileLocked<T>(
    storyId: string,
    work: () => Promise<T>,
    look: () => Promise<void>,
  ): Promise<T> {
    const { working } = await db.transaction(async (tx) => {
      await lockItemOf(tx, storyId)
      const working = work()
      await until(() => isLockAwaited(db))
      await look()
      return { working }
    })
    return working
  }

  async function isGenerating(storyId: string) {
    const [story] = await db.select().from(stories).where(eq(stories.id, storyId))
    return story?.isGenerating
  }

  test('is listed by filter and in pages, newest first', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1) ids.unshift(await add())
    expect((await listJobs(db, { limit: 2 })).map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect((await listJobs(db, { limit: 2, before: ids[1] })).map(({ id }) => id)).toEqual(ids.slice(2, 4))
    expect(await listJobs(db, { state: 'failed' })).toEqual([])
    expect(await listJobs(db, { kind: 'push' })).toEqual([])
  })

  test('is deleted a month after the job has ended', async () => {
    const old = await add()
    await cancelJob(db, old, 'Ada')
    await db.update(jobs).set({ finishedAt: sql`now() - interval '31 days'` }).where(eq(jobs.id, old))
    const young = await add()
    await pruneJobs(db)
    expect((await listJobs(db)).map(({ id }) => id)).toEqual([young])
  })
})
