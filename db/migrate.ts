import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Sql, TransactionSql } from 'postgres'
import { AppError } from '#src/app-error'
import { connect } from './connect'

const migrationsFolder = `${import.meta.dir}/migrations`
/** Advisory lock of every process that changes the schema: migrations, and a restore. */
export const migrationLock = 6_287_781_101

/**
 * Brings the database at `url` to the newest migration; all pending ones land in one transaction or none, under a lock
 * that ends with it. Safe to call from several starters at once: the others wait for the first, say so by `onWait`, and
 * then find nothing to do. Throws `conflict` where the database is newer than this program.
 */
export async function migrate(url: string, onWait: (holder: string) => void = () => {}): Promise<void> {
  const sql = connect(url, { max: 1, connection: { application_name: 'nocturne migration' } })
  try {
    await sql.begin(async (tx) => {
      // Behind a pooler the role has a limit, which is meant for requests.
      await tx`set local statement_timeout = 0`
      await waitForLock(tx, onWait)
      const { newest } = await appliedMigrations(tx)
      await requireKnown(newest)
      const pending = await namesAfter(newest)
      // Without any, this needs no right to create a schema.
      if (pending.length > 0) await migrateWithin(tx, { after: newest })
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function waitForLock(tx: TransactionSql, onWait: (holder: string) => void): Promise<void> {
  const [row] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${migrationLock}) as taken`
  if (row?.taken) return
  const [holder] = await tx<{ words: string }[]>`
    select concat_ws(', ', nullif(application_name, ''), 'process ' || pid, host(client_addr)) as words
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and datname = current_database()
      and (classid::bigint << 32) + objid::bigint = ${migrationLock}::bigint`
  onWait(holder?.words ?? 'another process')
  await tx`select pg_advisory_xact_lock(${migrationLock})`
}

/** An older program would write rows that the newer schema's program does not expect. */
async function requireKnown(newest: number): Promise<void> {
  const last = (await journalEntries()).at(-1)
  if (newest <= (last?.when ?? 0)) return
  throw new AppError(
    'conflict',
    `The database was migrated by a newer Nocturne, on ${new Date(newest).toISOString().slice(0, 10)}; this one knows it up to ${last?.tag} and writes nothing. Start the newer one, or restore a backup of before into an empty database.`,
  )
}

/** How many migrations the database has, and the names of those it does not have yet. */
export async function migrationStatus(url: string): Promise<{ applied: number; pending: string[] }> {
  const sql = connect(url, { max: 1 })
  try {
    const { applied, newest } = await appliedMigrations(sql)
    return { applied, pending: await namesAfter(newest) }
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
 * Runs the migrations made after `after` and up to `until` within a transaction of the caller, which holds
 * `migrationLock`: for a restore, which first fills the schema of the backup's version.
 */
export async function migrateWithin(
  tx: TransactionSql,
  { after = 0, until = Number.POSITIVE_INFINITY }: { after?: number; until?: number },
): Promise<void> {
  await tx`create schema if not exists drizzle`
  await tx`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
  for (const { folderMillis, hash, sql } of readMigrationFiles({ migrationsFolder })) {
    if (folderMillis <= after || folderMillis > until) continue
    for (const statement of sql) await tx.unsafe(statement)
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
  }
}

/** The newest migration that the database has; a name of "" where it has none that this program knows. */
export async function newestMigration(
  sql: Sql | TransactionSql,
): Promise<{ name: string; madeAtMs: number }> {
  const { newest } = await appliedMigrations(sql)
  const entries = await journalEntries()
  return { name: entries.find((entry) => entry.when === newest)?.tag ?? '', madeAtMs: newest }
}

/** Whether this program has the migration made at that time. */
export async function knowsMigration(madeAtMs: number): Promise<boolean> {
  return (await journalEntries()).some((entry) => entry.when === madeAtMs)
}

/** Drizzle applies the migrations newer than the newest applied one; pending ones are counted in the same way. */
async function namesAfter(newest: number): Promise<string[]> {
  return (await journalEntries()).filter((entry) => entry.when > newest).map((entry) => entry.tag)
}

async function journalEntries(): Promise<{ tag: string; when: number }[]> {
  const journal: { entries: { tag: string; when: number }[] } = await Bun.file(
    `${migrationsFolder}/meta/_journal.json`,
  ).json()
  return journal.entries
}
