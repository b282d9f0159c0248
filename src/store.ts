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
  const { url, stop } = await bringUpDatabase(env, log)
  await migrate(url).catch(async (error) => {
    await stop()
    throw error
  })
  const db = openDatabase(url)
  return {
    db,
    url,
    async stop() {
      await db.close()
      await stop()
    },
  }
}

/** The same, with whatever migrations it has: for a backup, which reads any, and a restore, which replaces all. */
export async function bringUpDatabase(
  env: Pick<Env, 'databaseUrl' | 'dataDir'>,
  log: Log,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (env.databaseUrl) return { url: env.databaseUrl, stop: async () => {} }
  const embedded = await startEmbedded({
    dataDir: env.dataDir,
    log: (message) => log.info(message),
  })
  return { url: embedded.url, stop: () => embedded.stop() }
}
