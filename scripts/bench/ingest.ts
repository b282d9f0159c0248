import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { press } from './load'
import { residentBytes } from './memory'
import { figure, heading, notMeasured } from './report'
import { type Served, withServerAndDatabase } from './servers'

const batchEvents = 10
const connections = 16
const ingestSeconds = 20
const bareRows = 1_000

/** Measures events as browsers send them, beside bare inserts, and then memory during five minutes of them. */
export async function benchIngest(): Promise<void> {
  await withServerAndDatabase(pressEvents, { TRUST_PROXY: '127.0.0.1' })
}

async function pressEvents(server: Served, db: Database): Promise<void> {
  heading(
    `Events over HTTP, batches of ${batchEvents}, ${connections} connections, committed before the answer`,
  )
  const bare = await insertBare(db)
  await db.execute(sql`truncate analytics_events`)
  await ingest(server, db, 5)
  const sent = await ingest(server, db, ingestSeconds)
  if (Number.isNaN(sent)) return notMeasured('over HTTP', 'wrk is not installed')
  const bareAgain = await insertBare(db)
  const ceiling = (bare + bareAgain) / 2
  figure(`bare inserts of ${bareRows.toLocaleString('en')} rows, one connection`, ceiling, 'events/s')
  figure('over HTTP', sent, 'events/s')
  figure('over HTTP / bare', sent / ceiling, '', { atLeast: 0.25 })
  await pressForMinutes(server, db)
}

/** Measures the growth of memory. The first minute fills buffers and connections; after it memory is flat. */
async function pressForMinutes(server: Served, db: Database): Promise<void> {
  const residentMegabytes = async () => ((await residentBytes(server.pid)) ?? Number.NaN) / 1_024 / 1_024
  await ingest(server, db, 60)
  const early = await residentMegabytes()
  await ingest(server, db, 240)
  figure('resident after one minute', early, 'MB')
  figure('grown in the four minutes after it', (await residentMegabytes()) - early, 'MB', { atMost: 16 })
}

/** Measures the ceiling: the same rows into the same table, without a server. */
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

/**
 * Sends events with wrk for some seconds. Returns how many a second are in the database; NaN if wrk is not installed.
 */
async function ingest(server: Served, db: Database, seconds: number): Promise<number> {
  const count = async () =>
    Number((await db.execute<{ n: string }>(sql`select count(*) as n from analytics_events`))[0]?.n)
  const before = await count()
  const load = await press(`${server.url}/api/analytics/events`, { connections, seconds, script: lua() })
  if (!load) return Number.NaN
  if (load.failures > 0) throw new Error(`${load.failures} batches were refused.`)
  return ((await count()) - before) / seconds
}

/** Returns a wrk script that sends events from many addresses, because a single one would be rate limited. */
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
