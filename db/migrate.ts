import type { Sql, TransactionSql } from 'postgres'
import { AppError } from '#src/app-error'
import { applyMigration, applyWithin, lockTimeoutMs } from './apply-migration'
import { sessionWords, watchBlockers } from './blockers'
import { connect } from './connect'
import { lockIds } from './locks'
import { listMigrations, type Migration } from './migration-files'
import { requireOwnSession } from './session-limits'

/** The driver omits a setting of 0, so a whole day stands for no limit. */
const dayMs = 86_400_000

/** Callbacks for progress and waiting, and a signal that ends the waiting. */
export type MigrationOptions = {
  /** Another process is migrating or restoring. */
  onWait?: (holder: string) => void
  /** Others hold what the next migration needs. */
  onBlocked?: (migration: string, holders: string) => void
  onApplied?: (migration: string, durationMs: number) => void
  /** Aborts the wait for another process that is migrating or restoring, with the signal's reason. */
  stop?: AbortSignal | undefined
}

/**
 * Migrates the database at `url`, PostgreSQL's own address, to the newest version while older programs continue to work
 * (docs/decisions/0017-migrations.md). Safe to call from several processes at once: the others wait for the first, and
 * then have nothing to do. Throws `conflict` if the database is newer than this program, or if others hold a table for
 * minutes.
 */
export async function migrate(url: string, options: MigrationOptions = {}): Promise<void> {
  // One connection that is never replaced, because locks belong to the session. The role's own limits are meant for
  // requests, so they are overridden.
  const sql = connect(url, {
    max: 1,
    max_lifetime: null,
    connection: {
      application_name: 'nocturne migration',
      statement_timeout: dayMs,
      lock_timeout: lockTimeoutMs,
    },
  })
  try {
    await requireOwnSession(sql, 'DATABASE_DIRECT_URL')
    await takeLock(sql, lockIds.migrationTurns, options)
    const pending = await withMigrationLock(sql, options, () => preparePending(sql))
    if (pending.length > 0) await applyAll(url, sql, { pending, options })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function preparePending(sql: Sql): Promise<Migration[]> {
  const { newest } = await appliedMigrations(sql)
  requireKnown(newest)
  const pending = listMigrations().filter(({ madeAtMs }) => madeAtMs > newest)
  // Created only if migrations are pending, because it needs the right to create a schema.
  if (pending.length > 0) await makeJournal(sql)
  return pending
}

async function applyAll(
  url: string,
  sql: Sql,
  { pending, options }: { pending: readonly Migration[]; options: MigrationOptions },
): Promise<void> {
  let name = ''
  const onBlocked = (holders: string) => options.onBlocked?.(name, holders)
  await watchBlockers(url, sql, onBlocked, async () => {
    for (const migration of pending) {
      const startedAt = performance.now()
      name = migration.name
      if (migration.isOutsideTransaction) await applyMigration(sql, migration)
      else await withMigrationLock(sql, options, () => applyUnlessApplied(sql, migration))
      options.onApplied?.(name, Math.round(performance.now() - startedAt))
    }
  })
}

/** Applies a migration unless an older program that has started in between has applied it. */
async function applyUnlessApplied(sql: Sql, migration: Migration): Promise<void> {
  const { newest } = await appliedMigrations(sql)
  if (newest < migration.madeAtMs) await applyMigration(sql, migration)
}

/**
 * Holds the lock only around `work`, which runs in transactions. An older program that starts meanwhile waits for this
 * lock in a statement, and the statement has a snapshot. Creating an index concurrently waits for that snapshot, so the
 * lock must not be held then.
 */
async function withMigrationLock<T>(sql: Sql, options: MigrationOptions, work: () => Promise<T>): Promise<T> {
  await takeLock(sql, lockIds.migrations, options)
  const done = await work()
  await sql`select pg_advisory_unlock(${lockIds.migrations})`
  return done
}

/** Waits by polling. A statement that waits would have a snapshot, which an index created concurrently waits for. */
async function takeLock(sql: Sql, lock: number, { onWait, stop }: MigrationOptions): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    stop?.throwIfAborted()
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lock}) as taken`
    if (row?.taken) return
    if (tries === 0) onWait?.(await lockHolder(sql, lock))
    await Bun.sleep(lockPollMs)
  }
}

const lockPollMs = 100

async function lockHolder(sql: Sql, lock: number): Promise<string> {
  const [holder] = await sql.unsafe<{ words: string }[]>(`
    select ${sessionWords} as words from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and datname = current_database()
      and (classid::bigint << 32) + objid::bigint = ${lock}`)
  return holder?.words ?? 'another process'
}

/** Creates the journal in drizzle's format, so that every version of the program can read it. */
async function makeJournal(sql: Sql | TransactionSql): Promise<void> {
  await sql`create schema if not exists drizzle`
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
}

/** Throws if the database is newer than this program, which would write rows that the newer version does not expect. */
function requireKnown(newest: number): void {
  const last = listMigrations().at(-1)
  if (newest <= (last?.madeAtMs ?? 0)) return
  throw new AppError(
    'conflict',
    `The database was migrated by a newer Nocturne, on ${new Date(newest).toISOString().slice(0, 10)}; this one knows it up to ${last?.name} and writes nothing. Start the newer one, or restore a backup of before into an empty database.`,
  )
}

/** Returns how many migrations the database has, and the names of those that are pending. */
export async function migrationStatus(url: string): Promise<{ applied: number; pending: string[] }> {
  const sql = connect(url, { max: 1 })
  try {
    const { applied, newest } = await appliedMigrations(sql)
    const pending = listMigrations().filter(({ madeAtMs }) => madeAtMs > newest)
    return { applied, pending: pending.map(({ name }) => name) }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function appliedMigrations(sql: Sql | TransactionSql): Promise<{ applied: number; newest: number }> {
  const [found] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`
  if (!found?.exists) return { applied: 0, newest: 0 }
  const [row] = await sql<{ applied: number; newest: number }[]>`
    select count(*)::int as applied, coalesce(max(created_at), 0)::float8 as newest from drizzle.__drizzle_migrations`
  return row ?? { applied: 0, newest: 0 }
}

/**
 * Runs the migrations made after `after` and up to `until` within the caller's transaction, which holds the migration
 * lock. For a restore, which first fills the schema of the backup's version.
 */
export async function migrateWithin(
  tx: TransactionSql,
  { after = 0, until = Number.POSITIVE_INFINITY }: { after?: number; until?: number },
): Promise<void> {
  await makeJournal(tx)
  for (const migration of listMigrations()) {
    if (migration.madeAtMs > after && migration.madeAtMs <= until) await applyWithin(tx, migration)
  }
}

/** Returns the newest migration of the database. Its name is "" if this program does not know it. */
export async function newestMigration(
  sql: Sql | TransactionSql,
): Promise<{ name: string; madeAtMs: number }> {
  const { newest } = await appliedMigrations(sql)
  const found = listMigrations().find(({ madeAtMs }) => madeAtMs === newest)
  return { name: found?.name ?? '', madeAtMs: newest }
}

/** Whether this program has the migration made at that time. */
export function knowsMigration(wantedMs: number): boolean {
  return listMigrations().some(({ madeAtMs }) => madeAtMs === wantedMs)
}
