import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { hoursBefore, isoDay, type WindowActivity } from './activity'
import { type Timeframe, timeframeHours } from './rules'
import type { TrendingStats } from './schema'

/**
 * The four figures of a timeframe: views and upvotes of the published items in it, items published in it, and
 * members with a shared item that was made, seen or liked in it.
 */
export async function countStats(
  db: Executor,
  timeframe: Timeframe,
  { items, upvotes }: WindowActivity,
  now: Date,
): Promise<TrendingStats> {
  const from = startOf(timeframe, now)
  const [row] = await db.execute<{ newContent: number; activeCreators: number }>(sql`
    select
      (select count(*) from stories where status = 'published' and source = 'pre_uploaded'
        and published_at >= ${from.toISOString()}::timestamptz)::int as "newContent",
      (select count(distinct user_id) from stories where status = 'published' and source = 'user_generated' and is_shared
        and (published_at >= ${from.toISOString()}::timestamptz or exists (
          select from item_days where item_days.story_id = stories.id and day >= ${isoDay(from)}::date and views + item_days.upvotes > 0
        )))::int as "activeCreators"`)
  return {
    totalViews: items.reduce((sum, { views }) => sum + views, 0),
    totalUpvotes: upvotes,
    newContent: row?.newContent ?? 0,
    activeCreators: row?.activeCreators ?? 0,
  }
}

/** When a timeframe begins; All Time with the earliest possible date. */
export function startOf(timeframe: Timeframe, now: Date): Date {
  const hours = timeframeHours[timeframe]
  return hours === null ? new Date(0) : hoursBefore(now, hours)
}
