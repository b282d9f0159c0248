import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from './schema'

type Schema = typeof schema

/**
 * The drizzle database with two things more: `sql`, the postgres.js client beneath it (for COPY, cursors
 * and LISTEN), and `close()`, which lets running queries end and then hangs up.
 *
 * Drizzle makes the client pass dates and JSON through untouched: in raw `sql`, dates come back as text,
 * and a Date or an object is given as `date.toISOString()` or `JSON.stringify(value)` with a cast.
 */
export type Database = PostgresJsDatabase<Schema> & { sql: postgres.Sql; close(): Promise<void> }

/** What `db.transaction` hands to its function. */
export type Transaction = Parameters<Parameters<PostgresJsDatabase<Schema>['transaction']>[0]>[0]

/** A database or a transaction: what a verb takes that works in either. */
export type Executor = PgDatabase<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>

/**
 * Opens a pool on a PostgreSQL URL; nothing is connected before the first query.
 * `max` is the number of connections (10), `applicationName` what pg_stat_activity shows.
 */
export function openDatabase(
  url: string,
  options: { max?: number; applicationName?: string } = {},
): Database {
  const sql = connect(url, {
    max: options.max ?? 10,
    // A server at rest gives its connections back: each costs PostgreSQL some megabytes.
    idle_timeout: 60,
    connection: {
      application_name: options.applicationName ?? 'nocturne',
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  })
  return Object.assign(drizzle(sql, { schema }), { sql, close: () => sql.end({ timeout: 5 }) })
}

/**
 * A postgres.js client for `url`, which may name a Unix socket as libpq does
 * (`postgres://user@localhost/name?host=/folder&port=5432`): postgres.js itself cannot read that.
 */
export function connect(url: string, options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  return postgres(withoutSocket(url), {
    connect_timeout: 5,
    // Seconds. The driver's own goes up to 20, in which a database that is back would still seem away.
    backoff: (failures) => Math.min(2 ** failures / 100, 0.5),
    onnotice: () => {},
    ...socketOf(url),
    ...options,
  })
}

function socketOf(url: string): { path?: string } {
  const { searchParams, port } = new URL(url)
  const folder = searchParams.get('host')
  if (!folder?.startsWith('/')) return {}
  return { path: `${folder}/.s.PGSQL.${searchParams.get('port') ?? (port || '5432')}` }
}

function withoutSocket(url: string): string {
  const plain = new URL(url)
  // What postgres.js does not know it would send to the server as a setting, which refuses it.
  plain.searchParams.delete('host')
  plain.searchParams.delete('port')
  return plain.href
}

/** Whether a unique constraint (the named one, or any) refused the write. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = rootOf(error)
  return cause.code === '23505' && (constraint === undefined || cause.constraint_name === constraint)
}

/**
 * Whether the database could not be reached, is starting or stopping, or has no connection left: the
 * question was never wrong, and asking again later may work.
 */
export function isUnavailable(error: unknown): boolean {
  const { code = '', syscall } = rootOf(error)
  // A missing socket file is a database away; any other missing file is not.
  if (code === 'ENOENT') return syscall === 'connect'
  return unavailableCodes.has(code) || code.startsWith('08')
}

const unavailableCodes = new Set([
  // postgres.js
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  // the system
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // PostgreSQL: too many connections, shut down by the administrator, crashed, starting up
  '53300',
  '57P01',
  '57P02',
  '57P03',
])

/**
 * PostgreSQL keeps no NUL, in a text (22021) or within JSON (22P05), and no half of a surrogate pair within
 * JSON (22P02 of its JSON reader): such a text is the sender's mistake, whatever column it was meant for.
 */
export function isUnkeepable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (!('code' in each)) continue
    if (each.code === '22021' || each.code === '22P05') return true
    if (each.code === '22P02' && 'routine' in each && /json/.test(String(each.routine))) return true
  }
  return false
}

/** What the sender is told of it. */
export const unkeepableMessage = 'A text holds a character that cannot be kept, such as NUL. Take it out.'

interface DriverError {
  code?: string
  syscall?: string
  constraint_name?: string
}

/** Drizzle wraps what the driver threw; the code is on the innermost cause. */
function rootOf(error: unknown): DriverError {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return isDriverError(root) ? root : {}
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
