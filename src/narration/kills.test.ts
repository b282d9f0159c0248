import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { openDatabase } from '#db/db'
import { jobs, narrations, narrationTimings } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { retryJob } from '#src/job/cancel-retry'
import { publish } from '#src/story/publish'
import { until } from '#src/testing/until'
import { enqueueNarration } from './enqueue'

/** Kills the worker six times while it synthesizes. No job is lost, and none is done twice. */
const url = await testDatabaseUrl()
const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-kills-'))
const db = openDatabase(url, { max: 2 })
let worker = startWorker()
afterAll(async () => {
  worker.kill('SIGKILL')
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function startWorker() {
  return Bun.spawn([process.execPath, join(import.meta.dir, 'testing-worker.ts')], {
    stdout: 'ignore',
    stderr: 'inherit',
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: url, DATA_DIR: dataDir },
  })
}

const inState = async (state: 'queued' | 'running' | 'done' | 'failed') =>
  db.select({ id: jobs.id }).from(jobs).where(eq(jobs.state, state))

test('no narration is lost or made twice when the worker is killed six times', async () => {
  const stories = []
  for (let at = 0; at < 6; at += 1) {
    const content = 'The last boat left at ten. “You’re not cold,” she said, and he laughed. '.repeat(
      1 + (at % 2),
    )
    const { id } = await publish(db, { title: `The Ferry ${at}`, content, categories: ['romantic'] })
    await enqueueNarration(db, id, 'female')
    stories.push(id)
  }
  let kills = 0
  while (kills < 6) {
    // A job that ended its process three times waits for an operator.
    for (const { id } of await inState('failed')) await retryJob(db, id, 'Ada')
    const isOver = async () => (await inState('done')).length === stories.length
    await until(async () => (await inState('running')).length > 0 || (await isOver()))
    if (await isOver()) {
      // All jobs finished between the kills, so one is queued again for the next kill.
      const again = stories[kills % stories.length] ?? ''
      await db.delete(narrations).where(eq(narrations.storyId, again))
      await db.delete(jobs).where(and(eq(jobs.storyId, again), eq(jobs.state, 'done')))
      await enqueueNarration(db, again, 'female')
      continue
    }
    await Bun.sleep(Math.random() * 900)
    worker.kill('SIGKILL')
    await worker.exited
    kills += 1
    worker = startWorker()
  }
  // Waits for one job at a time: synthesis has low priority and lets the rest of the test suite go first.
  for (const count of stories.keys())
    await until(async () => {
      for (const { id } of await inState('failed')) await retryJob(db, id, 'Ada')
      return (await inState('done')).length > count
    })
  for (const storyId of stories) {
    const made = await db.select().from(narrations).where(eq(narrations.storyId, storyId))
    expect(made).toMatchObject([{ isCurrent: true, provider: 'built-in' }])
    const timed = await db
      .select()
      .from(narrationTimings)
      .where(eq(narrationTimings.narrationId, made[0]?.id ?? ''))
    expect(timed).toHaveLength(1)
  }
}, 900_000)

test('a job retried after attaching its narration finds it and makes no second one', async () => {
  const [job] = await inState('done')
  const [before] = await db
    .select()
    .from(narrations)
    .where(eq(narrations.jobId, job?.id ?? ''))
  await db
    .update(jobs)
    .set({ state: 'queued', result: null })
    .where(eq(jobs.id, job?.id ?? ''))
  await until(async () => {
    const [row] = await db
      .select()
      .from(jobs)
      .where(eq(jobs.id, job?.id ?? ''))
    return row?.state === 'done'
  })
  const after = await db
    .select()
    .from(narrations)
    .where(eq(narrations.storyId, before?.storyId ?? ''))
  expect(after).toEqual(before ? [before] : [])
})
