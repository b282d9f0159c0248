import type { Database } from '#db/db'
import { errorFields, type Log } from '#src/log'
import { Refusal } from '#src/refusal'
import { endLeasesOfGone, holderIn } from './holder'
import { failJob, finishJob, handBack, type LeasedJob, renewLease, takeJob } from './lease'
import { heartbeatSeconds, pollSeconds, progressSeconds, stopSeconds } from './rules'
import { onWake, runningHere } from './wake'

export type JobControl = {
  /** Ends when the job is cancelled, lost, or the program stops: stop working, and throw. */
  signal: AbortSignal
  /** How far it is, 0 to 1; written to the row now and then. */
  progress(share: number): void
}
/** Thrown by a handler whose time has not come: the job waits so long, and the try does not count. */
export class NotYet extends Error {
  readonly afterSeconds: number
  constructor(afterSeconds: number) {
    super(`Not before ${afterSeconds} seconds from now.`)
    this.afterSeconds = afterSeconds
  }
}
/** Does one job and answers what its row keeps. May run again after a crash: what it does, it does once. */
export type JobHandler = (job: LeasedJob, control: JobControl) => Promise<unknown>

export type WorkerOptions = {
  db: Database
  /** By kind; other kinds are left to other workers. */
  handlers: Readonly<Record<string, JobHandler>>
  concurrency: number
  log: Log
  /** Where those who work on this library tell each other that they live; without it leases alone do. */
  dataDir?: string
}
export type Worker = {
  /** Takes nothing new, waits a few seconds for what runs, and hands back the rest. */
  stop(): Promise<void>
}

/**
 * Works through the queue until it is stopped. A `Refusal` of a handler fails its job for good, except
 * `throttled` and `unavailable`, which are tried again as other errors are.
 */
export function runWorker({ db, handlers, concurrency, log, dataDir }: WorkerOptions): Worker {
  const heldBy = dataDir === undefined ? null : holderIn(dataDir)
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let looking: Promise<void> | null = null
  let isAskedAgain = false
  let isAway = false

  function look(): void {
    isAskedAgain = true
    looking ??= fill().finally(() => {
      looking = null
    })
  }

  async function fill(): Promise<void> {
    try {
      if (dataDir !== undefined) await endLeasesOfGone(db, dataDir)
      while (isAskedAgain && !stopping.signal.aborted) {
        isAskedAgain = false
        while (running.size < concurrency && !stopping.signal.aborted) {
          const job = await takeJob(db, Object.keys(handlers), heldBy)
          isAway = false
          if (!job) break
          start(job)
        }
      }
    } catch (error) {
      // Said once: the next look comes in a second, and the next.
      if (!isAway) log.warn('the job queue cannot be read', errorFields(error))
      isAway = true
    }
  }

  function start(job: LeasedJob): void {
    const run = runJob(db, job, handlers[job.kind], stopping.signal, log)
      .catch((error) => log.error('a job could not be settled', { jobId: job.id, ...errorFields(error) }))
      .finally(() => {
        running.delete(run)
        look()
      })
    running.add(run)
  }

  const forget = onWake(look)
  const timer = setInterval(look, pollSeconds * 1_000)
  look()

  return {
    async stop() {
      forget()
      clearInterval(timer)
      await withinGrace(settled(looking, running))
      stopping.abort(new Error('The program is stopping.'))
      // A handler that does not listen is left behind: when the program has gone, another takes the job.
      await withinGrace(settled(looking, running))
    },
  }
}

async function withinGrace(work: Promise<void>): Promise<void> {
  const grace = Promise.withResolvers<void>()
  const timer = setTimeout(grace.resolve, stopSeconds * 1_000)
  await Promise.race([work, grace.promise])
  clearTimeout(timer)
}

async function settled(looking: Promise<void> | null, running: ReadonlySet<Promise<void>>): Promise<void> {
  await looking
  await Promise.all(running)
}

async function runJob(
  db: Database,
  job: LeasedJob,
  handler: JobHandler | undefined,
  stopping: AbortSignal,
  log: Log,
): Promise<void> {
  const fields = { jobId: job.id, kind: job.kind, attempt: job.attempts }
  const own = new AbortController()
  const lease = keepLease(db, job, own, log)
  runningHere.set(job.id, own)
  try {
    if (!handler) throw new Refusal('not_configured', `Nothing here does jobs of the kind ${job.kind}.`)
    const signal = AbortSignal.any([own.signal, stopping])
    const result = await handler(job, { signal, progress: lease.progress })
    await lease.end()
    await finishJob(db, job, result)
    log.info('job done', fields)
  } catch (error) {
    await lease.end()
    if (own.signal.aborted) return log.info('job cancelled', fields)
    if (stopping.aborted) return void (await handBack(db, job))
    if (error instanceof NotYet) return void (await handBack(db, job, error.afterSeconds))
    const isRetried = await failJob(db, job, messageOf(error), retryOf(error))
    log.warn('job failed', { ...fields, isRetried, ...errorFields(error) })
  } finally {
    runningHere.delete(job.id)
  }
}

/** Whether a job that ended like this is tried another time. */
export function willTryAgain(job: LeasedJob, error: unknown): boolean {
  return error instanceof NotYet || (retryOf(error) !== 'no' && job.attempts < job.attemptsMax)
}

function retryOf(error: unknown): 'no' | { afterSeconds?: number } {
  if (!(error instanceof Refusal)) return {}
  if (error.code === 'throttled' || error.code === 'unavailable')
    return { afterSeconds: error.retryAfterSeconds }
  return 'no'
}

/** What operators read in the list of jobs; a bug's details are in the log. */
function messageOf(error: unknown): string {
  return error instanceof Refusal
    ? error.message
    : 'Something went wrong on our side. The log has the details.'
}

/** Renews the lease while a job runs, and with it the progress; ends the job where the lease is lost. */
function keepLease(db: Database, job: LeasedJob, own: AbortController, log: Log) {
  let share = 0
  // The first word of a job is written at once: somebody may be waiting for a bar that moves.
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
