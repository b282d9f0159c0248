import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import type { ItemType } from '#src/story/rules'
import { type Activity, lastShare, type Timeframe, timeframeHours, type Window } from './rules'

/** The activity in a window: by item, and the total of its upvotes. */
export type WindowActivity = { window: Window; items: Activity[]; upvotes: number }

type Row = Omit<Activity, 'type'> & { type: ItemType; newUpvotes: number }

/**
 * The activity on published items in a timeframe. The last 24 hours are counted from the rows themselves, by indexes
 * in the order of time; days from the sums of days, All Time from the sums of items.
 */
export async function readActivity(db: Executor, timeframe: Timeframe, now: Date): Promise<WindowActivity> {
  const hours = timeframeHours[timeframe]
  if (hours === null) return { window: null, ...(await rowsOf(db, sinceEver, now)) }
  const from = hoursBefore(now, hours)
  const late = hoursBefore(now, hours * lastShare)
  if (timeframe === '24h')
    return {
      window: { hours, lateHours: hours * lastShare },
      ...(await rowsOf(db, within(ofHours(from, late)), now)),
    }
  const [fromDay, lateDay] = [startOfDay(from), startOfDay(late)]
  return {
    window: { hours: hoursBetween(fromDay, now), lateHours: hoursBetween(lateDay, now) },
    ...(await rowsOf(db, within(ofDays(fromDay, lateDay)), now)),
  }
}

/** Where the rows come from, which of them, and what is counted of each. */
type Source = { seen: SQL; from: SQL; where: SQL; views: SQL; lateViews: SQL; newUpvotes: SQL }

async function rowsOf(
  db: Executor,
  { seen, from, where, views, lateViews, newUpvotes }: Source,
  now: Date,
): Promise<{ items: Activity[]; upvotes: number }> {
  const rows = await db.execute<Row>(sql`
    ${seen} select stories.id, stories.type, stories.upvotes, stories.downvotes,
      (extract(epoch from ${now.toISOString()}::timestamptz - stories.published_at) / 3600)::float8 as "ageHours",
      coalesce(item_totals.ratings, 0) as ratings, coalesce(item_totals.rating_sum, 0)::int as "ratingSum",
      ${views} as views, ${lateViews} as "lateViews", ${newUpvotes} as "newUpvotes"
    from ${from} left join item_totals on item_totals.story_id = stories.id
    where stories.status = 'published' and stories.source = 'pre_uploaded' and ${where}`)
  return {
    items: rows.map(({ newUpvotes: _, ...activity }) => activity),
    upvotes: rows.reduce((sum, { newUpvotes }) => sum + newUpvotes, 0),
  }
}

/** What happened in a window. */
function within(seen: SQL): Source {
  return {
    seen: sql`with seen as materialized (${seen})`,
    from: sql`seen join stories on stories.id = seen.story_id`,
    where: sql`true`,
    views: sql`seen.views`,
    lateViews: sql`seen.late_views`,
    newUpvotes: sql`seen.upvotes`,
  }
}

/** All Time reads the items once: as a window it took twice as long, since nearly every item is in it (measured). */
const sinceEver: Source = {
  seen: sql``,
  from: sql`stories`,
  where: sql`(stories.upvotes > 0 or item_totals.views > 0 or item_totals.ratings > 0)`,
  views: sql`coalesce(item_totals.views, 0)`,
  lateViews: sql`0`,
  newUpvotes: sql`stories.upvotes`,
}

const ofHours = (from: Date, late: Date) => sql`
  select story_id, sum(views)::int as views, sum(late_views)::int as late_views, sum(upvotes)::int as upvotes from (
    select story_id, count(*) as views, count(*) filter (where created_at >= ${late.toISOString()}::timestamptz) as late_views, 0 as upvotes
    from playback_sessions where created_at >= ${from.toISOString()}::timestamptz group by story_id
    union all
    select story_id, 0, 0, count(*) from votes
    where created_at >= ${from.toISOString()}::timestamptz and vote_type = 'up' group by story_id
    union all
    select story_id, 0, 0, 0 from story_feedback
    where created_at >= ${from.toISOString()}::timestamptz and rating is not null group by story_id
  ) as happened group by story_id`

const ofDays = (fromDay: Date, lateDay: Date) => sql`
  select story_id, sum(views)::int as views, (coalesce(sum(views) filter (where day >= ${isoDay(lateDay)}::date), 0))::int as late_views, sum(upvotes)::int as upvotes
  from item_days where day >= ${isoDay(fromDay)}::date
  group by story_id having sum(views) + sum(upvotes) + sum(ratings) > 0`

export function hoursBefore(now: Date, hours: number): Date {
  return new Date(now.getTime() - hours * 3_600_000)
}

function hoursBetween(from: Date, until: Date): number {
  return (until.getTime() - from.getTime()) / 3_600_000
}

function startOfDay(date: Date): Date {
  return new Date(`${isoDay(date)}T00:00:00Z`)
}

/** A day in UTC, as 2026-11-21. */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
