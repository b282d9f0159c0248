import { runWorker, type Worker } from '#src/job/worker'
import { resetKind, resetLetterHandler } from '#src/member/reset-letter'
import type { Parts } from '#src/parts'
import { mailHandler } from './deliver'
import { mailKind } from './send-mail'

/** Starts the worker that sends: a server that is slow with one mail does not hold up the next. */
export function startMailing(parts: Parts): Worker {
  const { db, log, env } = parts
  return runWorker({
    db,
    log,
    dataDir: env.dataDir,
    concurrency: 2,
    handlers: { [mailKind]: mailHandler(parts), [resetKind]: resetLetterHandler(parts) },
  })
}
