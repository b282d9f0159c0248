import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { lock } from '#db/locks'

/** Pages of the table per step: 8 MB, some tens of thousands of rows. */
const stepPages = 1_000

/**
 * Stores the day of each visitor in fold_present as the visitor's last day in the scope, unless a later one is stored,
 * and updates the counts. Only visitors who are present for the first time on a day are looked up.
 */
export async function moveReach(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    with present as (
      select scope, visitor, max(day) as day from fold_present group by scope, visitor
    ), moved as materialized (
      select present.*, previous.last_day as before from present
      left join lateral (
        select last_day from analytics_last_days as known
        where known.visitor = present.visitor and known.scope = present.scope limit 1
      ) as previous on true
      where previous.last_day is null or previous.last_day < present.day
    ), saved as (
      insert into analytics_last_days (scope, visitor, last_day) select scope, visitor, day from moved
      on conflict (visitor, scope) do update set last_day = excluded.last_day
    )
    insert into analytics_reach as reach (scope, last_day, visitors)
    select scope, last_day, sum(n) from (
      select scope, before as last_day, -1 as n from moved where before is not null
      union all select scope, day, 1 from moved
    ) as moves group by scope, last_day
    on conflict (scope, last_day) do update set visitors = reach.visitors + excluded.visitors`)
}

/**
 * Forgets visitors whose last day is before `before` (UTC, `2026-11-20`), and subtracts them from the counts. Each part
 * of the table is a separate transaction, so that folds run in between.
 */
export async function forgetVisitors(db: Database, before: string): Promise<void> {
  const [table] = await db.execute<{ pages: number }>(
    sql`select (pg_relation_size('analytics_last_days') / current_setting('block_size')::int)::int as pages`,
  )
  for (let page = 0; page < (table?.pages ?? 0); page += stepPages)
    await db.transaction(async (tx) => {
      await lock(tx, 'analytics')
      await tx.execute(sql`
        with gone as (
          delete from analytics_last_days where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + stepPages},0)`}::tid
            and last_day < ${before}::date returning scope, last_day
        )
        insert into analytics_reach as reach (scope, last_day, visitors)
        select scope, last_day, -count(*) from gone group by scope, last_day
        on conflict (scope, last_day) do update set visitors = reach.visitors + excluded.visitors`)
    })
  await db.execute(sql`delete from analytics_reach where last_day < ${before}::date and visitors = 0`)
}
