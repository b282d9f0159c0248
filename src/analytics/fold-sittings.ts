import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { addToDays } from './day-sums'
import { milliseconds } from './fold-batch'
import { scopes } from './fold-events'
import { sessionRanges } from './rules'

/**
 * Updates the counts of visitors and sessions by the changes of this batch. Known ones are looked up by key, one by
 * one.
 */
export async function foldSittings(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    with parts as materialized (
      select day, visitor, coalesce(session_id, '') as session_id, content_id, min(at) as first_at, max(at) as last_at
      from fold_events group by 1, 2, 3, 4
    ), batch as materialized (
      select day, visitor, category, session_id, min(first_at) as first_at, max(last_at) as last_at
      from parts left join fold_items using (content_id) cross join unnest(${scopes}) as category
      group by day, visitor, category, session_id
    ), touched as materialized (
      select batch.*, known.first_at as known_first_at, known.last_at as known_last_at,
        known.first_at is null and others.is_known is null
          and row_number() over (partition by batch.day, batch.visitor, batch.category order by known.first_at nulls last) = 1 as is_new_visitor
      from batch left join lateral (
        select first_at, last_at from analytics_sittings as known where known.day = batch.day and known.visitor = batch.visitor
          and known.category = batch.category and known.session_id = batch.session_id limit 1
      ) as known on true left join lateral (
        select true as is_known from analytics_sittings as other where known.first_at is null
          and other.day = batch.day and other.visitor = batch.visitor and other.category = batch.category limit 1
      ) as others on true
    ), written as (
      insert into analytics_sittings as known (day, visitor, category, session_id, first_at, last_at)
      select day, visitor, category, session_id, first_at, last_at from batch
      on conflict (day, visitor, category, session_id) do update
        set first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)
      where excluded.first_at < known.first_at or excluded.last_at > known.last_at
    ), present as (
      insert into fold_present select category, visitor, day from touched where is_new_visitor
    )
    insert into fold_sittings
    select -1, day, category, 0, session_id <> '', ${milliseconds(sql`known_last_at - known_first_at`)}
    from touched where known_first_at is not null
    union all
    select 1, day, category, is_new_visitor::int, session_id <> '',
      ${milliseconds(sql`greatest(last_at, known_last_at) - least(first_at, known_first_at)`)}
    from touched`)
  await addToDays(
    tx,
    {
      visitors: sql`sum(visitors)`,
      sessions: sql`coalesce(sum(sign) filter (where is_session), 0)`,
      session_ms: sql`coalesce(sum(sign * ms) filter (where is_session), 0)`,
      session_counts: sql`array[${sql.join(rangeCounts(), sql`, `)}]`,
    },
    sql`fold_sittings`,
  )
}

/** Counts the sessions in each of `sessionRanges`. */
function rangeCounts() {
  return sessionRanges.map(({ untilMinutes }, at) => {
    const fromMs = (sessionRanges[at - 1]?.untilMinutes ?? 0) * 60_000
    const isBelow = untilMinutes === null ? sql`true` : sql`ms < ${untilMinutes * 60_000}`
    return sql`coalesce(sum(sign) filter (where is_session and ms >= ${fromMs} and ${isBelow}), 0)::int`
  })
}
