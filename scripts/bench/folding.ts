import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded/start'
import { migrate } from '#db/migrate'
import { rollUp } from '#src/analytics/rollup'
import { itemIds } from './dashboards'
import { fillLibrary } from './library'
import { heading, table } from './report'
import { forget } from './servers'

/** Events between two folds: those of 43 seconds on a site with 100 million a day. */
const batchEvents = 50_000
/** A window of so many folds is measured at each size of the day. */
const windowFolds = 10
/** Sittings at a time, events of each, and sittings of a visitor on the day. */
const [sittings, sittingEvents, sittingsOfVisitor] = [5_000, 24, 3]

/** The costs of folding a batch as the day grows: today's, an event every moment, in one process and one database. */
export async function benchFolding(sizes: readonly number[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-bench-'))
  const embedded = await startEmbedded({ dataDir })
  await migrate(embedded.url)
  const db = openDatabase(embedded.url, { max: 2 })
  try {
    heading(`Folding batches of ${batchEvents.toLocaleString('en')} events into a day that grows`)
    await fillLibrary(db, 300)
    const rows = await growDay(db, sizes)
    const [[, first]] = rows
    table(
      [
        { name: 'insert µs/ev.', of: (row) => row.insertMicros },
        { name: 'fold µs/ev.', of: (row) => row.foldMicros, goal: { atMost: 2 * first.foldMicros } },
        { name: 'a fold, ms', of: (row) => (row.foldMicros * batchEvents) / 1_000 },
        { name: 'slowest, ms', of: (row) => row.slowestMs },
      ],
      rows,
    )
  } finally {
    await db.close()
    await embedded.stop()
    forget(dataDir)
  }
}

type Costs = { insertMicros: number; foldMicros: number; slowestMs: number }
type Row = readonly [string, Costs]

async function growDay(db: Database, sizes: readonly number[]): Promise<[Row, ...Row[]]> {
  const contentIds = await itemIds(db)
  const total = Math.max(...sizes)
  const rows: Row[] = []
  let recent: { insertMs: number; foldMs: number }[] = []
  for (let from = 0; from < total; from += batchEvents) {
    const insertMs = await timed(() => insertBatch(db, { from, total, contentIds }))
    const foldMs = await timed(() => rollUp(db))
    recent = [...recent, { insertMs, foldMs }].slice(-windowFolds)
    if (!sizes.includes(from + batchEvents)) continue
    const micros = (ms: number[]) =>
      (ms.reduce((sum, each) => sum + each, 0) * 1_000) / ms.length / batchEvents
    rows.push([
      `${(from + batchEvents).toLocaleString('en')} events`,
      {
        insertMicros: micros(recent.map((each) => each.insertMs)),
        foldMicros: micros(recent.map((each) => each.foldMs)),
        slowestMs: Math.max(...recent.map((each) => each.foldMs)),
      },
    ])
  }
  const [first, ...others] = rows
  if (!first) throw new Error('No size is a multiple of the batch.')
  return [first, ...others]
}

type Batch = { from: number; total: number; contentIds: readonly string[] }

/** The next events of the day, in the order of time, of sittings that overlap. A fifth of the visitors are members. */
export async function insertBatch(db: Database, { from, total, contentIds }: Batch): Promise<void> {
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
