import { runWorker, type Worker } from '#src/job/worker'
import { errorFields } from '#src/log'
import type { Parts } from '#src/parts'
import { enhanceHandler, enhanceKind } from '#src/script/enhance-job'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { narrateMissing } from './narrate-missing'
import { tellingOfFailure } from './tell-maker'

/**
 * Starts the worker that speaks: one narration at a time takes a whole core, NARRATIONS_AT_ONCE says how many.
  On the first start it has the demo library narrated, behind everything that
 * people ask for.
 */
export function startNarrating(parts: Parts, { isFirstStart }: { isFirstStart: boolean }): Worker {
  const { db, log, env } = parts
  const narrate = tellingOfFailure(parts, narrateHandler(parts))
  const handlers = { [narrateKind]: narrate, [enhanceKind]: enhanceHandler(parts) }
  const worker = runWorker({
    db,
    log,
    dataDir: env.dataDir,
    concurrency: env.narrationsAtOnce,
    handlers,
  })
  if (isFirstStart) {
    narrateMissing(db).catch((error) => log.warn('the demo library could not be queued', errorFields(error)))
  }
  return worker
}
