import { type Database, openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded'
import { migrate } from '#db/migrate'
import type { Env } from '#src/env'
import type { Log } from '#src/log'

/** The database of DATABASE_URL, or our own under DATA_DIR; migrated in either case. */
export async function openStore(
  env: Env,
  log: Log,
): Promise<{ db: Database; url: string; stop(): Promise<void> }> {
  const embedded = env.databaseUrl
    ? null
    : await startEmbedded({ dataDir: env.dataDir, log: (message) => log.info(message) })
  const url = env.databaseUrl ?? embedded?.url ?? ''
  await migrate(url).catch(async (error) => {
    await embedded?.stop()
    throw error
  })
  const db = openDatabase(url)
  return {
    db,
    url,
    async stop() {
      await db.close()
      await embedded?.stop()
    },
  }
}
