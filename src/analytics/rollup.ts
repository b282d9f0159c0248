import { sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#db/db'
import { mergeLinkedVisitors } from './merge'
import { analyticsLock } from './partitions'
import { rebuildDays } from './rebuild-day'
import { eventAgeMsMax } from './rules'

export type Rollup = { days: string[] }

/**
 * An insert of another process may commit after a later one: arrivals are read again for so long. No statement runs
 * longer than 30 seconds (db/db.ts).
 */
const overlapSeconds = 60
const watermark = 'rollup'

/**
 * Brings the rollups up to date: links of visitors who signed in, then each day with new events, rebuilt whole. Exact
 * however late events arrive and however often it runs. One at a time in all processes: waits for another's run,
 * after which nothing is left to do. Returns the rebuilt days.
 */
export async function rollUp(db: Database): Promise<Rollup> {
  if (!(await hasNews(db))) return { days: [] }
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${analyticsLock})`)
    return bringUpToDate(tx)
  })
}

/** The same for a timer: does nothing where another process runs it. */
export async function rollUpIfFree(db: Database): Promise<Rollup> {
  if (!(await hasNews(db))) return { days: [] }
  return db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(${analyticsLock}) as taken`,
    )
    return lock?.taken ? bringUpToDate(tx) : { days: [] }
  })
}

/** Deletes the rollups of all days that have events, and rebuilds them. */
export async function rebuildAll(db: Database): Promise<Rollup> {
  return db.transaction(async (tx) => {
    // An operator requested it and waits: over years of events a single query takes longer than a page may.
    await tx.execute(sql`set local statement_timeout = 0`)
    await tx.execute(sql`select pg_advisory_xact_lock(${analyticsLock})`)
    await tx.execute(sql`delete from analytics_last_days`)
    await tx.execute(sql`delete from analytics_reach`)
    const days = await tx.execute<{ day: string }>(sql`
      select distinct (timestamp at time zone 'UTC')::date::text as day from analytics_events order by 1 desc`)
    const oldest = days.at(-1)
    if (oldest) {
      for (const table of ['analytics_days', 'analytics_day_events', 'analytics_day_searches'])
        await tx.execute(sql`delete from ${sql.identifier(table)} where day >= ${oldest.day}::date`)
      await tx.execute(sql`delete from daily_aggregates where date >= ${oldest.day}::date`)
      const month = sql`date_trunc('month', ${oldest.day}::date)::date`
      // An earlier day's events of that month are gone, but its daily sums remain.
      await tx.execute(sql`delete from monthly_aggregates where month >= ${month}`)
    }
    await mergeLinkedVisitors(tx)
    // From the last day back: a visitor of a later day need not be written again for an earlier one.
    const all = days.map(({ day }) => day)
    await rebuildDays(tx, all)
    await moveWatermark(tx)
    return { days: all }
  })
}

/** Whether there are new events. Dashboards check this each time, so it takes no lock and writes nothing. */
async function hasNews(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ has_links: boolean }>(
    sql`select exists (select from analytics_links) as has_links`,
  )
  return row?.has_links === true || (await listArrivedDays(db)).length > 0
}

async function bringUpToDate(tx: Transaction): Promise<Rollup> {
  const changed = await mergeLinkedVisitors(tx)
  const days = [...new Set([...changed, ...(await listGrownDays(tx))])].sort()
  await rebuildDays(tx, days)
  await moveWatermark(tx)
  return { days }
}

/**
 * The days with events since the last run. The time is read first and put into the query as a value: with a subquery
 * the planner expects a third of all events, and reads them all.
 */
async function listArrivedDays(db: Executor): Promise<string[]> {
  const [since] = await db.execute<{ at: string }>(sql`
    select coalesce(max(received_at) - make_interval(secs => ${overlapSeconds}), '-infinity')::text as at
    from analytics_watermarks where name = ${watermark}`)
  const at = sql`${since?.at ?? '-infinity'}::timestamptz`
  // Events older than a week are refused, so earlier months need not be read; a day more for clocks that differ.
  const days = await db.execute<{ day: string }>(sql`
    select distinct (timestamp at time zone 'UTC')::date::text as day from analytics_events
    where received_at > ${at} and timestamp > ${at} - make_interval(secs => ${eventAgeMsMax / 1_000 + 86_400})`)
  return days.map(({ day }) => day)
}

/** Those with more events than were counted. Events of a day are only ever added. */
async function listGrownDays(tx: Transaction): Promise<string[]> {
  const grown: string[] = []
  for (const day of await listArrivedDays(tx)) {
    const [row] = await tx.execute<{ is_grown: boolean }>(sql`
      select (select count(*) from analytics_events
          where timestamp >= (${day}::date)::timestamp at time zone 'UTC'
            and timestamp < (${day}::date + 1)::timestamp at time zone 'UTC')
        <> coalesce((select events from analytics_days where category = 'all' and day = ${day}::date), 0) as is_grown`)
    if (row?.is_grown) grown.push(day)
  }
  return grown
}

async function moveWatermark(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    insert into analytics_watermarks (name, received_at) values (${watermark}, now())
    on conflict (name) do update set received_at = excluded.received_at`)
}
