import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { retentionDays } from './rules'

/** Locks of the analytics, one number each. */
export const analyticsLock = 7_301

/** Makes the partitions of this month and the next two. Safe on many servers at once. */
export async function makePartitions(db: Database, now = new Date()): Promise<void> {
  const months = [0, 1, 2].map((ahead) => monthOf(now, ahead))
  const existing = new Set(await listPartitions(db))
  const missing = months.filter((month) => !existing.has(nameOf(month)))
  if (missing.length === 0) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${analyticsLock})`)
    for (const month of missing) {
      const until = monthOf(month, 1)
      await tx.execute(
        sql.raw(
          `create table if not exists ${nameOf(month)} partition of analytics_events for values from ('${month.toISOString()}') to ('${until.toISOString()}')`,
        ),
      )
    }
  })
}

/**
 * Drops the months that lie wholly before the retention, in events and in the visitors of the rollups. Returns the
 * dropped partitions; `days` is the retention of events.
 */
export async function pruneAnalytics(
  db: Database,
  { days = retentionDays, now = new Date() }: { days?: number; now?: Date } = {},
): Promise<{ droppedPartitions: string[] }> {
  const oldest = monthOf(new Date(now.getTime() - days * 24 * 3_600_000), 0)
  const since = oldest.toISOString()
  const old = (await listPartitions(db)).filter((name) => /_\d{4}_\d{2}$/.test(name) && name < nameOf(oldest))
  const [stray] = await db.execute(
    sql`select 1 from analytics_events_default where timestamp < ${since}::timestamptz limit 1`,
  )
  if (old.length === 0 && !stray) return { droppedPartitions: [] }
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${analyticsLock})`)
    for (const name of old) await tx.execute(sql.raw(`drop table if exists ${name}`))
    await tx.execute(sql`delete from analytics_events_default where timestamp < ${since}::timestamptz`)
    await tx.execute(sql`delete from analytics_last_days where last_day < ${since.slice(0, 10)}::date`)
    await tx.execute(sql`delete from analytics_reach where last_day < ${since.slice(0, 10)}::date`)
    await tx.execute(sql`delete from tracking_sessions where last_seen < ${since}::timestamptz`)
  })
  return { droppedPartitions: old }
}

async function listPartitions(db: Database): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'analytics_events'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** The first moment of the month `ahead` months after that of `date`, UTC. */
function monthOf(date: Date, ahead: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1))
}

const nameOf = (month: Date) => `analytics_events_${month.toISOString().slice(0, 7).replace('-', '_')}`
