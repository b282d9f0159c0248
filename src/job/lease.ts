import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Executor } from '#db/db'
import { jobs } from '#db/schema'
import { lockItemOf, markGenerating } from './mark-generating'
import { isPaused } from './paused'
import { backoffSeconds, leaseSeconds } from './rules'

/** A job that this process has taken, until its lease ends. */
export type LeasedJob = {
  id: string
  kind: string
  storyId: string | null
  payload: unknown
  /** Number of attempts, with the present one. */
  attempts: number
  attemptsMax: number
  /** Lower runs first. */
  priority: number
  leaseId: string
  /** The id of the request that queued the job; null if none did. */
  requestId: string | null
  traceparent: string | null
}
/** The priorities that a worker takes: at least `from`, less than `below`. */
export type Priorities = { from?: number; below?: number }

/**
 * Takes the next job of these kinds and priorities that is due, or whose lease has expired; null if there is none. No
 * two workers ever get the same job. While operators have paused the queue, only mails are taken. `heldBy` is the id of
 * the process that will run it.
 */
export async function takeJob(
  db: Executor,
  kinds: readonly string[],
  heldBy: string | null = null,
  { from, below }: Priorities = {},
): Promise<LeasedJob | null> {
  await failAbandoned(db)
  const next = sql`(
    select id from jobs
    where kind in ${kinds} and not ${isPaused()}
      and (priority >= ${from ?? null}::int) is not false and (priority < ${below ?? null}::int) is not false
      and ((state = 'queued' and run_after <= now()) or (state = 'running' and leased_until < now()))
    order by priority, created_at limit 1 for update skip locked)`
  const [job] = await db
    .update(jobs)
    .set({
      state: 'running',
      leaseId: crypto.randomUUID(),
      leasedUntil: leaseEnd,
      heldBy,
      attempts: sql`${jobs.attempts} + 1`,
      startedAt: sql`now()`,
      progress: 0,
    })
    .where(eq(jobs.id, next))
    .returning({
      id: jobs.id,
      kind: jobs.kind,
      storyId: jobs.storyId,
      payload: jobs.payload,
      attempts: jobs.attempts,
      attemptsMax: jobs.attemptsMax,
      priority: jobs.priority,
      leaseId: jobs.leaseId,
      requestId: jobs.requestId,
      traceparent: jobs.traceparent,
    })
  return job?.leaseId ? { ...job, leaseId: job.leaseId } : null
}

/** Leases use the database's clock, so that the clocks of two machines need not agree. */
const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`

/** Fails jobs whose last attempt ended their process, so that they are not retried for ever. */
async function failAbandoned(db: Executor): Promise<void> {
  const isAbandoned = sql`${jobs.state} = 'running' and ${jobs.leasedUntil} < now() and ${jobs.attempts} >= ${jobs.attemptsMax}`
  const abandoned = await db.select({ id: jobs.id, storyId: jobs.storyId }).from(jobs).where(isAbandoned)
  for (const job of abandoned)
    await endJob(db, job, isAbandoned, {
      state: 'failed',
      error: 'The program ended each time this ran. See its log, then try again.',
      finishedAt: sql`now()`,
    })
}

/** Extends the lease and writes the progress (0 to 1). False if the job was cancelled or lost. */
export async function renewLease(db: Executor, job: LeasedJob, progress: number): Promise<boolean> {
  const renewed = await db
    .update(jobs)
    .set({ leasedUntil: leaseEnd, progress })
    .where(isMine(job))
    .returning({ id: jobs.id })
  return renewed.length === 1
}

/**
 * Locks the job within a transaction, so that the transaction commits only while the job is this worker's, and nobody
 * takes the job before the commit. Throws if it was cancelled or lost.
 */
export async function holdLease(tx: Executor, job: LeasedJob): Promise<void> {
  await lockItemOf(tx, job.storyId)
  const [held] = await tx.select({ id: jobs.id }).from(jobs).where(isMine(job)).for('update')
  if (!held) throw new Error('The job was cancelled, or another worker has it.')
}

/** Ends a job with its result. False if it was cancelled or lost. */
export async function finishJob(db: Executor, job: LeasedJob, result: unknown): Promise<boolean> {
  return endLease(db, job, {
    state: 'done',
    progress: 1,
    error: null,
    result: result === undefined ? null : sql`${JSON.stringify(result)}::jsonb`,
    finishedAt: sql`now()`,
  })
}

/**
 * Queues a failed job again, after `afterSeconds` or the backoff, or fails it for good. Returns `lost` if it was
 * cancelled or another worker has it.
 */
export async function failJob(
  db: Executor,
  job: LeasedJob,
  error: string,
  again: 'no' | { afterSeconds?: number },
): Promise<'queued' | 'failed' | 'lost'> {
  const seconds =
    again === 'no' || job.attempts >= job.attemptsMax
      ? null
      : (again.afterSeconds ?? backoffSeconds(job.attempts))
  const state = seconds === null ? 'failed' : 'queued'
  const when =
    seconds === null
      ? { finishedAt: sql`now()` }
      : { runAfter: sql`now() + make_interval(secs => ${seconds})` }
  return (await endLease(db, job, { state, error, ...when })) ? state : 'lost'
}

/** Returns a job to the queue without counting the attempt: the program is stopping, or the job cannot run yet. */
export async function returnJob(db: Executor, job: LeasedJob, afterSeconds = 0): Promise<boolean> {
  const runAfter = sql`now() + make_interval(secs => ${afterSeconds})`
  return endLease(db, job, { state: 'queued', attempts: job.attempts - 1, runAfter })
}

function endLease(db: Executor, job: LeasedJob, values: PgUpdateSetSource<typeof jobs>): Promise<boolean> {
  return endJob(db, job, isMine(job), values)
}

/** Ends a run if the job is still in the state of `where`, and updates its item. */
async function endJob(
  db: Executor,
  { id, storyId }: Pick<LeasedJob, 'id' | 'storyId'>,
  where: SQL | undefined,
  values: PgUpdateSetSource<typeof jobs>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockItemOf(tx, storyId)
    const ended = await tx
      .update(jobs)
      .set({ ...values, leaseId: null, leasedUntil: null })
      .where(and(eq(jobs.id, id), where))
      .returning({ id: jobs.id })
    if (storyId) await markGenerating(tx, storyId)
    return ended.length === 1
  })
}

function isMine(job: LeasedJob) {
  return and(eq(jobs.id, job.id), eq(jobs.leaseId, job.leaseId), eq(jobs.state, 'running'))
}
