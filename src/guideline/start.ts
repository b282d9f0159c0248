import { runWorker, type Worker } from '#src/job/worker'
import { errorFields } from '#src/log'
import type { Parts } from '#src/parts'
import { scanByBuiltIn, scanHandler, scanKind } from './scan'

/** Starts the worker that reads the library again when rules change: beside narrations, not behind them. */
export function startScanning({ db, log, env }: Pick<Parts, 'db' | 'log' | 'env'>): Worker {
  const handlers = { [scanKind]: scanHandler({ db }) }
  const worker = runWorker({ db, log, dataDir: env.dataDir, concurrency: 1, handlers })
  scanByBuiltIn(db).catch((error) =>
    log.warn('the library could not be queued for reading', errorFields(error)),
  )
  return worker
}
