import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { analyticsLock } from './lock'
import { forgetVisitors } from './reach'
import { retentionDays } from './rules'

/** Rows that change within minutes of being written: with room beside them the new version needs no entry in the index. */
const roomy = 'with (fillfactor = 70)'

/** What has a partition a month, and how it is stored: the events, and what the fold knows of their visitors. */
const storageOf = { analytics_events: '', analytics_sittings: roomy, analytics_visits: roomy } as const

type PartitionedTable = keyof typeof storageOf
const partitionedTables = Object.keys(storageOf) as PartitionedTable[]

type Partition = { table: PartitionedTable; name: string }

/** Makes the partitions of this month and the next two. Safe on many servers at once. */
export async function makePartitions(db: Database, now = new Date()): Promise<void> {
  const months = [0, 1, 2].map((ahead) => monthOf(now, ahead))
  const existing = new Set((await listPartitions(db)).map(({ name }) => name))
  const missing = months
    .flatMap((month) => partitionedTables.map((table) => ({ table, month, name: nameOf(table, month) })))
    .filter(({ name }) => !existing.has(name))
  if (missing.length === 0) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${analyticsLock})`)
    for (const { table, month, name } of missing) {
      const until = monthOf(month, 1)
      await tx.execute(
        sql.raw(
          `create table if not exists ${name} partition of ${table} for values from ('${month.toISOString()}') to ('${until.toISOString()}') ${storageOf[table]}`,
        ),
      )
    }
  })
}

/**
 * Drops the months that lie wholly before the retention, in events and in the visitors of the rollups. Returns the
 * dropped partitions of events; `days` is the retention of events.
 */
export async function pruneAnalytics(
  db: Database,
  { days = retentionDays, now = new Date() }: { days?: number; now?: Date } = {},
): Promise<{ droppedPartitions: string[] }> {
  const oldest = monthOf(new Date(now.getTime() - days * 24 * 3_600_000), 0)
  const since = oldest.toISOString()
  const old = (await listPartitions(db)).filter(
    ({ table, name }) => /_\d{4}_\d{2}$/.test(name) && name < nameOf(table, oldest),
  )
  const [stray] = await db.execute(
    sql`select 1 from analytics_events_default where timestamp < ${since}::timestamptz limit 1`,
  )
  if (old.length === 0 && !stray) return { droppedPartitions: [] }
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${analyticsLock})`)
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

async function listPartitions(db: Database): Promise<Partition[]> {
  const rows = await db.execute<Partition>(sql`
    select inhparent::regclass::text as table, inhrelid::regclass::text as name from pg_inherits
    where inhparent in (${sql.join(
      partitionedTables.map((table) => sql`${table}::regclass`),
      sql`, `,
    )}) order by 2`)
  return [...rows]
}

/** The first moment of the month `ahead` months after that of `date`, UTC. */
function monthOf(date: Date, ahead: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1))
}

const nameOf = (table: string, month: Date) => `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`
