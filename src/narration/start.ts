import { priorities } from '#src/job/rules'
import { runWorker, type Worker } from '#src/job/worker'
import { errorFields } from '#src/process/log'
import { enhanceHandler, enhanceKind } from '#src/script/enhance-job'
import type { Services } from '#src/services'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { narrateMissing } from './narrate-missing'
import { notifyingOfFailure } from './notify-maker'

/**
 * Starts the workers of narrations. One narration at a time uses a whole core; NARRATIONS_AT_ONCE sets how many run at
 * once. Background narrations, which nobody waits for, run one at a time in a separate worker, so that a paused one
 * delays no other. On the first start, narrations of the demo library are queued.
 */
export function startNarrating(services: Services, { isFirstStart }: { isFirstStart: boolean }): Worker {
  const { db, log, env } = services
  const narrate = notifyingOfFailure(services, narrateHandler(services))
  const handlers = { [narrateKind]: narrate, [enhanceKind]: enhanceHandler(services) }
  const wanted = runWorker(services, {
    handlers,
    concurrency: env.narrationsAtOnce,
    priorities: { below: priorities.background },
  })
  const background = runWorker(services, {
    handlers,
    concurrency: 1,
    priorities: { from: priorities.background },
  })
  if (isFirstStart) {
    narrateMissing(db).catch((error) => log.warn('the demo library could not be queued', errorFields(error)))
  }
  return { stop: async () => void (await Promise.all([wanted.stop(), background.stop()])) }
}
