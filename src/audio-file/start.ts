import { enqueue } from '#src/job/enqueue'
import { runWorker } from '#src/job/worker'
import { errorFields } from '#src/process/log'
import { runEvery } from '#src/process/run-every'
import type { Services } from '#src/services'
import { sweepAudio, sweepTemporary } from './sweep'

/** The kind of the sweep's job. */
const sweepKind = 'sweep'
const sweepHours = 24

/**
 * Removes temporary files of this machine once, and queues a sweep of rows and stored files, now and every day. Each
 * instance queues it, but the key makes them one job, which one instance runs.
 */
export function startSweeping(services: Services): { stop(): Promise<void> } {
  const { db, log } = services
  sweepTemporary(services).catch((error) => log.warn('sweeping temporary files failed', errorFields(error)))
  const worker = runWorker(services, {
    concurrency: 1,
    handlers: { [sweepKind]: (_job, control) => sweepAudio(services, control) },
  })
  const daily = runEvery(
    { seconds: sweepHours * 3_600, first: 'now', failure: 'the sweep could not be queued', log },
    () => enqueue(db, { kind: sweepKind, dedupeKey: sweepKind, payload: {} }),
  )
  return {
    async stop() {
      await Promise.all([daily.stop(), worker.stop()])
    },
  }
}
