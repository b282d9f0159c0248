import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { addedArrays } from './day-sums'
import { bounceSeconds } from './rules'

/**
 * The activity of each item from one date up to, without, another: rows of content_id, views, time_ms and completed_25
 * to completed_100, which the caller has to sum. Whole months are already summed; the days around them are single rows.
 */
export function itemSums(from: SQL, until: SQL): SQL {
  // The whole months of the period: from the first that begins on or after `from`, up to, without, the one that
  // contains `until`.
  const firstMonth = sql`date_trunc('month', ${from} + interval '1 month' - interval '1 day')::date`
  const lastMonth = sql`date_trunc('month', ${until})::date`
  const days = (first: SQL, end: SQL) => sql`
    select content_id, total_views as views, total_time_ms as time_ms, completed_25, completed_50, completed_75, completed_100
    from daily_aggregates where date >= ${first} and date < ${end}`
  return sql`
    ${days(from, sql`least(${firstMonth}, ${until})`)}
    union all
    select content_id, views, time_ms, completed_25, completed_50, completed_75, completed_100
    from monthly_aggregates where month >= ${firstMonth} and month < ${lastMonth}
    union all
    ${days(sql`greatest(${firstMonth}, ${lastMonth})`, until)}`
}

const shared = [sql`completed_25`, sql`completed_50`, sql`completed_75`, sql`completed_100`]
const reachedPercents = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]

/** Adds the visits in fold_visits to the days and months of their items. */
export async function addToItems(tx: Transaction): Promise<void> {
  const dayCounts = [sql`total_views`, sql`unique_users`, sql`bounces`, sql`total_time_ms`, ...shared]
  await tx.execute(sql`
    with changes as materialized (
      select day, content_id::text, content_type, sum(sign) as views, coalesce(sum(sign * time_ms), 0) as time_ms,
        coalesce(sum(sign) filter (where not is_complete and time_ms < ${bounceSeconds * 1000}), 0) as bounces,
        ${names([25, 50, 75, 100].map((each) => sql`${reached(each)} as ${sql.identifier(`completed_${each}`)}`))},
        array[${sql.join(reachedPercents.map(reached), sql`, `)}] as reached
      from fold_visits group by day, content_id, content_type
    ), months as (
      insert into monthly_aggregates as sums (month, content_id, views, time_ms, ${names(shared)})
      select date_trunc('month', day)::date, content_id, sum(views), sum(time_ms), ${names(shared.map((name) => sql`sum(${name})`))}
      from changes group by 1, 2
      on conflict (month, content_id) do update set ${added([sql`views`, sql`time_ms`, ...shared])}
    )
    insert into daily_aggregates as sums (id, date, content_id, content_type, ${names(dayCounts)}, reached, avg_completion_rate, bounce_rate)
    select gen_random_uuid(), day, content_id, content_type, views, views, bounces, time_ms, ${names(shared)}, reached,
      ${percent(sql`completed_100`, sql`views`)}, ${percent(sql`bounces`, sql`views`)}
    from changes
    on conflict (date, content_id, content_type) do update set ${added(dayCounts)},
      reached = ${addedArrays(sql`reached`, reachedPercents.length)},
      avg_completion_rate = ${percent(sum(sql`completed_100`), sum(sql`total_views`))},
      bounce_rate = ${percent(sum(sql`bounces`), sum(sql`total_views`))}`)
}

/** Counts the visits that reached a percentage. 100 means the event of the end, wherever the player was. */
function reached(percentage: number): SQL {
  const isThere =
    percentage === 100 ? sql`is_complete` : sql`(is_complete or fraction >= ${percentage / 100})`
  return sql`coalesce(sum(sign) filter (where ${isThere}), 0)::int`
}

const names = (columns: readonly SQL[]) => sql.join([...columns], sql`, `)
const sum = (column: SQL) => sql`(sums.${column} + excluded.${column})`
const added = (columns: readonly SQL[]) => names(columns.map((column) => sql`${column} = ${sum(column)}`))
const percent = (part: SQL, whole: SQL) => sql`coalesce(100.0 * ${part} / nullif(${whole}, 0), 0)`
