import { openDatabase } from '#db/db'
import { readEnv } from '#src/env'
import { runWorker } from '#src/job/worker'
import { createLog } from '#src/log'
import { loadSecrets } from '#src/secrets'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { openStorage } from './storage'

/** A worker as a process of its own, for tests that kill it. */
const env = readEnv()
const db = openDatabase(env.databaseUrl ?? '', { max: 3 })
const parts = {
  db,
  env,
  storage: openStorage(env),
  secrets: loadSecrets(env),
  log: createLog('error', () => {}),
}
const handlers = { [narrateKind]: narrateHandler(parts) }
runWorker({ db, log: parts.log, dataDir: env.dataDir, concurrency: 1, handlers })
