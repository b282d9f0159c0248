import { type SQL, sql } from 'drizzle-orm'

/**
 * Replaces the visitor `from` by `to` in the last active days. If both have one, the later day stays, so nobody counts
 * twice.
 */
export function renameVisitor(from: string, to: string): SQL {
  return sql`
    with old as (
      delete from analytics_last_days where visitor = ${from} returning scope, last_day
    ), pairs as materialized (
      select old.scope, old.last_day as old_day, known.last_day as known_day
      from old left join analytics_last_days as known on known.visitor = ${to} and known.scope = old.scope
    ), saved as (
      insert into analytics_last_days (scope, visitor, last_day) select scope, ${to}, old_day from pairs
      on conflict (visitor, scope) do update set last_day = greatest(analytics_last_days.last_day, excluded.last_day)
    )
    insert into analytics_reach as reach (scope, last_day, visitors)
    select scope, least(old_day, known_day), -count(*) from pairs where known_day is not null group by 1, 2
    on conflict (scope, last_day) do update set visitors = reach.visitors + excluded.visitors`
}
