import { runWorker, type Worker, type WorkerOptions } from '#src/job/worker'
import type { Services } from '#src/services'
import { mailHandler } from './deliver'
import { mailKind } from './send-mail'

/**
 * Starts the worker that sends mails and runs the jobs of `writers` that write them. A slow server does not delay the
 * next mail.
 */
export function startMailing(services: Services, writers: WorkerOptions['handlers']): Worker {
  return runWorker(services, {
    concurrency: 2,
    handlers: { [mailKind]: mailHandler(services), ...writers },
  })
}
