import { openDatabase } from '#db/db'
import { readEnv } from '#src/env'
import { createLog } from '#src/process/log'
import type { JobHandler } from './run-job'
import { runWorker } from './worker'

/** A worker in a process of its own, for tests that kill it. A job of the kind `endless` never ends by itself. */
const { databaseUrl, dataDir } = readEnv()
const handlers: Record<string, JobHandler> = {
  quick: async () => null,
  endless: ({ attempts }) => (attempts > 1 ? Promise.resolve(null) : Promise.withResolvers().promise),
}
runWorker(
  { db: openDatabase(databaseUrl ?? '', { max: 3 }), log: createLog('error', () => {}), env: { dataDir } },
  { concurrency: 2, handlers },
)
