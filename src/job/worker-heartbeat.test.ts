import { afterAll, afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { openDatabase } from '#db/db'
import { jobs } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { until } from '#src/testing/until'
import { enqueue } from './enqueue'
import { takeJob } from './lease'
import { listJobs } from './queries'
import { endStaleLeases, workerIdOf } from './worker-heartbeat'

/** Workers in processes of their own. Each lease lasts an hour, so none expires here. */
const url = await testDatabaseUrl()
const db = openDatabase(url, { max: 2, applicationName: 'nocturne test' })
const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-holder-'))
const elsewhere = mkdtempSync(join(tmpdir(), 'nocturne-holder-'))
const workers = new Set<Bun.Subprocess>()

afterEach(async () => {
  for (const worker of workers) await kill(worker)
  // A statement that a killed worker has sent is still executed, and could take a job of the next test.
  await until(async () => (await countConnections()) === 0)
  await db.delete(jobs)
})
afterAll(async () => {
  await db.close()
  for (const folder of [dataDir, elsewhere]) rmSync(folder, { recursive: true, force: true })
})

/** Counts the database connections of workers. */
async function countConnections(): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'nocturne'`)
  return row?.count ?? 0
}

function startWorker(folder = dataDir): Bun.Subprocess {
  const worker = Bun.spawn([process.execPath, join(import.meta.dir, 'testing-worker.ts')], {
    stdout: 'ignore',
    stderr: 'inherit',
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: url, DATA_DIR: folder },
  })
  workers.add(worker)
  return worker
}

async function kill(worker: Bun.Subprocess): Promise<void> {
  worker.kill('SIGKILL')
  await worker.exited
  workers.delete(worker)
}

let numbers = 0
function add(kind: 'quick' | 'endless'): Promise<string> {
  numbers += 1
  return enqueue(db, { kind, dedupeKey: `key ${numbers}`, payload: {} })
}

async function job(id: string) {
  const [row] = await db.select().from(jobs).where(eq(jobs.id, id))
  if (!row) throw new Error('The job is gone.')
  return row
}

const untilState = (id: string, state: string) => until(async () => (await job(id)).state === state)

const lengthenLease = (id: string) =>
  db.update(jobs).set({ leasedUntil: sql`now() + interval '1 hour'` }).where(eq(jobs.id, id))

async function endlessJobOf(worker: () => Bun.Subprocess) {
  const id = await add('endless')
  const first = worker()
  await untilState(id, 'running')
  await lengthenLease(id)
  return { id, first, held: await job(id) }
}

test('a restart runs a killed worker’s job again, long before its lease expires', async () => {
  const { id, first, held } = await endlessJobOf(startWorker)
  await kill(first)
  expect(held.heldBy).not.toBeNull()
  expect(await job(id)).toMatchObject({ state: 'running', leaseId: held.leaseId, attempts: 1 })
  startWorker()
  await untilState(id, 'done')
  const again = await job(id)
  expect(again.attempts).toBe(2)
  expect(again.heldBy).not.toBe(held.heldBy)
  expect(readdirSync(join(dataDir, 'holders'))).toEqual([again.heldBy ?? ''])
})

test('a running worker detects that another was killed', async () => {
  const { id, first } = await endlessJobOf(startWorker)
  startWorker()
  await untilState(await add('quick'), 'done')
  await kill(first)
  await untilState(id, 'done')
  expect((await job(id)).attempts).toBe(2)
})

test('a job whose process is killed on its last attempt fails for good', async () => {
  const { id, first } = await endlessJobOf(startWorker)
  await db.update(jobs).set({ attemptsMax: 1 }).where(eq(jobs.id, id))
  await kill(first)
  startWorker()
  await untilState(id, 'failed')
  expect(await job(id)).toMatchObject({ attempts: 1, leaseId: null })
})

test('a live process keeps its job even when it hangs', async () => {
  const { id, first, held } = await endlessJobOf(startWorker)
  first.kill('SIGSTOP')
  await endStaleLeases(db, dataDir)
  expect(await takeJob(db, ['endless'])).toBeNull()
  expect(await job(id)).toEqual(held)
})

test('the job of a killed worker that does not share the folder keeps its lease', async () => {
  const { id, first, held } = await endlessJobOf(() => startWorker(elsewhere))
  await kill(first)
  startWorker()
  await untilState(await add('quick'), 'done')
  expect(await job(id)).toEqual(held)
})

test('a process has a single worker id and never ends its own leases', async () => {
  const heldBy = workerIdOf(dataDir)
  expect(heldBy).toBeString()
  expect(workerIdOf(dataDir)).toBe(heldBy)
  const id = await add('quick')
  await takeJob(db, ['quick'], heldBy)
  await lengthenLease(id)
  const held = await job(id)
  await endStaleLeases(db, dataDir)
  expect(await job(id)).toEqual(held)
})

test('workerIdOf is null when the folder cannot be written', () => {
  expect(workerIdOf('/dev/null/nowhere')).toBeNull()
})

test('only a running job whose lease has expired is listed as abandoned', async () => {
  const [left, running] = [await add('endless'), await add('endless')]
  for (const id of [left, running]) expect((await takeJob(db, ['endless']))?.id).toBe(id)
  await db.update(jobs).set({ leasedUntil: sql`now() - interval '1 second'` }).where(eq(jobs.id, left))
  const waiting = await add('quick')
  const abandoned = (await listJobs(db)).filter(({ isAbandoned }) => isAbandoned)
  expect(abandoned.map(({ id }) => id)).toEqual([left])
  expect(waiting).toBeString()
})
