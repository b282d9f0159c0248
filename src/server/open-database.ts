import { availableParallelism } from 'node:os'
import { type Database, openDatabase, sessionLimits } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { explained } from '#db/explain'
import { type MigrationOptions, migrate, migrationStatus } from '#db/migrate'
import type { ReplicaState } from '#db/replica'
import { limitRole, requireOwnSession, requireVersion } from '#db/session-limits'
import { watchStatements } from '#db/watch-statements'
import type { Env } from '#src/env'
import { errorFields, type Log } from '#src/process/log'

type DatabaseEnv = Pick<Env, 'databaseUrl' | 'databaseDirectUrl'>

/**
 * An open database. `url` is PostgreSQL's own address, even behind a pooler. `stop` closes the database and, if it is
 * the embedded one, stops its server.
 */
export type Store = { db: Database; url: string; stop(): Promise<void> }

/**
 * Opens and migrates the database of DATABASE_URL, or the embedded one in DATA_DIR. Aborting `stop` ends the wait for
 * another process that migrates.
 */
export async function openStore(env: Env, log: Log, stop?: AbortSignal): Promise<Store> {
  const server = await bringUpDatabase(env, log)
  const db = openPool(env, server.url, log)
  const close = async () => {
    await db.close()
    await server.stop()
  }
  try {
    await prepare(db, server.url, env, { log, stop })
    return { db, url: server.url, stop: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the pool for this environment. `url` is PostgreSQL's own address. */
export function openPool(env: Env, url: string, log: Log): Database {
  return openDatabase(env.databaseUrl ?? url, {
    max: env.databaseUrl ? env.databasePool : embeddedPool(env, availableParallelism()),
    directUrl: directOf(env),
    replica: env.databaseReplicaUrl
      ? { url: env.databaseReplicaUrl, onState: replicaNotices(log) }
      : undefined,
    observe: watchStatements(log, env.slowStatementMs),
  })
}

/**
 * Number of connections to the embedded PostgreSQL per process, on a machine with so many cores. With more statements
 * at once than these can work on, all of them take longer (docs/decisions/0030-one-statement-at-a-time.md).
 */
export function embeddedPool(
  { databasePool, processes }: Pick<Env, 'databasePool' | 'processes'>,
  cores: number,
): number {
  return Math.min(databasePool, 2 * cores + 2, Math.floor(embeddedConnections / processes) - ownConnections)
}

function replicaNotices(log: Log): (state: ReplicaState, error: unknown) => void {
  return (state, error) => {
    if (state === 'ready') log.info('the replica is read from')
    else log.warn('the replica is not read from', { state, ...(error !== null && errorFields(error)) })
  }
}

/**
 * Connections of this program, of the embedded PostgreSQL's 60 (max_connections). The others are for a terminal beside
 * the server.
 */
const embeddedConnections = 46
/**
 * Connections that each process needs in addition: one for notifications, and one that marks the server as in use
 * (db/embedded/server-lock.ts).
 */
const ownConnections = 2

/** PostgreSQL's own address, if DATABASE_URL is that of a pooler. */
function directOf({ databaseUrl, databaseDirectUrl }: DatabaseEnv): string | undefined {
  return databaseUrl && databaseDirectUrl
}

async function prepare(
  db: Database,
  url: string,
  env: Env,
  { log, stop }: { log: Log; stop: AbortSignal | undefined },
): Promise<void> {
  await requireDatabase(db, url, env)
  await explained(variableOf(env), () => migrate(url, { ...migrationNotices(log), stop }))
  if (!directOf(env)) return
  await limitRole(db, sessionLimits).catch((error) =>
    log.warn('the limits of statements could not be set', errorFields(error)),
  )
}

function migrationNotices(log: Log): MigrationOptions {
  return {
    onWait: (holder) => log.warn('waiting: another process migrates or restores the database', { holder }),
    onBlocked: (migration, holders) =>
      log.warn('waiting: others use what a migration needs', { migration, holders }),
    onApplied: (migration, durationMs) =>
      log[durationMs < 1_000 ? 'debug' : 'info']('migrated', { migration, durationMs }),
  }
}

/** Throws `not_configured`, with the fix, if the operator's database cannot be used. */
export async function requireDatabase(db: Database, url: string, env: Env): Promise<void> {
  if (!env.databaseUrl) return
  await explained('DATABASE_URL', () => requireVersion(db.sql, 'DATABASE_URL'))
  if (directOf(env)) await explained(variableOf(env), () => migrationStatus(url))
  else await explained('DATABASE_URL', () => requireOwnSession(db.sql, 'DATABASE_URL'))
}

/** The variable that holds PostgreSQL's own address. */
function variableOf(env: DatabaseEnv): string {
  return directOf(env) ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
}

/**
 * Starts the embedded PostgreSQL if needed and returns PostgreSQL's own address, without migrating: for a backup, which
 * reads any version, and a restore, which replaces everything.
 */
export async function bringUpDatabase(
  env: DatabaseEnv & Pick<Env, 'dataDir'>,
  log: Log,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (env.databaseUrl) return { url: directOf(env) ?? env.databaseUrl, stop: async () => {} }
  const embedded = await startEmbedded({
    dataDir: env.dataDir,
    log: (message) => log.info(message),
  })
  return { url: embedded.url, stop: () => embedded.stop() }
}
