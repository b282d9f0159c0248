import { runWorker, type Worker } from '#src/job/worker'
import type { Services } from '#src/services'
import { pushHandler } from './deliver'
import { pushKind } from './queue'

/** Starts the worker that sends notifications; a hanging push service does not delay the next one. */
export function startPushing(services: Services): Worker {
  const { db, log, env } = services
  const handlers = { [pushKind]: pushHandler(services) }
  return runWorker({ db, log, dataDir: env.dataDir, concurrency: 4, handlers })
}
