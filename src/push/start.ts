import { tellToday } from '#src/challenge/tell-today'
import { every } from '#src/every'
import { runWorker, type Worker } from '#src/job/worker'
import type { Parts } from '#src/parts'
import { pushHandler } from './deliver'
import { pushKind } from './queue'

/** An evening has three hours: nobody notices whether they are told at its first minute or its fifth. */
const tellingMinutes = 5

/** Starts the worker that sends notifications, a push service that hangs not holding up the next; and the evening's. */
export function startPushing(parts: Parts): Worker {
  const { db, log, env } = parts
  const handlers = { [pushKind]: pushHandler(parts) }
  const worker = runWorker({ db, log, dataDir: env.dataDir, concurrency: 4, handlers })
  const telling = every(
    { seconds: tellingMinutes * 60, first: 'now', failure: 'an evening could not be told of', log },
    () => tellToday(parts),
  )
  return {
    async stop() {
      await Promise.all([telling.stop(), worker.stop()])
    },
  }
}
