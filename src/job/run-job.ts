import type { Database } from '#db/db'
import { AppError } from '#src/app-error'
import { isDiskFull } from '#src/disk/room'
import { shortageWords } from '#src/disk/rules'
import { errorFields, type Log } from '#src/process/log'
import { countJob } from '#src/process/metrics'
import { recordTrace, Trace, withTrace } from '#src/process/trace'
import { failJob, finishJob, type LeasedJob, renewLease, returnJob } from './lease'
import { runningHere } from './notify-workers'
import { heartbeatSeconds, progressSeconds } from './rules'

type JobControl = {
  /** Aborted when the job is cancelled or lost, or the program stops. The handler should then stop and throw. */
  signal: AbortSignal
  /** Reports the progress, 0 to 1, which is written to the row now and then. */
  progress(share: number): void
}
/** Thrown by a handler that cannot run yet. The job is queued for later, and the attempt does not count. */
export class RetryLater extends Error {
  readonly afterSeconds: number
  constructor(afterSeconds: number) {
    super(`Not before ${afterSeconds} seconds from now.`)
    this.afterSeconds = afterSeconds
  }
}
/**
 * Runs one job and returns the result for its row. A job may run again after a crash, so handlers have to be
 * idempotent.
 */
export type JobHandler = (job: LeasedJob, control: JobControl) => Promise<unknown>

type JobServices = { db: Database; log: Log; stopping: AbortSignal }
type Outcome = 'done' | 'cancelled' | 'returned' | 'failed'

/** Runs the job in the trace of the request that queued it. */
export async function runJob(
  job: LeasedJob,
  handler: JobHandler | undefined,
  services: JobServices,
): Promise<void> {
  const trace = new Trace(job.requestId, job.traceparent)
  const startedAt = performance.now()
  const outcome = await withTrace(trace, () => runOnce(job, handler, services))
  recordTrace(trace, () => ({
    name: `job ${job.kind}`,
    kind: 'consumer',
    startedAt,
    attributes: { 'nocturne.job.id': job.id, 'nocturne.job.kind': job.kind, 'nocturne.outcome': outcome },
    isFailed: outcome === 'failed',
  }))
}

async function runOnce(
  job: LeasedJob,
  handler: JobHandler | undefined,
  services: JobServices,
): Promise<Outcome> {
  const { db, log, stopping } = services
  const own = new AbortController()
  const lease = renewUntilDone(db, job, own, log)
  runningHere.set(job.id, own)
  try {
    if (!handler) throw new AppError('not_configured', `Nothing here does jobs of the kind ${job.kind}.`)
    const signal = AbortSignal.any([own.signal, stopping])
    const result = await handler(job, { signal, progress: lease.progress })
    await lease.end()
    if (!(await finishJob(db, job, result))) return endLost(job, log)
    countJob({ kind: job.kind, outcome: 'done' })
    log.info('job done', fieldsOf(job))
    return 'done'
  } catch (error) {
    await lease.end()
    if (!own.signal.aborted) return await endUndone(job, error, services)
    return endLost(job, log)
  } finally {
    runningHere.delete(job.id)
  }
}

/** The job is no longer this worker's, so its outcome is not recorded. */
function endLost(job: LeasedJob, log: Log): Outcome {
  log.info('job cancelled', fieldsOf(job))
  return 'cancelled'
}

/** Returns the job to the queue if the job itself is not the cause of the error; otherwise fails it. */
async function endUndone(
  job: LeasedJob,
  error: unknown,
  { db, log, stopping }: JobServices,
): Promise<Outcome> {
  if (stopping.aborted) {
    await returnJob(db, job)
    return 'returned'
  }
  if (error instanceof RetryLater) {
    await returnJob(db, job, error.afterSeconds)
    return 'returned'
  }
  if (isDiskFull(error)) {
    log.error('a job waits for the disk', { ...fieldsOf(job), ...errorFields(error) })
    await returnJob(db, job, shortageWords.disk.retryAfterSeconds)
    return 'returned'
  }
  const state = await failJob(db, job, messageOf(error), retryOf(error))
  if (state === 'lost') return endLost(job, log)
  countJob({ kind: job.kind, outcome: 'failed' })
  log.warn('job failed', { ...fieldsOf(job), isRetried: state === 'queued', ...errorFields(error) })
  return 'failed'
}

function fieldsOf({ id, kind, attempts }: LeasedJob) {
  return { jobId: id, kind, attempt: attempts }
}

/** Whether a job is retried after this error. */
export function willTryAgain(job: LeasedJob, error: unknown): boolean {
  return (
    error instanceof RetryLater ||
    isDiskFull(error) ||
    (retryOf(error) !== 'no' && job.attempts < job.attemptsMax)
  )
}

function retryOf(error: unknown): 'no' | { afterSeconds?: number } {
  if (!(error instanceof AppError)) return {}
  if (error.code === 'throttled' || error.code === 'unavailable')
    return { afterSeconds: error.retryAfterSeconds }
  return 'no'
}

/** The error message in the operators' list of jobs; the details of a bug are in the log. */
function messageOf(error: unknown): string {
  return error instanceof AppError
    ? error.message
    : 'Something went wrong on our side. The log has the details.'
}

/** Renews the lease and writes the progress while a job runs; aborts the job if the lease is lost. */
function renewUntilDone(db: Database, job: LeasedJob, own: AbortController, log: Log) {
  let share = 0
  // The first progress is written at once, since a page may be waiting for it.
  let writtenAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> = Promise.resolve()
  const renew = () => {
    writtenAt = performance.now()
    writing = renewLease(db, job, share)
      .then((isMine) => {
        if (!isMine) own.abort(new Error('The job was cancelled, or another worker has it.'))
      })
      .catch((error) => log.warn('a lease could not be renewed', { jobId: job.id, ...errorFields(error) }))
  }
  const timer = setInterval(renew, heartbeatSeconds * 1_000)
  return {
    progress(now: number) {
      share = Math.min(1, Math.max(share, now))
      if (performance.now() - writtenAt > progressSeconds * 1_000) renew()
    },
    async end() {
      clearInterval(timer)
      await writing
    },
  }
}
