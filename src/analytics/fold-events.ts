import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { addToDays } from './day-sums'

/** Counts the events of the batch, by name and in total. */
export async function addEvents(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    insert into analytics_day_events as sums (day, category, event_type, events)
    select day, category, event_type, sum(n) from (
      select day, content_id, event_type, count(*) as n from fold_events where is_new group by day, content_id, event_type
    ) as kinds left join fold_items using (content_id) cross join unnest(${scopes}) as category
    group by day, category, event_type
    on conflict (category, day, event_type) do update set events = sums.events + excluded.events`)
  await addToDays(
    tx,
    { events: sql`sum(n)` },
    sql`(
      select day, content_id, count(*) as n from fold_events where is_new group by day, content_id
    ) as counts left join fold_items using (content_id) cross join unnest(${scopes}) as category`,
  )
}

/** The scopes in which an event counts, after a join with fold_items: at least `all`. */
export const scopes = sql`coalesce(fold_items.categories, array['all'])`

/** Counts the queries of searches, normalised in case and spaces. */
export async function addSearches(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    insert into analytics_day_searches as sums (day, query, searches, without_result)
    select day, query, count(*), count(*) filter (where results = '0')
    from (
      select day, left(lower(regexp_replace(trim(search->>'query'), '\\s+', ' ', 'g')), 100) as query, search->>'resultsCount' as results
      from fold_events where is_new and search is not null
    ) as searches where query <> '' group by day, query
    on conflict (day, query) do update set searches = sums.searches + excluded.searches,
      without_result = sums.without_result + excluded.without_result`)
}
