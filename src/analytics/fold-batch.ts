import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { viewEvents } from './rules'
import { listOf } from './sql-list'

/** The events that make up a visit. The time between two of them is counted. */
export const visitEvents = [...viewEvents, 'audio_pause'] as const

/**
 * Moves all events that have arrived into the batch, under their visitor or, if a sign-in is not merged yet, its
 * member. A single statement deletes and reads them, so that each is folded exactly once.
 */
export async function takeArrivals(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    with taken as (delete from analytics_arrivals returning *)
    insert into fold_events
    select ${dayOf}, timestamp, id, coalesce(e.user_id::text, links.user_id::text, e.anon_id), session_id, event_type,
      content_id, ${fraction}, search, true
    from taken as e left join analytics_links as links on links.anon_id = e.anon_id`)
}

/** Moves all events of a day into the batch, including those that have only arrived. */
export async function takeDay(tx: Transaction, day: string): Promise<void> {
  await tx.execute(sql`
    with taken as (delete from analytics_arrivals as e where ${within(sql`${day}::date`)})
    insert into fold_events select ${storedColumns}, true from analytics_events as e where ${within(sql`${day}::date`)}`)
}

/**
 * Puts a member's already folded events of some days (UTC) into the batch again, after their sittings and visits have
 * been subtracted.
 */
export async function refoldEvents(tx: Transaction, userId: string, days: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into fold_events select ${storedColumns}, false from analytics_events as e
    where user_id = ${userId}::uuid and ${dayOf} = any(${textArray(days)}::date[]) and ${isFolded}`)
}

/** Subtracts a visitor's sessions on some days from the sums, and forgets them. */
export async function subtractSittings(
  tx: Transaction,
  visitor: string,
  days: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from analytics_sittings where visitor = ${visitor} and day = any(${textArray(days)}::date[]) returning *
    )
    insert into fold_sittings
    select -1, day, category, case row_number() over (partition by day, category) when 1 then -1 else 0 end,
      session_id <> '', ${milliseconds(sql`last_at - first_at`)}
    from gone`)
}

/** Subtracts a visitor's visits on some days from the sums, and forgets them. */
export async function subtractVisits(
  tx: Transaction,
  visitor: string,
  days: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from analytics_visits where visitor = ${visitor} and day = any(${textArray(days)}::date[]) returning *
    )
    insert into fold_visits select -1, ${visitColumns} from gone where is_view`)
}

/**
 * Subtracts each visit that has a late event in the batch, one that belongs before the visit's last event, and puts all
 * its events into the batch again: the time between two events depends on which ones are neighbours.
 */
export async function subtractLateVisits(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    with visits as materialized (
      select day, visitor, content_id, min(at) as first_at from fold_events
      where content_id in (select id from stories) and event_type in ${listOf(visitEvents)} group by day, visitor, content_id
    ), late as materialized (
      select visits.* from visits cross join lateral (
        select last_at from analytics_visits as known where known.day = visits.day and known.visitor = visits.visitor
          and known.content_id = visits.content_id limit 1
      ) as known where first_at <= last_at
    ), gone as (
      delete from analytics_visits as known using late
      where known.day = late.day and known.visitor = late.visitor and known.content_id = late.content_id returning known.*
    ), changed as (
      insert into fold_visits select -1, ${visitColumns} from gone where is_view
    )
    insert into fold_events
    select e.* from late cross join lateral (
      select ${storedColumns}, false from analytics_events as e
      where anon_id = late.visitor and user_id is null and ${within(sql`late.day`)} and ${isFolded}
      union all
      select ${storedColumns}, false from analytics_events as e
      where user_id = case when late.visitor ~ ${uuidPattern} then late.visitor::uuid end
        and ${within(sql`late.day`)} and ${isFolded}
    ) as e (day, at, id, visitor, session_id, event_type, content_id, fraction, search, is_new)
    where e.content_id = late.content_id`)
}

const uuidPattern = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

export const visitColumns = sql`day, content_id, content_type, categories, was_heard, was_read, is_complete, fraction, time_ms`

/** An interval in whole milliseconds, the precision of events. The sum of parts is then exactly the whole. */
export const milliseconds = (interval: SQL) => sql`round(extract(epoch from ${interval}) * 1000)::bigint`

const dayOf = sql`(timestamp at time zone 'UTC')::date`
const within = (day: SQL) => sql`e.timestamp >= (${day})::timestamp at time zone 'UTC'
  and e.timestamp < (${day} + 1)::timestamp at time zone 'UTC'`
const fraction = sql`least(position_sec / nullif(total_sec, 0), 1)`

/** The columns of fold_events from a row of analytics_events. */
const storedColumns = sql`${dayOf}, timestamp, id, coalesce(user_id::text, anon_id), session_id, event_type,
  case when content_type in ('story', 'flow') then content_id::uuid end, ${fraction},
  case when event_type = 'search_performed' then meta end`

/** Condition that an event is in the sums: it is neither in the batch nor among the arrivals. */
const isFolded = sql`not exists (
    select from analytics_arrivals as a where a.anon_id = e.anon_id and a.timestamp = e.timestamp and a.id = e.id)
  and not exists (
    select from fold_events as b where b.visitor = coalesce(e.user_id::text, e.anon_id) and b.at = e.timestamp and b.id = e.id)`

const textArray = (values: readonly string[]) => sql`${`{${values.join(',')}}`}`
