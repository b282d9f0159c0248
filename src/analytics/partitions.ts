import { sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { lock } from '#db/locks'
import { keysOf } from '#src/shape/pick'
import { forgetVisitors } from './reach'
import { retentionDays } from './rules'

/**
 * For rows that change within minutes of being written: with free space on the page, a new version needs no index
 * entry.
 */
const roomy = 'with (fillfactor = 70)'

/**
 * Tables with monthly partitions (the events, and what the fold stores about their visitors), with their partition key
 * and storage options.
 */
const layoutOf = {
  analytics_events: { key: 'timestamp', storage: '' },
  analytics_sittings: { key: 'day', storage: roomy },
  analytics_visits: { key: 'day', storage: roomy },
} as const

type PartitionedTable = keyof typeof layoutOf
const partitionedTables = keysOf(layoutOf)

type Partition = { table: PartitionedTable; name: string }

/** Makes the partitions of this month and the next two. Safe on many servers at once. */
export async function makePartitions(db: Database, now = new Date()): Promise<void> {
  const months = [0, 1, 2].map((ahead) => monthOf(now, ahead))
  const wanted = months.flatMap((month) =>
    partitionedTables.map((table) => ({ table, month, name: nameOf(table, month) })),
  )
  const existing = await namePartitions(db)
  for (const each of wanted) if (!existing.has(each.name)) await makePartition(db, each)
}

/**
 * Creates a partition, and moves into it the rows of its month from the default partition. These come from a wrong
 * clock, or from months in which no partition could be created. There may be many, and PostgreSQL refuses a partition
 * while the default one has rows of it.
 */
async function makePartition(
  db: Database,
  { table, month, name }: Partition & { month: Date },
): Promise<void> {
  const { key, storage } = layoutOf[table]
  const [from, until] = [month, monthOf(month, 1)].map((date) => `'${date.toISOString()}'`)
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    await lock(tx, 'analytics')
    if ((await namePartitions(tx)).has(name)) return
    await waitBriefly(tx)
    for (const statement of [
      // Prevents inserts between the move and the end of the transaction.
      `lock table ${table}_default in access exclusive mode`,
      `create table ${name} (like ${table} including all) ${storage}`,
      `with moved as (delete from ${table}_default where ${key} >= ${from} and ${key} < ${until} returning *)
        insert into ${name} select * from moved`,
      `alter table ${table} attach partition ${name} for values from (${from}) to (${until})`,
    ])
      await tx.execute(sql.raw(statement))
  })
}

/**
 * Ends the transaction with a contention error if it would wait for a table for more than a second, as while a backup
 * reads a partition. New events and dashboards wait behind it, and the next attempt is ten minutes later.
 */
async function waitBriefly(tx: Executor): Promise<void> {
  await tx.execute(sql`set local lock_timeout = '1s'`)
}

async function namePartitions(db: Executor): Promise<Set<string>> {
  return new Set((await listPartitions(db)).map(({ name }) => name))
}

/**
 * Drops the months that lie wholly before the retention period, in events and in the visitors of the rollups. Returns
 * the dropped partitions of events. `days` is the retention of events, by the database's clock: otherwise one of
 * several machines whose clock is years ahead would drop what all of them have counted.
 */
export async function pruneAnalytics(
  db: Database,
  { days = retentionDays }: { days?: number } = {},
): Promise<{ droppedPartitions: string[] }> {
  const oldest = await findOldestMonth(db, days)
  const since = oldest.toISOString()
  const old = (await listPartitions(db)).filter(
    ({ table, name }) => /_\d{4}_\d{2}$/.test(name) && name < nameOf(table, oldest),
  )
  const [stray] = await db.execute(
    sql`select 1 from analytics_events_default where timestamp < ${since}::timestamptz limit 1`,
  )
  if (old.length === 0 && !stray) return { droppedPartitions: [] }
  await db.transaction(async (tx) => {
    await lock(tx, 'analytics')
    await waitBriefly(tx)
    for (const { name } of old) await tx.execute(sql.raw(`drop table if exists ${name}`))
    await tx.execute(sql`delete from analytics_events_default where timestamp < ${since}::timestamptz`)
    await tx.execute(sql`delete from analytics_sittings_default where day < ${since.slice(0, 10)}::date`)
    await tx.execute(sql`delete from analytics_visits_default where day < ${since.slice(0, 10)}::date`)
  })
  await forgetVisitors(db, since.slice(0, 10))
  await db.execute(sql`delete from tracking_sessions where last_seen < ${since}::timestamptz`)
  const events = old.filter(({ table }) => table === 'analytics_events')
  return { droppedPartitions: events.map(({ name }) => name) }
}

async function findOldestMonth(db: Executor, days: number): Promise<Date> {
  const [row] = await db.execute<{ at: string }>(sql`select now() - make_interval(days => ${days}) as at`)
  return monthOf(new Date(row?.at ?? 0), 0)
}

async function listPartitions(db: Executor): Promise<Partition[]> {
  const rows = await db.execute<Partition>(sql`
    select inhparent::regclass::text as table, inhrelid::regclass::text as name from pg_inherits
    where inhparent in (${sql.join(
      partitionedTables.map((table) => sql`${table}::regclass`),
      sql`, `,
    )}) order by 2`)
  return [...rows]
}

/** The beginning of the month `ahead` months after that of `date`, in UTC. */
function monthOf(date: Date, ahead: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1))
}

const nameOf = (table: string, month: Date) => `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`
