import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { lock, lockWithin, tryLock } from '#db/locks'
import { fold } from './fold'
import { takeArrivals, takeDay } from './fold-batch'
import { dropOldLinks, mergeLinkedVisitors } from './merge'
import { eventAgeMsMax } from './rules'

export type Rollup = { days: string[] }

/** Another process's rollup takes less time than this, unless it folds days anew. */
const waitMsMax = 1_000

/** The name of the watermark of an older version, which counted whole days; see `refoldOpenDays`. */
const watermark = 'rollup'

/**
 * Brings the rollups up to date: first links of visitors who signed in, then all events that have arrived. The result
 * is exact, however late events arrive and however often this runs. Only one process runs it at a time; it waits for
 * another's run, after which nothing is left to do. Returns the days that changed. Throws a contention error if the
 * other run takes long.
 */
export async function rollUp(db: Database): Promise<Rollup> {
  if (!(await hasNews(db))) return { days: [] }
  return db.transaction(async (tx) => {
    await lockWithin(tx, 'analytics', waitMsMax)
    return foldNews(tx)
  })
}

/** Like `rollUp`, for a timer: does nothing while another process is rolling up. */
export async function rollUpIfFree(db: Database): Promise<Rollup> {
  if (!(await hasNews(db))) return { days: [] }
  return db.transaction(async (tx) => {
    return (await tryLock(tx, 'analytics')) ? foldNews(tx) : { days: [] }
  })
}

/** Like `rollUp`, within a transaction that holds the lock. */
export async function foldNews(tx: Transaction): Promise<Rollup> {
  const refolded = await refoldOpenDays(tx)
  const days = await fold(tx, async () => {
    await mergeLinkedVisitors(tx)
    await takeArrivals(tx)
  })
  await dropOldLinks(tx)
  return { days: [...new Set([...refolded, ...days])].sort() }
}

/** Deletes the rollups of all days that have events, and folds them anew. */
export async function rebuildAll(db: Database): Promise<Rollup> {
  return db.transaction(async (tx) => {
    await takeAsLongAsNeeded(tx)
    await lock(tx, 'analytics')
    await tx.execute(sql`delete from analytics_last_days`)
    await tx.execute(sql`delete from analytics_reach`)
    await tx.execute(sql`delete from analytics_watermarks where name = ${watermark}`)
    await fold(tx, () => mergeLinkedVisitors(tx))
    const days = await refoldSince(tx, null)
    await dropOldLinks(tx)
    return { days }
  })
}

/** Whether there is anything new to count. Dashboards check this each time, so it takes no lock and writes nothing. */
async function hasNews(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ has_news: boolean }>(sql`
    select exists (select from analytics_arrivals) or exists (select from analytics_links)
      or exists (select from analytics_watermarks where name = ${watermark}) as has_news`)
  return row?.has_news === true
}

/**
 * Folds days anew if an older version, or a backup of one, has left its watermark: it stored days, but not their
 * visitors. Only days for which events may still arrive are affected. If such a version still runs beside this one, it
 * writes its watermark again and again.
 */
async function refoldOpenDays(tx: Transaction): Promise<string[]> {
  const left = await tx.execute(
    sql`delete from analytics_watermarks where name = ${watermark} returning name`,
  )
  if (left.length === 0) return []
  await takeAsLongAsNeeded(tx)
  // One more day, for clocks that differ.
  return refoldSince(tx, new Date(Date.now() - eventAgeMsMax - 86_400_000))
}

/** Folds the days from a date on anew, or all that have events. It begins with the last day: see `moveReach`. */
async function refoldSince(tx: Transaction, since: Date | null): Promise<string[]> {
  const from = sql`coalesce(${since?.toISOString().slice(0, 10) ?? null}::date, '-infinity')`
  const found = await tx.execute<{ day: string }>(sql`
    select distinct (timestamp at time zone 'UTC')::date::text as day from analytics_events
    where timestamp >= ${from}::timestamp at time zone 'UTC' order by 1 desc`)
  const days = found.map(({ day }) => day)
  const oldest = days.at(-1)
  if (!oldest) return []
  await clearSince(tx, oldest)
  for (const day of days) await fold(tx, () => takeDay(tx, day))
  return days
}

/** Deletes the sums from a day on. In its month the sums of earlier days remain, since their events may be gone. */
async function clearSince(tx: Transaction, day: string): Promise<void> {
  for (const table of [
    'analytics_days',
    'analytics_day_events',
    'analytics_day_searches',
    'analytics_sittings',
    'analytics_visits',
  ])
    await tx.execute(sql`delete from ${sql.identifier(table)} where day >= ${day}::date`)
  await tx.execute(sql`delete from daily_aggregates where date >= ${day}::date`)
  const month = sql`date_trunc('month', ${day}::date)::date`
  await tx.execute(sql`delete from monthly_aggregates where month >= ${month}`)
  await tx.execute(sql`
    insert into monthly_aggregates (month, content_id, views, time_ms, completed_25, completed_50, completed_75, completed_100)
    select ${month}, content_id, sum(total_views), sum(total_time_ms),
      sum(completed_25), sum(completed_50), sum(completed_75), sum(completed_100)
    from daily_aggregates where date >= ${month} group by content_id`)
}

/** Turns the statement timeout off: with many events a single query takes longer than a request's may. */
async function takeAsLongAsNeeded(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`)
}
