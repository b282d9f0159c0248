import { runWorker, type Worker } from '#src/job/worker'
import type { Services } from '#src/services'
import { importHandler, importKind } from './draft/apply'

/** Starts the worker of imports: one at a time, since they take turns anyway, and separate from narrations. */
export function startImporting(services: Services): Worker {
  return runWorker(services, { concurrency: 1, handlers: { [importKind]: importHandler(services) } })
}
