import { openDatabase } from '#db/db'
import { readEnv } from '#src/env'
import { runWorker } from '#src/job/worker'
import { createLog } from '#src/process/log'
import { loadSecrets } from '#src/security/secrets'
import { openStorage } from '#src/storage/storage'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'

/** Program that runs a worker in a separate process, for tests that kill it. */
const env = readEnv()
const db = openDatabase(env.databaseUrl ?? '', { max: 3 })
const services = {
  db,
  env,
  storage: openStorage(env),
  secrets: loadSecrets(env),
  log: createLog('error', () => {}),
}
const handlers = { [narrateKind]: narrateHandler(services) }
runWorker(services, { concurrency: 1, handlers })
