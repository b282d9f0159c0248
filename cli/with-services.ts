import { userInfo } from 'node:os'
import { stoppable, untilStopped } from '#cli/stoppable'
import type { Database } from '#db/db'
import { type Env, readEnv } from '#src/env'
import { requireSharedSecrets } from '#src/operator/secret-fingerprints'
import { createLog, type Log } from '#src/process/log'
import { loadSecrets, type Secrets } from '#src/security/secrets'
import { openStore } from '#src/server/open-database'
import { type AudioStorage, openStorage } from '#src/storage/storage'

export type CliServices = {
  db: Database
  env: Env
  secrets: Secrets
  storage: AudioStorage
  log: Log
  url: string
}

/**
 * Runs a command with the database and storage of the environment, whether or not the server is running, and closes
 * both at the end. Ctrl-C closes them too, and rolls back what is in progress. Throws `conflict` if this environment
 * has other secrets than the library.
 */
export async function withServices<T>(work: (services: CliServices) => Promise<T>): Promise<T> {
  return withOwnSecrets(async (services) => {
    await requireSharedSecrets(services.db, services.secrets)
    return work(services)
  })
}

/** Like `withServices`, but accepts other secrets, for the command that makes them the library's. */
export async function withOwnSecrets<T>(work: (services: CliServices) => Promise<T>): Promise<T> {
  const env = readEnv()
  const log = createLog('warn')
  const secrets = loadSecrets(env)
  // No slow-statement log: the person who waits sees that the command is slow. No replica: they must see what was just
  // written.
  return stoppable(async (stop) => {
    const store = await openStore({ ...env, slowStatementMs: 0, databaseReplicaUrl: undefined }, log, stop)
    const { db, url } = store
    try {
      stop.throwIfAborted()
      const working = work({ db, url, env, secrets, log, storage: openStorage(env) })
      return await untilStopped(working, stop, () => db.sql.end({ timeout: 0 }))
    } finally {
      await store.stop()
    }
  })
}

/** Returns the operator's name in the audit log for changes made from a terminal. */
export function operatorName(): string {
  return `cli:${userInfo().username}`.slice(0, 80)
}
