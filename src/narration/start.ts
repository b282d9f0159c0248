import { runWorker, type Worker } from '#src/job/worker'
import { errorFields } from '#src/log'
import type { Parts } from '#src/parts'
import { enhanceHandler, enhanceKind } from '#src/script/enhance-job'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { narrateMissing } from './narrate-missing'

/** Speech takes a whole core: one at a time leaves the others to those who listen. */
const narrationsAtOnce = 1

/**
 * Starts the worker that speaks. On the first start it has the demo library narrated, behind everything that
 * people ask for.
 */
export function startNarrating(parts: Parts, { isFirstStart }: { isFirstStart: boolean }): Worker {
  const { db, log } = parts
  const handlers = { [narrateKind]: narrateHandler(parts), [enhanceKind]: enhanceHandler(parts) }
  const worker = runWorker({ db, log, concurrency: narrationsAtOnce, handlers })
  if (isFirstStart) {
    narrateMissing(db).catch((error) => log.warn('the demo library could not be queued', errorFields(error)))
  }
  return worker
}
