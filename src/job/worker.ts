import type { Database } from '#db/db'
import { hasRoom } from '#src/disk/room'
import type { Env } from '#src/env'
import { errorFields, type Log } from '#src/process/log'
import { withTrace } from '#src/process/trace'
import { type LeasedJob, type Priorities, takeJob } from './lease'
import { onJobQueued } from './notify-workers'
import { type JobKind, pollSeconds, stopSeconds } from './rules'
import { type JobHandler, runJob } from './run-job'
import { endStaleLeases, workerIdOf } from './worker-heartbeat'

/**
 * `env` locates the heartbeat locks of the processes that share a library. Without it, jobs become free only when their
 * leases expire.
 */
export type WorkerServices = { db: Database; log: Log; env?: Pick<Env, 'dataDir'> }
export type WorkerOptions = {
  /** Handlers by kind. Jobs of other kinds are left to other workers. */
  handlers: Readonly<Partial<Record<JobKind, JobHandler>>>
  concurrency: number
  /** Only jobs with these priorities are taken; by default all. */
  priorities?: Priorities
}
export type Worker = {
  /** Takes no new jobs, waits a few seconds for the running ones, and returns the rest to the queue. */
  stop(): Promise<void>
}

/**
 * Runs jobs from the queue until it is stopped. An `AppError` of a handler fails its job for good, except `throttled`
 * and `unavailable`, which are retried like other errors.
 */
export function runWorker(
  { db, log, env }: WorkerServices,
  { handlers, concurrency, priorities }: WorkerOptions,
): Worker {
  const dataDir = env?.dataDir
  const handlerOf = new Map(Object.entries(handlers))
  const heldBy = dataDir === undefined ? null : workerIdOf(dataDir)
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let looking: Promise<void> | null = null
  let isQueuedAgain = false
  let isAway = false

  function look(): void {
    isQueuedAgain = true
    // The search for jobs is not part of the trace of the request that queued one.
    looking ??= withTrace(null, fill).finally(() => {
      looking = null
    })
  }

  async function fill(): Promise<void> {
    try {
      // On a full disk no job can run and no attempt can be recorded, so all wait until there is space.
      if (dataDir !== undefined && !(await hasRoom(dataDir))) return
      if (dataDir !== undefined) await endStaleLeases(db, dataDir)
      while (isQueuedAgain && !stopping.signal.aborted) {
        isQueuedAgain = false
        while (running.size < concurrency && !stopping.signal.aborted) {
          const job = await takeJob(db, [...handlerOf.keys()], heldBy, priorities)
          isAway = false
          if (!job) break
          start(job)
        }
      }
    } catch (error) {
      // Logged once, since the next poll is a second later and fails the same way.
      if (!isAway) log.warn('the job queue cannot be read', errorFields(error))
      isAway = true
    }
  }

  function start(job: LeasedJob): void {
    const run = runJob(job, handlerOf.get(job.kind), { db, log, stopping: stopping.signal })
      .catch((error) => log.error('a job could not be finished', { jobId: job.id, ...errorFields(error) }))
      .finally(() => {
        running.delete(run)
        look()
      })
    running.add(run)
  }

  const forget = onJobQueued(look)
  const timer = setInterval(look, pollSeconds * 1_000)
  look()

  return {
    async stop() {
      forget()
      clearInterval(timer)
      await withinGrace(allEnded(looking, running))
      stopping.abort(new Error('The program is stopping.'))
      // A handler that ignores its signal is abandoned. Another process takes its job once this one has ended.
      await withinGrace(allEnded(looking, running))
    },
  }
}

async function withinGrace(work: Promise<void>): Promise<void> {
  const grace = Promise.withResolvers<void>()
  const timer = setTimeout(grace.resolve, stopSeconds * 1_000)
  await Promise.race([work, grace.promise])
  clearTimeout(timer)
}

async function allEnded(looking: Promise<void> | null, running: ReadonlySet<Promise<void>>): Promise<void> {
  await looking
  await Promise.all(running)
}
