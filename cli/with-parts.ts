import { userInfo } from 'node:os'
import type { Database } from '#db/db'
import { type Env, readEnv } from '#src/env'
import { createLog, type Log } from '#src/log'
import { type AudioStorage, openStorage } from '#src/narration/storage'
import { loadSecrets, type Secrets } from '#src/secrets'
import { openStore } from '#src/store'

export type CliParts = {
  db: Database
  env: Env
  secrets: Secrets
  storage: AudioStorage
  log: Log
  url: string
}

/**
 * Runs a command on the database and storage of the environment, whether the server runs or not, and lets go
 * of both at the end.
 */
export async function withParts<T>(work: (parts: CliParts) => Promise<T>): Promise<T> {
  const env = readEnv()
  const log = createLog('warn')
  const secrets = loadSecrets(env)
  const store = await openStore(env, log)
  try {
    return await work({ db: store.db, url: store.url, env, secrets, log, storage: openStorage(env) })
  } finally {
    await store.stop()
  }
}

/** Who stands in the audit log for what a terminal does. */
export function operatorName(): string {
  return `cli:${userInfo().username}`.slice(0, 80)
}
