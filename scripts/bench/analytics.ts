import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#db/db'
import { startEmbedded } from '#db/embedded'
import { rebuildDay } from '#src/analytics/rebuild-day'
import { rebuildAll, rollUpIfFree } from '#src/analytics/rollup'
import { periods } from '#src/analytics/rules'
import { categoryFilters } from '#src/analytics/schema'
import { fillEvents } from '#src/analytics/testing-fill'
import { fillLibrary } from './library'
import { press } from './load'
import { residentBytes } from './memory'
import { figure, heading, notMeasured } from './report'
import { benchToken, forget, type Served, serveNocturne } from './servers'

const batchEvents = 10
const connections = 16
const ingestSeconds = 20
const bareRows = 1_000
const yearEvents = 10_000_000
const dayEvents = 30_000

export async function benchAnalytics(): Promise<void> {
  await withServer(benchIngest)
  await withServer(benchReads)
}

async function withServer(work: (server: Served, db: Database) => Promise<void>): Promise<void> {
  const server = await serveNocturne({ TRUST_PROXY: '127.0.0.1' })
  const embedded = await startEmbedded({ dataDir: server.dataDir })
  const db = openDatabase(embedded.url, { max: 2 })
  try {
    await work(server, db)
  } finally {
    await db.close()
    await embedded.stop()
    await server.stop()
    forget(server.dataDir)
  }
}

async function benchIngest(server: Served, db: Database): Promise<void> {
  heading(
    `Events over HTTP, batches of ${batchEvents}, ${connections} connections, committed before the answer`,
  )
  const bare = await insertBare(db)
  await db.execute(sql`truncate analytics_events`)
  await ingest(server, db, 5)
  const residentBefore = (await residentBytes(server.pid)) ?? 0
  const sent = await ingest(server, db, ingestSeconds)
  if (Number.isNaN(sent)) return notMeasured('over HTTP', 'wrk is not installed')
  const bareAgain = await insertBare(db)
  const ceiling = (bare + bareAgain) / 2
  figure(`bare inserts of ${bareRows.toLocaleString('en')} rows, one connection`, ceiling, 'events/s')
  figure('over HTTP', sent, 'events/s')
  figure('over HTTP / bare', sent / ceiling, '', { atLeast: 0.25 })
  figure(
    `memory grown in ${ingestSeconds} s`,
    (((await residentBytes(server.pid)) ?? 0) - residentBefore) / 1_024 / 1_024,
    'MB',
    {
      atMost: 32,
    },
  )
  await db.execute(sql`truncate analytics_events`)
}

/** The ceiling: the same rows into the same table, without a server. */
async function insertBare(db: Database): Promise<number> {
  const startedAt = performance.now()
  let rows = 0
  while (performance.now() - startedAt < 5_000) {
    const batch = Array.from({ length: bareRows }, () => ({
      id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      session_id: 'bare',
      anon_id: `visitor ${rows % 500}`,
      event_type: 'page_view',
      content_type: 'page',
      delta_ms: 1_200,
      page: '/stories',
      meta: { path: '/stories' },
    }))
    await db.execute(sql`
      insert into analytics_events (id, timestamp, session_id, anon_id, event_type, content_type, delta_ms, page, meta)
      select * from jsonb_to_recordset(${JSON.stringify(batch)}::text::jsonb) as r(
        id uuid, timestamp timestamptz, session_id text, anon_id text, event_type text, content_type text, delta_ms int, page text, meta jsonb)`)
    rows += bareRows
  }
  return rows / ((performance.now() - startedAt) / 1_000)
}

/** Events a second that are in the database after some seconds of wrk; NaN where it is not installed. */
async function ingest(server: Served, db: Database, seconds: number): Promise<number> {
  const count = async () =>
    Number((await db.execute<{ n: string }>(sql`select count(*) as n from analytics_events`))[0]?.n)
  const before = await count()
  const load = await press(`${server.url}/api/analytics/events`, { connections, seconds, script: lua() })
  if (!load) return Number.NaN
  if (load.failures > 0) throw new Error(`${load.failures} batches were refused.`)
  return ((await count()) - before) / seconds
}

