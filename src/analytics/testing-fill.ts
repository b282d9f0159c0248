import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'

/**
 * Generates events in the database like those of months of use: visitors, some of them members, with sessions, plays
 * and readings, more of the earlier items. Only for tests and the benchmark.
 */
export async function fillEvents(
  db: Database,
  {
    events,
    days,
    visitors,
    contentIds,
    until = new Date().toISOString(),
    slices = 1,
  }: {
    events: number
    days: number
    visitors: number
    contentIds: readonly string[]
    /** The time of the last event. The others are within the `days` before it. */
    until?: string
    /** Number of inserts. Each may take half a minute (db/db.ts). */
    slices?: number
  },
): Promise<void> {
  const items = sql`array[${sql.join(
    contentIds.map((id) => sql`${id}`),
    sql`, `,
  )}]::text[]`
  for (let slice = 0; slice < slices; slice += 1) {
    const from = Math.floor((events / slices) * slice)
    const to = Math.floor((events / slices) * (slice + 1)) - 1
    await db.execute(sql`
    insert into analytics_events (id, timestamp, received_at, session_id, anon_id, user_id, event_type, content_type, content_id, position_sec, total_sec, delta_ms, page, meta)
    select gen_random_uuid(), at, at, 'session ' || sitting, 'visitor ' || person,
      case when person % 5 = 0 then ('00000000-0000-7000-8000-' || lpad(person::text, 12, '0'))::uuid end,
      kind, case when kind = 'page_view' then 'page' when kind = 'search_performed' then 'search' else 'story' end,
      case when kind not in ('page_view', 'search_performed') then items[1 + floor(power(taste, 2) * cardinality(items))::int] end,
      floor(random() * 600), 600, 1200, '/stories', case when kind = 'search_performed' then '{"query": "moon", "resultsCount": 0}'::jsonb end
    from (
      select ${until}::timestamptz - make_interval(secs => (n::float8 / ${events} * ${days} * 86400)) as at, n / ${sittingEvents} as sitting,
        floor(power((hashint4(n / ${sittingEvents}) & 65535) / 65536.0, 1.5) * ${visitors})::int as person,
        (array['page_view', 'search_performed', 'read_start', 'read_complete', 'audio_play', 'audio_play', 'audio_progress', 'audio_progress',
          'audio_progress', 'audio_pause', 'audio_complete', 'page_view'])[1 + floor(random() * 12)::int] as kind,
        (hashint4(n / ${itemEvents} + 7) & 65535) / 65536.0 as taste, ${items} as items
      from generate_series(${from}::int, ${to}::int) as n
    ) as made`)
  }
  await db.execute(sql`analyze analytics_events`)
}

/** Events of a sitting. Below, events of a sitting with one item. */
const sittingEvents = 24
const itemEvents = 8
