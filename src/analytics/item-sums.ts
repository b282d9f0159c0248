import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'

/**
 * The activity of each item from one date up to, without, another: rows of content_id, views, time_ms and
 * completed_25 to completed_100, to be summed. Whole months are summed already, the days around them are single rows.
 */
export function itemSums(from: SQL, until: SQL): SQL {
  // The months within the period: from the first that begins on or after `from` to the one that contains `until`.
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

/** Recomputes the sums of a month, named by its first day, from its days. */
export async function rebuildMonth(tx: Transaction, month: string): Promise<void> {
  await tx.execute(sql`delete from monthly_aggregates where month = ${month}::date`)
  await tx.execute(sql`
    insert into monthly_aggregates (month, content_id, views, time_ms, completed_25, completed_50, completed_75, completed_100)
    select ${month}::date, content_id, sum(total_views), sum(total_time_ms),
      sum(completed_25), sum(completed_50), sum(completed_75), sum(completed_100)
    from daily_aggregates where date >= ${month}::date and date < (${month}::date + interval '1 month')::date
    group by content_id`)
}