/** As many households as send so much: one alone would be held back. */
function lua(): string {
  return `
local sent = 0
local function id()
  return string.format('%08x-%04x-4%03x-8%03x-%06x%06x', math.random(0, 0xffffffff), math.random(0, 0xffff), math.random(0, 0xfff), math.random(0, 0xfff), math.random(0, 0xffffff), math.random(0, 0xffffff))
end
math.randomseed(os.time())
function request()
  sent = sent + 1
  local now = os.date('!%Y-%m-%dT%H:%M:%SZ')
  local events = {}
  for at = 1, ${batchEvents} do
    events[at] = '{"id":"' .. id() .. '","eventType":"page_view","contentType":"page","timestamp":"' .. now .. '","deltaMs":1200,"page":"/stories","data":{"path":"/stories"}}'
  end
  return wrk.format('POST', nil, {
    ['content-type'] = 'application/json',
    ['x-forwarded-for'] = '10.' .. (math.floor(sent / 62500) % 250) .. '.' .. (math.floor(sent / 250) % 250) .. '.' .. (sent % 250),
  }, '{"sessionId":"bench","events":[' .. table.concat(events, ',') .. ']}')
end`
}

async function benchReads(server: Served, db: Database): Promise<void> {
  heading(`Dashboards, ${yearEvents.toLocaleString('en')} events over 365 days, one connection`)
  await fillLibrary(db, 300)
  const ids = await db.execute<{ id: string }>(sql`select id::text from stories order by id`)
  await makePastPartitions(db)
  const filledAt = performance.now()
  const slices = 200
  await fillEvents(db, {
    events: yearEvents,
    days: 365,
    visitors: 120_000,
    contentIds: ids.map(({ id }) => id),
    slices,
  })
  figure('writing them (not judged)', (performance.now() - filledAt) / 1_000, 's')
  const rebuiltAt = performance.now()
  await rebuildAll(db)
  figure('rebuilding all days (not judged)', (performance.now() - rebuiltAt) / 1_000, 's')
  await db.execute(
    sql`vacuum analyze analytics_last_days, analytics_reach, daily_aggregates, analytics_days, analytics_day_events`,
  )

  const calls = ['summary', 'behavior', 'content', 'content-trends'].flatMap((name) =>
    periods.flatMap((days) =>
      categoryFilters.map((category) => ({
        name,
        days,
        path: `${name}?days=${days}&category=${encodeURIComponent(category)}`,
      })),
    ),
  )
  const headers = { authorization: `Bearer ${benchToken}` }
  const timesOf = async (path: string) => {
    const times: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const startedAt = performance.now()
      const response = await fetch(`${server.url}/api/analytics/${path}`, { headers })
      await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      if (round > 0) times.push(performance.now() - startedAt)
    }
    return times
  }
  const byName = new Map<string, { worst: number; path: string }>()
  for (const { name, path } of [...calls, { name: 'realtime', path: 'realtime' }]) {
    const worst = quantile(await timesOf(path), 0.95)
    if (worst > (byName.get(name)?.worst ?? 0)) byName.set(name, { worst, path })
  }
  for (const { worst, path } of byName.values()) figure(`slowest p95: ${path}`, worst, 'ms', { atMost: 50 })

  await benchRebuild(
    db,
    ids.map(({ id }) => id),
  )
}

async function benchRebuild(db: Database, contentIds: readonly string[]): Promise<void> {
  const day = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10)
  const [row] = await db.execute<{ n: string }>(sql`
    select count(*) as n from analytics_events where timestamp >= (${day}::date)::timestamp at time zone 'UTC' and timestamp < (${day}::date + 1)::timestamp at time zone 'UTC'`)
  const missing = dayEvents - Number(row?.n)
  if (missing > 0) {
    await fillEvents(db, {
      events: missing,
      days: 0.9,
      visitors: 120_000,
      contentIds,
      until: `${day}T23:00:00Z`,
    })
  }
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now()
    await db.transaction((tx) => rebuildDay(tx, day))
    times.push(performance.now() - startedAt)
  }
  figure(`rebuilding a day of ${dayEvents.toLocaleString('en')} events, median`, quantile(times, 0.5), 'ms', {
    atMost: 500,
  })
  await rollUpIfFree(db)
  await db.execute(sql`update analytics_watermarks set received_at = now() + interval '2 minutes'`)
  const ticks: number[] = []
  for (let round = 0; round < 20; round += 1) {
    const startedAt = performance.now()
    await rollUpIfFree(db)
    ticks.push(performance.now() - startedAt)
    await db.execute(sql`update analytics_watermarks set received_at = now() + interval '2 minutes'`)
  }
  figure('a tick with nothing new, p95', quantile(ticks, 0.95), 'ms', { atMost: 10 })
}

async function makePastPartitions(db: Database): Promise<void> {
  const now = new Date()
  for (let ago = 1; ago <= 12; ago += 1) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1))
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago + 1, 1))
    const name = `analytics_events_${from.toISOString().slice(0, 7).replace('-', '_')}`
    await db.execute(
      sql.raw(
        `create table if not exists ${name} partition of analytics_events for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
      ),
    )
  }
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0
}
