import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'
import { connect } from './db'

const migrationsFolder = `${import.meta.dir}/migrations`
const lockKey = 6_287_781_101

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
    await sql`select pg_advisory_lock(${lockKey})`
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

async function appliedMigrations(sql: Sql): Promise<{ applied: number; newest: number }> {
  const [found] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`
  if (!found?.exists) return { applied: 0, newest: 0 }
  const [row] = await sql<{ applied: number; newest: number }[]>`
    select count(*)::int as applied, coalesce(max(created_at), 0)::float8 as newest from drizzle.__drizzle_migrations`
  return row ?? { applied: 0, newest: 0 }
}

/** Drizzle applies what is newer than the newest it has applied: so do we count. */
async function namesAfter(newest: number): Promise<string[]> {
  const journal: { entries: { tag: string; when: number }[] } = await Bun.file(
    `${migrationsFolder}/meta/_journal.json`,
  ).json()
  return journal.entries.filter((entry) => entry.when > newest).map((entry) => entry.tag)
}
