import type { Database } from '#db/db'
import type { Env } from '#src/env'
import type { Assets } from '#src/http/assets'
import type { Log } from '#src/process/log'
import type { Secrets } from '#src/security/secrets'
import type { AudioStorage } from '#src/storage/storage'

/** The services that the program is composed of. Tests compose their own. */
export type Services = {
  db: Database
  env: Env
  secrets: Secrets
  storage: AudioStorage
  assets: Assets
  log: Log
  /** Aborted when the program stops. */
  stopping: AbortSignal
}
