import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'

/** Whether a statement waits for a lock, of whatever kind, in this database. Databases of other tests share the server. */
export async function isLockAwaited(db: Executor): Promise<boolean> {
  const waiting = await db.execute(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return waiting.length > 0
}

/** Whether a statement waits for a lock on a table of this database. */
export async function isTableAwaited(db: Executor, table: string): Promise<boolean> {
  const waiting = await db.execute(sql`
    select 1 from pg_locks where not granted and relation = ${table}::regclass
      and database = (select oid from pg_database where datname = current_database())`)
  return waiting.length > 0
}

/** Lists the tables in which each transaction that waits for a lock has locked or written rows, or is about to. */
export async function listTablesOfWaiting(db: Executor): Promise<string[][]> {
  const waiting = await db.execute<{ tables: string[] }>(sql`
    select array_agg(distinct relname::text) as tables
    from pg_locks join pg_stat_activity using (pid) join pg_class on pg_class.oid = relation
    where datname = current_database() and wait_event_type = 'Lock' and relkind in ('r', 'p')
      and mode in ('RowShareLock', 'RowExclusiveLock')
    group by pid`)
  return waiting.map(({ tables }) => tables)
}
