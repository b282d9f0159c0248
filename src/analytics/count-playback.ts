import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { viewSeconds } from './rules'

/** Reports arrive every 5 to 10 seconds. A longer gap is a pause. */
const gapSecondsMax = 30

const today = sql`(now() at time zone 'UTC')::date`

/**
 * Counts the time between a listener's reports about an item. It becomes a view at 30 seconds in a day, or at the end
 * of the item: one row of `playback_sessions` per listener, item and day. This needs no consent: it is how views are
 * counted, and it stores no more about a visitor than the saved position does.
 *
 * A CTE of the statement that saves a position. It reads the CTEs `report` and `saved` of that statement; `saved` has a
 * row if the position was saved.
 */
export const meterWrite = sql`
  insert into playback_meters as meter (listener_id, story_id, day, seconds, reported_at)
  select report.anon_id, report.content_id, ${today}, 0, report.reported_at from report, saved where report.is_counted
  on conflict (listener_id, story_id, day) do update set
    seconds = meter.seconds + case
      when excluded.reported_at - meter.reported_at between interval '0' and make_interval(secs => ${gapSecondsMax})
      then extract(epoch from excluded.reported_at - meter.reported_at) else 0 end,
    reported_at = greatest(meter.reported_at, excluded.reported_at)
  returning seconds`

/** The CTE after `meter`, which counts a new view. A view that is counted already is only looked up. */
export const viewWrite = sql`
  insert into playback_sessions as session (id, session_id, user_id, story_id, ip_address, day, is_complete)
  select gen_random_uuid(), report.anon_id, report.user_id, report.content_id, report.address_hash, ${today}, report.completed
  from report, meter
  where (report.completed or meter.seconds >= ${viewSeconds}) and not exists (
    select from playback_sessions as counted
    where counted.session_id = report.anon_id and counted.story_id = report.content_id and counted.day = ${today}
      and (counted.is_complete or not report.completed))
  on conflict (session_id, story_id, day) do update set is_complete = true
  where excluded.is_complete and not session.is_complete`

/**
 * Assigns a visitor's views to the member who signs in. If both have a view of the same day, the member's stays. A view
 * that is counted during the merge stays the visitor's.
 */
export async function mergePlayback(db: Executor, visitorId: string, userId: string): Promise<void> {
  await db.execute(sql`
    with doubled as (
      delete from playback_sessions as theirs using playback_sessions as mine
      where theirs.session_id = ${visitorId} and mine.session_id = ${userId}
        and mine.story_id = theirs.story_id and mine.day = theirs.day
      returning mine.id, theirs.is_complete)
    update playback_sessions as mine set is_complete = true
    from doubled where mine.id = doubled.id and doubled.is_complete`)
  await db.execute(sql`
    update playback_sessions as theirs set session_id = ${userId}, user_id = ${userId}::uuid
    where session_id = ${visitorId} and not exists (
      select from playback_sessions as mine
      where mine.session_id = ${userId} and mine.story_id = theirs.story_id and mine.day = theirs.day)`)
}

/** Drops a visitor's seconds that are not a view yet, at the sign-in. */
export async function dropVisitorMeters(db: Executor, visitorId: string): Promise<void> {
  await db.execute(sql`delete from playback_meters where listener_id = ${visitorId}`)
}

/** Removes the meters of past days, which no longer count. */
export async function prunePlaybackMeters(db: Executor): Promise<void> {
  await db.execute(sql`delete from playback_meters where day < (now() at time zone 'UTC')::date - 1`)
}
