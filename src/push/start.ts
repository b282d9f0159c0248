import { runWorker, type Worker } from '#src/job/worker'
import type { Services } from '#src/services'
import { pushHandler } from './deliver'
import { pushKind } from './queue'

/** Starts the worker that sends notifications. A hanging push service does not delay the next one. */
export function startPushing(services: Services): Worker {
  return runWorker(services, { concurrency: 4, handlers: { [pushKind]: pushHandler(services) } })
}
