import { runWorker, type Worker } from '#src/job/worker'
import { errorFields } from '#src/process/log'
import type { Services } from '#src/services'
import { scanByBuiltIn, scanHandler, scanKind } from './scan'

/** Starts the worker that scans the library when rules change. It is separate from the one for narrations. */
export function startScanning(services: Pick<Services, 'db' | 'log' | 'env'>): Worker {
  const { db, log } = services
  const worker = runWorker(services, { concurrency: 1, handlers: { [scanKind]: scanHandler({ db }) } })
  scanByBuiltIn(db).catch((error) =>
    log.warn('the library could not be queued for reading', errorFields(error)),
  )
  return worker
}
