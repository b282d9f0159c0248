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
 * The drizzle database with two additions. `sql` is the underlying postgres.js client, for COPY and cursors. `listen`
 * resolves with the first LISTEN and listens until `close()`, which waits for running queries and then disconnects.
 *
 * Drizzle makes the client pass dates and JSON through unchanged: in raw `sql`, dates are returned as text, and a Date
 * or an object has to be passed as `date.toISOString()` or `JSON.stringify(value)` with a cast.
 */
export type Database = PostgresJsDatabase<Schema> & {
  sql: Sql
  listen(channel: string, listener: Omit<NotificationListener, 'onSilence'>): Promise<void>
  /** The replica, if one is configured: the connection that `fromReplica` reads from, and whether it may. */
  replica: { reader: PostgresJsDatabase<Schema>; watch: ReplicaWatch; close(): Promise<void> } | null
  /** The number of connections in each state, and of queries waiting for one. */
  pool(): PoolState
  close(): Promise<void>
}

type PoolState = { open: number; busy: number; connecting: number; waiting: number }

/** The argument of the function that is passed to `db.transaction`. */
export type Transaction = Parameters<Parameters<PostgresJsDatabase<Schema>['transaction']>[0]>[0]

/** A database or a transaction, for functions that work with either. */
export type Executor = PgDatabase<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>

type Options = {
  /** The number of connections. */
  max?: number
  /** The name shown in pg_stat_activity. */
  applicationName?: string
  /** PostgreSQL's own address, if `url` is a pooler's. */
  directUrl?: string | undefined
  /** A streaming standby, for reads that may lag. */
  replica?: (ReplicaOptions & { url: string }) | undefined
  /** Heartbeat of the connection for notifications. */
  heartbeat?: Heartbeat
  /** Called with each statement when it is passed to the driver. */
  observe?: (query: SentQuery) => void
}

/** Limits of every statement and transaction in milliseconds, under the names of PostgreSQL's settings. */
export const sessionLimits = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 }

/**
 * Opens a pool for a PostgreSQL URL. It connects at the first query. If `directUrl` is given, `url` is a pooler in
 * transaction mode, where nothing may belong to a session: no settings and no prepared statements
 * (docs/decisions/0015-pooler.md). The limits are set on the role instead (`limitRole`).
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
    // An idle server closes its connections, because each costs PostgreSQL some megabytes.
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

/** An option that our patch adds to the driver. Its types do not know it. */
function observedBy(observe: Options['observe']): object {
  return observe === undefined ? {} : { observe }
}

type Patched = Sql & { pool(): PoolState; hangUp(): void }

/** Returns the client with the methods that our patch adds. The driver's types do not know them. */
function patched(sql: Sql): Patched {
  if (!isPatched(sql)) throw new Error('The driver is not patched. Run bun install.')
  return sql
}

function isPatched(sql: Sql): sql is Patched {
  return 'pool' in sql && 'hangUp' in sql
}
