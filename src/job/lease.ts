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
  /** This try included. */
  attempts: number
  attemptsMax: number
  /** Lower runs first. */
  priority: number
  leaseId: string
  /** Of the request that queued it; null where none did. */
  requestId: string | null
  traceparent: string | null
}
/** From the first one on, and before the second: the jobs that a worker takes. */
export type Priorities = { from?: number; below?: number }

/**
 * Takes the next job of these kinds and priorities that is due, or whose worker has gone; null where there is none.
 * Two workers never get the same one; while operators have paused the queue nobody gets any but mails. `heldBy` is the
 * process that runs it.
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

/** The database's clock decides, so that the clocks of two machines need not agree. */
const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`

/** A job that ended its process at every try is not tried for ever. */
async function failAbandoned(db: Executor): Promise<void> {
  const isAbandoned = sql`${jobs.state} = 'running' and ${jobs.leasedUntil} < now() and ${jobs.attempts} >= ${jobs.attemptsMax}`
  const abandoned = await db.select({ id: jobs.id, storyId: jobs.storyId }).from(jobs).where(isAbandoned)
  for (const job of abandoned)
    await endJob(db, job, isAbandoned, {
      state: 'failed',
      error: 'The program ended each time while this ran. See its log, then try again.',
      finishedAt: sql`now()`,
    })
}

/** Extends the lease and writes the progress (0 to 1). False where the job was cancelled or lost. */
export async function renewLease(db: Executor, job: LeasedJob, progress: number): Promise<boolean> {
  const renewed = await db
    .update(jobs)
    .set({ leasedUntil: leaseEnd, progress })
    .where(isMine(job))
    .returning({ id: jobs.id })
  return renewed.length === 1
}

/**
 * Within a transaction: what it writes is written only while the job is this worker's, and nobody takes the
 * job before the commit. Throws where it was cancelled or lost.
 */
export async function holdLease(tx: Executor, job: LeasedJob): Promise<void> {
  await lockItemOf(tx, job.storyId)
  const [held] = await tx.select({ id: jobs.id }).from(jobs).where(isMine(job)).for('update')
  if (!held) throw new Error('The job was cancelled, or another worker has it.')
}

/** Ends a job with its result. False where it was cancelled or lost. */
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
 * Queues a job again for later, `afterSeconds` or as the backoff says, or fails it for good; `lost` where it was
 * cancelled, or another worker has it.
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

/** Returns a job without counting the attempt: the program is stopping, or the job's time comes later. */
export async function returnJob(db: Executor, job: LeasedJob, afterSeconds = 0): Promise<boolean> {
  const runAfter = sql`now() + make_interval(secs => ${afterSeconds})`
  return endLease(db, job, { state: 'queued', attempts: job.attempts - 1, runAfter })
}

function endLease(db: Executor, job: LeasedJob, values: PgUpdateSetSource<typeof jobs>): Promise<boolean> {
  return endJob(db, job, isMine(job), values)
}

/** Ends a run, with what it means for the item, where the job still is as `where` says. */
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
