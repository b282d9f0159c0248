import type { Sql } from 'postgres'
import { AppError } from '#src/app-error'
import type { Database } from './db'
import { poolerMessage } from './explain'
import { lockIds } from './locks'

/** The oldest major version on which the migrations run. */
const majorMin = 16

/** Throws `not_configured` if the PostgreSQL at an address is too old. */
export async function requireVersion(sql: Sql, variable: string): Promise<void> {
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`
  const refusal = versionRefusal(row?.version ?? 0, variable)
  if (refusal) throw refusal
}

/** Returns the error for a version that is too old, or null. `version` is PostgreSQL's server_version_num. */
export function versionRefusal(version: number, variable: string): AppError | null {
  const major = Math.floor(version / 10_000)
  if (major >= majorMin) return null
  return new AppError(
    'not_configured',
    `The PostgreSQL of ${variable} is version ${major}; Nocturne needs ${majorMin} or newer. Upgrade it with pg_upgrade, or take another one.`,
  )
}

/**
 * Throws `not_configured` if our session settings do not reach the server. Then there is a pooler in between, which
 * would also lose prepared statements and notifications.
 */
export async function requireOwnSession(sql: Sql, variable: string): Promise<void> {
  // The source is checked instead of the value, which may come from the role: an earlier configuration may have set it
  // there for the same pooler.
  const [row] = await sql<{ source: string }[]>`
    select source from pg_settings where name = 'statement_timeout'`
  if (row?.source !== 'client') throw new AppError('not_configured', poolerMessage(variable, ''))
}

/**
 * Sets our session limits on the role of a pooler's connections, in this database only, unless an operator has set
 * others. Existing connections of the pooler do not get them; new ones do.
 */
export async function limitRole(db: Database, limits: Readonly<Record<string, number>>): Promise<void> {
  await db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${lockIds.roleLimits})`
    const set = await tx<{ name: string }[]>`
      select split_part(setting, '=', 1) as name from pg_db_role_setting, unnest(setconfig) as setting
      where setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and setrole in (0, (select oid from pg_roles where rolname = current_user))`
    for (const [name, value] of Object.entries(limits)) {
      if (set.some((each) => each.name === name)) continue
      await tx.unsafe(
        `do $$ begin execute format('alter role current_user in database %I set ${name} = ${value}', current_database()); end $$`,
      )
    }
  })
}
