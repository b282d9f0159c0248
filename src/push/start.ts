import { tellToday } from '#src/challenge/tell-today'
import { runWorker, type Worker } from '#src/job/worker'
import { errorFields } from '#src/log'
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
  const tell = () =>
    void tellToday(parts).catch((error) => log.warn('an evening could not be told of', errorFields(error)))
  const telling = setInterval(tell, tellingMinutes * 60_000)
  tell()
  return {
    stop() {
      clearInterval(telling)
      return worker.stop()
    },
  }
}
