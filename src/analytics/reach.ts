import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'

/**
 * Sets the day of each visitor in fold_present as their last one in the scope, unless a later one is stored; the counts
 * follow. Only who is present for the first time on a day is looked up.
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
