import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { rebuildMonth } from './item-sums'
import { bounceSeconds, completionEvents, engagementGapSecondsMax, sessionRanges, viewEvents } from './rules'

/**
 * Rebuilds the rollups of days (UTC, `2026-11-20`) from their events, in the caller's transaction, and then those of
 * their months. A visitor is a member, or a tracking id; a view is a visitor with an item on a day.
 */
export async function rebuildDays(tx: Transaction, days: readonly string[]): Promise<void> {
  for (const day of days) await rebuildDay(tx, day)
  const monthStarts = new Set(days.map((day) => `${day.slice(0, 7)}-01`))
  for (const month of monthStarts) await rebuildMonth(tx, month)
}

async function rebuildDay(tx: Transaction, day: string): Promise<void> {
  // A large day is aggregated in memory, not on disk.
  await tx.execute(sql`set local work_mem = '64MB'`)
  await gatherEvents(tx, day)
  await gatherItems(tx)
  await gatherVisits(tx)
  await tx.execute(sql`delete from daily_aggregates where date = ${day}::date`)
  await tx.execute(sql`delete from analytics_days where day = ${day}::date`)
  await tx.execute(sql`delete from analytics_day_events where day = ${day}::date`)
  await tx.execute(sql`delete from analytics_day_searches where day = ${day}::date`)
  await writeItems(tx, day)
  await writeSite(tx, day)
  await writeEvents(tx, day)
  await writeSearches(tx, day)
  await writeReach(tx, day)
  await tx.execute(sql`drop table day_visits, day_items, day_events`)
}

async function gatherEvents(tx: Transaction, day: string): Promise<void> {
  await tx.execute(sql`
    create temporary table day_events on commit drop as
    select id, timestamp as at, coalesce(user_id::text, anon_id) as visitor, session_id, event_type, position_sec, total_sec,
      case when event_type = 'search_performed' then meta end as search,
      case when content_type in ('story', 'flow') then content_id::uuid end as content_id
    from analytics_events
    where timestamp >= (${day}::date)::timestamp at time zone 'UTC'
      and timestamp < (${day}::date + 1)::timestamp at time zone 'UTC'`)
}

/** The items of the events, with their categories. A deleted item has none. */
async function gatherItems(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    create temporary table day_items on commit drop as
    select stories.id as content_id, stories.type as content_type, array['all'] || stories.categories as categories
    from (select distinct content_id from day_events) as seen join stories on stories.id = seen.content_id`)
}

/** The scopes that an event counts in, where day_items is joined: at least `all`. */
const scopes = sql`coalesce(day_items.categories, array['all'])`

/** One row a visitor and item. Time runs between two events of an item, but for pauses and the end. */
async function gatherVisits(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    create temporary table day_visits on commit drop as
    select visitor, content_id,
      bool_or(event_type in ${list(['audio_play', 'audio_progress', 'audio_complete'])}) as was_heard,
      bool_or(event_type = 'read_complete') as was_read,
      bool_or(event_type in ${list(completionEvents)}) as is_complete,
      coalesce(max(least(position_sec / nullif(total_sec, 0), 1)), 0) as fraction,
      coalesce(sum(gap_ms), 0)::bigint as time_ms
    from (
      select *, case when before_type not in ${list(['audio_pause', ...completionEvents])}
          and at - before_at <= make_interval(secs => ${engagementGapSecondsMax})
        then extract(epoch from at - before_at) * 1000 end as gap_ms
      from (
        select *, lag(at) over item as before_at, lag(event_type) over item as before_type
        from day_events where event_type in ${list([...viewEvents, 'audio_pause'])}
          and content_id in (select content_id from day_items)
        window item as (partition by content_id, visitor order by at, id)
      ) as ordered
    ) as timed
    group by content_id, visitor
    having bool_or(event_type in ${list(viewEvents)})`)
}

async function writeItems(tx: Transaction, day: string): Promise<void> {
  const reached = (percent: number) =>
    sql`count(*) filter (where is_complete or fraction >= ${percent / 100})::int`
  await tx.execute(sql`
    insert into daily_aggregates (id, date, content_id, content_type, total_views, unique_users, avg_completion_rate,
      bounce_rate, total_time_ms, completed_25, completed_50, completed_75, completed_100, reached)
    select gen_random_uuid(), ${day}::date, content_id::text, content_type, count(*), count(*),
      100.0 * count(*) filter (where is_complete) / count(*),
      100.0 * count(*) filter (where not is_complete and time_ms < ${bounceSeconds * 1000}) / count(*),
      sum(time_ms), ${reached(25)}, ${reached(50)}, ${reached(75)}, count(*) filter (where is_complete),
      array[${sql.join([10, 20, 30, 40, 50, 60, 70, 80, 90].map(reached), sql`, `)}, count(*) filter (where is_complete)::int]
    from day_visits join day_items using (content_id) group by content_id, content_type`)
}

