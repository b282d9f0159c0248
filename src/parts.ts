import type { Database } from '#db/db'
import type { Env } from '#src/env'
import type { Assets } from '#src/http/assets'
import type { Log } from '#src/log'
import type { AudioStorage } from '#src/narration/storage'
import type { Secrets } from '#src/secrets'

/** What the program is put together from. Tests put together their own. */
export type Parts = {
  db: Database
  env: Env
  secrets: Secrets
  storage: AudioStorage
  assets: Assets
  log: Log
}
