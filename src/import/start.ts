import { runWorker, type Worker } from '#src/job/worker'
import type { Services } from '#src/services'
import { importHandler, importKind } from './draft/apply'

/**
 * Starts the worker of imports. It runs one at a time, since imports take turns anyway, and is separate from
 * narrations.
 */
export function startImporting(services: Services): Worker {
  return runWorker(services, { concurrency: 1, handlers: { [importKind]: importHandler(services) } })
}
