import { runWorker, type Worker } from '#src/job/worker'
import type { Services } from '#src/services'
import { importHandler, importKind } from './draft/apply'

/** Starts the worker of imports: one at a time, since they take turns anyway, and separate from narrations. */
export function startImporting(services: Services): Worker {
  const { db, log, env } = services
  const handlers = { [importKind]: importHandler(services) }
  return runWorker({ db, log, dataDir: env.dataDir, concurrency: 1, handlers })
}
