import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { addToDays } from './day-sums'
import { milliseconds, visitColumns, visitEvents } from './fold-batch'
import { addToItems } from './item-sums'
import { completionEvents, engagementGapSecondsMax, heardEvents, viewEvents } from './rules'
import { listOf } from './sql-list'

/**
 * Continues every visit that has events in the batch, all of which are later than the visit's last one (see
 * `subtractLateVisits`), and counts the changes. Time runs between two events of an item, except after a pause or the
 * end.
 */
export async function foldVisits(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    with events as materialized (
      select day, visitor, content_id, event_type, at, fraction, row_number() over visit = 1 as is_first,
        lead(at) over visit is null as is_last, lag(at) over visit as before_at, lag(event_type) over visit as before_type
      from fold_events where content_id in (select content_id from fold_items) and event_type in ${listOf(visitEvents)}
      window visit as (partition by day, content_id, visitor order by at, id)
    ), known as materialized (
      select known.* from events cross join lateral (
        select * from analytics_visits as known where known.day = events.day and known.visitor = events.visitor
          and known.content_id = events.content_id limit 1
      ) as known where is_first
    ), timed as (
      select day, visitor, content_id, event_type, at, events.fraction, is_last,
        coalesce(before_at, known.last_at) as before_at, coalesce(before_type, known.last_type) as before_type
      from events left join known using (day, visitor, content_id)
    ), gone_on as materialized (
      select day, visitor, content_id, bool_or(event_type in ${listOf(viewEvents)}) as is_view,
        bool_or(event_type in ${listOf(heardEvents)}) as was_heard, bool_or(event_type = 'read_complete') as was_read,
        bool_or(event_type in ${listOf(completionEvents)}) as is_complete, coalesce(max(fraction), 0) as fraction,
        coalesce(sum(${milliseconds(sql`at - before_at`)}) filter (
          where before_type not in ${listOf(['audio_pause', ...completionEvents])}
            and at - before_at <= make_interval(secs => ${engagementGapSecondsMax})
        ), 0)::bigint as time_ms, max(at) as last_at, max(event_type) filter (where is_last) as last_type
      from timed group by day, visitor, content_id
    ), written as (
      insert into analytics_visits as known (visitor, is_view, last_at, last_type, ${visitColumns})
      select visitor, is_view, last_at, last_type, ${visitColumns} from gone_on join fold_items using (content_id)
      on conflict (day, visitor, content_id) do update set is_view = known.is_view or excluded.is_view,
        was_heard = known.was_heard or excluded.was_heard, was_read = known.was_read or excluded.was_read,
        is_complete = known.is_complete or excluded.is_complete, fraction = greatest(known.fraction, excluded.fraction),
        time_ms = known.time_ms + excluded.time_ms, last_at = excluded.last_at, last_type = excluded.last_type
      returning known.*
    ), present as (
      insert into fold_present select content_id::text, visitor, day
      from written left join known using (day, visitor, content_id)
      where written.is_view and known.is_view is not true
    )
    insert into fold_visits
    select -1, ${visitColumns} from known where is_view union all select 1, ${visitColumns} from written where is_view`)
  await addToDays(
    tx,
    {
      views: sql`sum(sign)`,
      completions: sql`coalesce(sum(sign) filter (where is_complete), 0)`,
      audio_plays: sql`coalesce(sum(sign) filter (where was_heard), 0)`,
      stories_read: sql`coalesce(sum(sign) filter (where was_read), 0)`,
    },
    sql`fold_visits cross join unnest(categories) as category`,
  )
  await addToItems(tx)
}
