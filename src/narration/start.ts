import { runWorker } from '#src/job/worker'
import type { Parts } from '#src/parts'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'

/** Speech takes a whole core: one at a time leaves the others to those who listen. */
const narrationsAtOnce = 1

/**
 * Starts the worker that speaks. On the first start it has the demo library narrated, behind everything that
 * people ask for.
 */
export function startNarrating(parts: Parts, _options: { isFirstStart: boolean }): { stop(): Promise<void> } {
  const { db, log } = parts
  const worker = runWorker({
    db,
    log,
    concurrency: narrationsAtOnce,
    handlers: { [narrateKind]: narrateHandler(parts) },
  })
  return worker
}