async function writeSite(tx: Transaction, day: string): Promise<void> {
  await tx.execute(sql`
    with parts as materialized (
      select visitor, session_id, content_id, count(*) as n, min(at) as first_at, max(at) as last_at
      from day_events group by visitor, session_id, content_id
    ), sittings as (
      select category, visitor, session_id, sum(n) as n, extract(epoch from max(last_at) - min(first_at)) * 1000 as ms
      from parts left join day_items using (content_id) cross join unnest(${scopes}) as category
      group by category, visitor, session_id
    ), visitors as (
      select category, sum(n) as n, count(session_id) as sessions, sum(ms) filter (where session_id is not null) as session_ms,
        array[${sql.join(rangeCounts(), sql`, `)}] as session_counts
      from sittings group by category, visitor
    ), totals as (
      select category, sum(n) as events, count(*) as visitors, sum(sessions) as sessions, sum(session_ms) as session_ms,
        array[${sql.join(
          sessionRanges.map((_, at) => sql`sum(session_counts[${at + 1}::int])::int`),
          sql`, `,
        )}] as session_counts
      from visitors group by category
    ), visits as (
      select category, count(*) as views, count(*) filter (where is_complete) as completions,
        count(*) filter (where was_heard) as audio_plays, count(*) filter (where was_read) as stories_read
      from day_visits join day_items using (content_id) cross join unnest(categories) as category group by category
    )
    insert into analytics_days (day, category, events, visitors, views, completions, audio_plays, stories_read, sessions, session_ms, session_counts)
    select ${day}::date, category, events, visitors, coalesce(views, 0), coalesce(completions, 0), coalesce(audio_plays, 0),
      coalesce(stories_read, 0), sessions, coalesce(session_ms, 0)::bigint, session_counts
    from totals left join visits using (category)`)
}

/** How many sessions fall into each of `sessionRanges`. */
function rangeCounts() {
  return sessionRanges.map(({ untilMinutes }, at) => {
    const fromMs = (sessionRanges[at - 1]?.untilMinutes ?? 0) * 60_000
    const isBelow = untilMinutes === null ? sql`true` : sql`ms < ${untilMinutes * 60_000}`
    return sql`count(*) filter (where session_id is not null and ms >= ${fromMs} and ${isBelow})::int`
  })
}

async function writeEvents(tx: Transaction, day: string): Promise<void> {
  await tx.execute(sql`
    insert into analytics_day_events (day, category, event_type, events)
    select ${day}::date, category, event_type, sum(n) from (
      select content_id, event_type, count(*) as n from day_events group by content_id, event_type
    ) as kinds left join day_items using (content_id) cross join unnest(${scopes}) as category
    group by category, event_type`)
}

/** Queries as typed, normalised in case and spaces. */
async function writeSearches(tx: Transaction, day: string): Promise<void> {
  await tx.execute(sql`
    insert into analytics_day_searches (day, query, searches, without_result)
    select ${day}::date, query, count(*), count(*) filter (where results = '0')
    from (
      select left(lower(regexp_replace(trim(search->>'query'), '\\s+', ' ', 'g')), 100) as query, search->>'resultsCount' as results
      from day_events where search is not null
    ) as searches where query <> '' group by query`)
}

/** Sets this day as the last day of its visitors in each scope, unless a later one is stored; the counts follow. */
async function writeReach(tx: Transaction, day: string): Promise<void> {
  await tx.execute(sql`
    with present as (
      select distinct scope, visitor from (select distinct visitor, content_id from day_events) as them
        left join day_items using (content_id) cross join unnest(${scopes}) as scope
      union all select content_id::text, visitor from day_visits
    ), moved as materialized (
      select present.scope, present.visitor, previous.last_day as before from present
      left join lateral (
        select last_day from analytics_last_days as known
        where known.visitor = present.visitor and known.scope = present.scope limit 1
      ) as previous on true
      where previous.last_day is null or previous.last_day < ${day}::date
    ), saved as (
      insert into analytics_last_days (scope, visitor, last_day) select scope, visitor, ${day}::date from moved
      on conflict (visitor, scope) do update set last_day = excluded.last_day
    )
    insert into analytics_reach as reach (scope, last_day, visitors)
    select scope, last_day, sum(n) from (
      select scope, before as last_day, -1 as n from moved where before is not null
      union all select scope, ${day}::date, 1 from moved
    ) as moves group by scope, last_day
    on conflict (scope, last_day) do update set visitors = reach.visitors + excluded.visitors`)
}

const list = (values: readonly string[]) =>
  sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`
