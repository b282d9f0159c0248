import { type SQL, sql } from 'drizzle-orm'
import { lastShare, type Timeframe, timeframeHours } from './rules'

/** The start of a timeframe's window and of its last quarter. */
export type WindowStart = { from: Date; late: Date }

/**
 * The start of a window: exact to the millisecond for 24 hours, the beginning of a day (UTC) for longer ones, the epoch
 * for All Time.
 */
export function windowStart(timeframe: Timeframe, now: Date): WindowStart {
  const hours = timeframeHours[timeframe]
  if (hours === null) return { from: new Date(0), late: new Date(0) }
  const [from, late] = [hoursBefore(now, hours), hoursBefore(now, hours * lastShare)]
  return timeframe === '24h' ? { from, late } : { from: startOfDay(from), late: startOfDay(late) }
}

/**
 * The activity on some items in a window: `story_id`, `views`, `late_views`, `upvotes`. The last 24 hours are counted
 * from the single rows, longer windows from the sums by day, All Time from the sums by item.
 */
export function seenIn(timeframe: Timeframe, start: WindowStart, ids: SQL): SQL {
  if (timeframe === 'all') return seenEver(ids)
  return timeframe === '24h' ? seenInHours(start, ids) : seenOnDays(start, ids)
}

/** The condition on `day` makes use of the index on views. */
const seenInHours = ({ from, late }: WindowStart, ids: SQL) => sql`
  select story_id, sum(views)::int as views, sum(late_views)::int as late_views, sum(upvotes)::int as upvotes from (
    select story_id, count(*) as views, count(*) filter (where created_at >= ${at(late)}) as late_views, 0 as upvotes
    from playback_sessions where story_id = any(${ids}) and day >= ${day(from)} and created_at >= ${at(from)} group by story_id
    union all
    select story_id, 0, 0, count(*) from votes
    where story_id = any(${ids}) and created_at >= ${at(from)} and vote_type = 'up' group by story_id
    union all
    select story_id, 0, 0, 0 from story_feedback
    where story_id = any(${ids}) and created_at >= ${at(from)} and rating is not null group by story_id
  ) as happened group by story_id`

const seenOnDays = ({ from, late }: WindowStart, ids: SQL) => sql`
  select story_id, sum(views)::int as views, (coalesce(sum(views) filter (where day >= ${day(late)}), 0))::int as late_views,
    sum(upvotes)::int as upvotes
  from item_days where story_id = any(${ids}) and day >= ${day(from)}
  group by story_id having sum(views) + sum(upvotes) + sum(ratings) > 0`

const seenEver = (ids: SQL) => sql`
  select stories.id as story_id, coalesce(item_totals.views, 0) as views, 0 as late_views, stories.upvotes
  from stories left join item_totals on item_totals.story_id = stories.id
  where stories.id = any(${ids}) and (stories.upvotes > 0 or item_totals.views > 0 or item_totals.ratings > 0)`

/**
 * The `story_id` of each item with activity that drops out of a window, or out of its last quarter, when they move
 * forward.
 */
export function leaving(timeframe: Timeframe, before: WindowStart, now: WindowStart): SQL {
  if (timeframe !== '24h')
    return sql`select distinct story_id from item_days where ${isBetween(sql`day`, day(before.from), day(now.from))}
      or ${isBetween(sql`day`, day(before.late), day(now.late))}`
  const isPassed = isBetween(sql`created_at`, at(before.from), at(now.from))
  return sql`
    select story_id from playback_sessions where ${isPassed}
    union select story_id from playback_sessions where ${isBetween(sql`created_at`, at(before.late), at(now.late))}
    union select story_id from votes where ${isPassed} and vote_type = 'up'
    union select story_id from story_feedback where ${isPassed} and rating is not null`
}

const isBetween = (column: SQL, from: SQL, until: SQL) => sql`(${column} >= ${from} and ${column} < ${until})`

/** A date as an SQL timestamp. */
export function at(date: Date): SQL {
  return sql`${date.toISOString()}::timestamptz`
}

const day = (date: Date) => sql`${isoDay(date)}::date`

export function hoursBefore(now: Date, hours: number): Date {
  return new Date(now.getTime() - hours * 3_600_000)
}

function startOfDay(date: Date): Date {
  return new Date(`${isoDay(date)}T00:00:00Z`)
}

/** A day in UTC, as 2026-11-21. */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
