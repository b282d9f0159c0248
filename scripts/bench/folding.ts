import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { migrate } from '#db/migrate'
import { rollUp } from '#src/analytics/rollup'
import { itemIds } from './dashboards'
import { fillLibrary } from './fill'
import { cpuMsOf } from './processes'
import { heading, table } from './report'
import { forget } from './servers'

/** Events between two folds, as many as a site with 100 million a day gets in 43 seconds. */
const batchEvents = 50_000
/** The number of folds that are measured at each size of the day. */
const windowFolds = 10
/** Sittings at the same time, events of each, and sittings of a visitor on a day. */
const [sittings, sittingEvents, sittingsOfVisitor] = [5_000, 24, 3]

/** The database of such a site has more memory than the default for a small machine. */
const settings = { shared_buffers: '2GB', max_wal_size: '8GB' }

/**
 * Measures what it costs to fold a batch as the day grows. The events are of today and evenly spaced; there is one
 * process and one database.
 */
export async function benchFolding(sizes: readonly number[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-bench-'))
  const embedded = await startEmbedded({ dataDir, settings })
  await migrate(embedded.url)
  const db = openDatabase(embedded.url, { max: 1 })
  try {
    heading(`Folding batches of ${batchEvents.toLocaleString('en')} events into a day that grows`)
    await fillLibrary(db, 300)
    const rows = await growDay(db, sizes)
    const [first] = rows
    table(
      [
        { name: 'insert, CPU', of: (row) => row.insertMicros },
        {
          name: 'fold, CPU',
          of: (row) => row.foldMicros,
          goal: { atMost: Math.round(2 * first.foldMicros) },
        },
        { name: 'a fold, ms', of: (row) => row.meanMs },
        { name: 'slowest, ms', of: (row) => row.slowestMs },
      ],
      rows.map((row) => [`${row.events.toLocaleString('en')} events, µs an event`, row] as const),
    )
  } finally {
    await db.close()
    await embedded.stop()
    forget(dataDir)
  }
}

/** Processor time of the database, which other work on the machine does not lengthen, and the duration of a fold. */
type Costs = { events: number; insertMicros: number; foldMicros: number; meanMs: number; slowestMs: number }
type Times = { cpuMs: number; ms: number }

async function growDay(db: Database, sizes: readonly number[]): Promise<[Costs, ...Costs[]]> {
  const contentIds = await itemIds(db)
  const [backend] = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const pid = backend?.pid ?? 0
  const total = Math.max(...sizes)
  const rows: Costs[] = []
  let recent: { insert: Times; fold: Times }[] = []
  for (let events = batchEvents; events <= total; events += batchEvents) {
    const insert = await timed(pid, () => insertBatch(db, { from: events - batchEvents, total, contentIds }))
    const fold = await timed(pid, () => rollUp(db))
    recent = [...recent, { insert, fold }].slice(-windowFolds)
    if (!sizes.includes(events)) continue
    const mean = (of: (each: (typeof recent)[number]) => number) =>
      recent.reduce((sum, each) => sum + of(each), 0) / recent.length
    rows.push({
      events,
      insertMicros: (mean(({ insert: { cpuMs } }) => cpuMs) * 1_000) / batchEvents,
      foldMicros: (mean(({ fold: { cpuMs } }) => cpuMs) * 1_000) / batchEvents,
      meanMs: mean(({ fold: { ms } }) => ms),
      slowestMs: Math.max(...recent.map((each) => each.fold.ms)),
    })
  }
  const [first, ...others] = rows
  if (!first) throw new Error('No size is a multiple of the batch.')
  return [first, ...others]
}

type Batch = { from: number; total: number; contentIds: readonly string[] }

/**
 * Inserts the next events of the day in the order of time, from overlapping sittings. A fifth of the visitors are
 * members.
 */
async function insertBatch(db: Database, { from, total, contentIds }: Batch): Promise<void> {
  const visitors = Math.max(1, Math.ceil(total / sittingEvents / sittingsOfVisitor))
  await db.execute(sql`
    insert into analytics_events (id, timestamp, session_id, anon_id, user_id, event_type, content_type, content_id, position_sec, total_sec, delta_ms, page, meta)
    select gen_random_uuid(), at, 'session ' || sitting, 'visitor ' || person,
      case when person % 5 = 0 then ('00000000-0000-7000-8000-' || lpad(person::text, 12, '0'))::uuid end,
      kind, case when kind = 'page_view' then 'page' when kind = 'search_performed' then 'search' else 'story' end,
      case when kind not in ('page_view', 'search_performed') then items[1 + floor(power(taste, 2) * cardinality(items))::int] end,
      floor(random() * 600), 600, 1200, '/stories', case when kind = 'search_performed' then '{"query": "moon", "resultsCount": 0}'::jsonb end
    from (
      select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + make_interval(secs => n::float8 / ${total} * 86399) as at, sitting,
        (hashint4(sitting) & 2147483647) % ${visitors}::int as person,
        (array['page_view', 'search_performed', 'read_start', 'read_complete', 'audio_play', 'audio_play', 'audio_progress', 'audio_progress',
          'audio_progress', 'audio_pause', 'audio_complete', 'page_view'])[1 + floor(random() * 12)::int] as kind,
        (hashint4(sitting * 3 + step / 8) & 65535) / 65536.0 as taste, ${`{${contentIds.join(',')}}`}::text[] as items
      from (
        select n, n / ${sittings * sittingEvents} * ${sittings} + n % ${sittings} as sitting, n / ${sittings} % ${sittingEvents} as step
        from generate_series(${from}::int, ${from + batchEvents - 1}::int) as n
      ) as numbered
    ) as made`)
}

async function timed(pid: number, work: () => Promise<unknown>): Promise<Times> {
  const [cpuMs, startedAt] = [cpuMsOf(pid), performance.now()]
  await work()
  return { cpuMs: cpuMsOf(pid) - cpuMs, ms: performance.now() - startedAt }
}
