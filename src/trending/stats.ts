import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { hoursBefore, isoDay } from './activity'
import { rankingCachesOf } from './ranking-cache'
import { refreshIfSmall } from './refresh'
import { type Timeframe, timeframeHours } from './rules'
import type { TrendingStats } from './schema'

/**
 * The four figures of a timeframe: views and upvotes of published items, published items, and members with a shared
 * item that was created, viewed or upvoted in it.
 */
export async function findStats(db: Executor, timeframe: Timeframe): Promise<TrendingStats> {
  if ((await refreshIfSmall(db)) === null) return countStats(db, timeframe)
  return rankingCachesOf(db).stats(timeframe, () =>
    fromReplica(db, 'rankings', (from) => countStats(from, timeframe)),
  )
}

async function countStats(db: Executor, timeframe: Timeframe): Promise<TrendingStats> {
  const from = startOf(timeframe, new Date())
  const [row] = await db.execute<TrendingStats>(sql`
    select views::float8 as "totalViews", upvotes::float8 as "totalUpvotes",
      (select count(*) from stories where status = 'published' and source = 'pre_uploaded'
        and published_at >= ${from.toISOString()}::timestamptz)::int as "newContent",
      (select count(distinct user_id) from stories where status = 'published' and source = 'user_generated' and is_shared
        and (published_at >= ${from.toISOString()}::timestamptz or exists (
          select from item_days where item_days.story_id = stories.id and day >= ${isoDay(from)}::date and views + item_days.upvotes > 0
        )))::int as "activeCreators"
    from trending_windows where timeframe = ${timeframe}`)
  return row ?? { totalViews: 0, totalUpvotes: 0, newContent: 0, activeCreators: 0 }
}

/** The start of a timeframe; for All Time the earliest possible date. */
export function startOf(timeframe: Timeframe, now: Date): Date {
  const hours = timeframeHours[timeframe]
  return hours === null ? new Date(0) : hoursBefore(now, hours)
}
