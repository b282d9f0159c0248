import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import type { Sql, TransactionSql } from 'postgres'
import { connect } from './db'

const migrationsFolder = `${import.meta.dir}/migrations`
/** Held by whoever changes the schema: migrations, and a restore. */
export const migrationLock = 6_287_781_101

/**
 * Brings the database at `url` to the newest migration; all pending ones land in one transaction or none.
 * Safe to call from several starters at once: the others wait for the first and then find nothing to do.
 * Behind PgBouncer `url` has to be the direct one, since the lock belongs to the session.
 */
export async function migrate(url: string): Promise<void> {
  // One session that is never replaced: a lock taken on it has to guard what runs on it.
  const sql = connect(url, {
    max: 1,
    max_lifetime: null,
    connection: { application_name: 'nocturne migration' },
  })
  try {
    await sql`select pg_advisory_lock(${migrationLock})`
    await runMigrations(drizzle(sql), { migrationsFolder })
  } finally {
    await sql.end({ timeout: 5 })
  }
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
 * Runs the migrations made after `after` and up to `until` within a transaction of the caller, who holds
 * `migrationLock`: for a restore, which fills the schema of its day before it goes on from there.
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

/** The newest migration that the database has; a name of "" where it has none that we know. */
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

/** Drizzle applies what is newer than the newest it has applied: so do we count. */
async function namesAfter(newest: number): Promise<string[]> {
  return (await journalEntries()).filter((entry) => entry.when > newest).map((entry) => entry.tag)
}

async function journalEntries(): Promise<{ tag: string; when: number }[]> {
  const journal: { entries: { tag: string; when: number }[] } = await Bun.file(
    `${migrationsFolder}/meta/_journal.json`,
  ).json()
  return journal.entries
}
