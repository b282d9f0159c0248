import { runWorker, type Worker } from '#src/job/worker'
import type { Parts } from '#src/parts'
import { importHandler, importKind } from './draft/apply'

/** Starts the worker of imports: one at a time, since they take turns anyway, and never behind narrations. */
export function startImporting(parts: Parts): Worker {
  const { db, log, env } = parts
  const handlers = { [importKind]: importHandler(parts) }
  return runWorker({ db, log, dataDir: env.dataDir, concurrency: 1, handlers })
}
