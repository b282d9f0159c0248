import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import { connect } from './connect'
import { type Heartbeat, listen, type NotificationListener } from './listen'
import { type ReplicaOptions, type ReplicaWatch, watchReplica } from './replica'
import * as schema from './schema'
import type { SentQuery } from './watch-statements'

type Schema = typeof schema

/**
 * The drizzle database with more: `sql`, the postgres.js client beneath it (for COPY and cursors); `listen`, which
 * resolves with the first LISTEN and goes on until `close()`, which lets running queries end and then hangs up.
 *
 * Drizzle makes the client pass dates and JSON through untouched: in raw `sql`, dates come back as text,
 * and a Date or an object is given as `date.toISOString()` or `JSON.stringify(value)` with a cast.
 */
export type Database = PostgresJsDatabase<Schema> & {
  sql: Sql
  listen(channel: string, listener: Omit<NotificationListener, 'onSilence'>): Promise<void>
  /** Where a replica was named: what `fromReplica` reads from, and whether it may. */
  replica: { reader: PostgresJsDatabase<Schema>; watch: ReplicaWatch; close(): Promise<void> } | null
  /** How many connections are in each state, and how many queries wait for one. */
  pool(): PoolState
  close(): Promise<void>
}

type PoolState = { open: number; busy: number; connecting: number; waiting: number }

/** What `db.transaction` hands to its function. */
export type Transaction = Parameters<Parameters<PostgresJsDatabase<Schema>['transaction']>[0]>[0]

/** A database or a transaction: what a verb takes that works in either. */
export type Executor = PgDatabase<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>

type Options = {
  /** The number of connections. */
  max?: number
  /** What pg_stat_activity shows. */
  applicationName?: string
  /** PostgreSQL's own address where `url` is a pooler's. */
  directUrl?: string | undefined
  /** A streaming standby for reads that may lag. */
  replica?: (ReplicaOptions & { url: string }) | undefined
  /** Of the connection for notifications. */
  heartbeat?: Heartbeat
  /** Called with each statement as it is given to the driver. */
  observe?: (query: SentQuery) => void
}

/** Limits of every statement and transaction, in milliseconds, in the names of PostgreSQL's settings. */
export const sessionLimits = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 }

/**
 * Opens a pool on a PostgreSQL URL; nothing is connected before the first query. Behind a pooler in transaction mode
 * (`directUrl` is given) nothing belongs to a session: no settings, no prepared statements
 * (docs/decisions/0015-pooler.md), and the limits are those of the role (`limitRole`).
 */
export function openDatabase(
  url: string,
  {
    max = 10,
    applicationName = 'nocturne',
    directUrl,
    replica: replicaOptions,
    heartbeat,
    observe,
  }: Options = {},
): Database {
  const pooled = {
    max,
    ...observedBy(observe),
    // An idle server closes its connections: each costs PostgreSQL some megabytes.
    idle_timeout: 60,
    prepare: directUrl === undefined,
    connection: { application_name: applicationName, ...(directUrl === undefined && sessionLimits) },
  }
  const sql = connect(url, pooled)
  const replica = replicaOptions
    ? openReplica(sql, connect(replicaOptions.url, pooled), replicaOptions)
    : null
  const listeners: ReturnType<typeof listen>[] = []
  return Object.assign(drizzle(sql, { schema }), {
    sql,
    replica,
    pool: () => patched(sql).pool(),
    listen(channel: string, listener: Omit<NotificationListener, 'onSilence'>) {
      // Queries on connections to a machine that has vanished would wait for a quarter of an hour.
      const callbacks = { ...listener, onSilence: () => patched(sql).hangUp() }
      const opened = listen(directUrl ?? url, channel, callbacks, heartbeat)
      listeners.push(opened)
      return opened.listening
    },
    async close() {
      await Promise.all([sql.end({ timeout: 5 }), replica?.close(), ...listeners.map((each) => each.stop())])
    },
  })
}

function openReplica(primary: Sql, sql: Sql, options: ReplicaOptions) {
  const watch = watchReplica({ primary, replica: sql, hangUp: () => patched(sql).hangUp() }, options)
  return {
    reader: drizzle(sql, { schema }),
    watch,
    close() {
      watch.stop()
      return sql.end({ timeout: 5 })
    },
  }
}

/** An option of the driver's patch, which its types do not know. */
function observedBy(observe: Options['observe']): object {
  return observe === undefined ? {} : { observe }
}

type Patched = Sql & { pool(): PoolState; hangUp(): void }

/** The client with what the driver's patch adds, which its types do not know. */
function patched(sql: Sql): Patched {
  if (!isPatched(sql)) throw new Error('The driver is not patched. Run bun install.')
  return sql
}

function isPatched(sql: Sql): sql is Patched {
  return 'pool' in sql && 'hangUp' in sql
}
