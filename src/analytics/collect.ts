import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { isUnavailable } from '#db/db'
import { Refusal } from '#src/refusal'
import { insertEventsMax, waitingEventsMax } from './rules'

/** A row of analytics_events, in the names of its columns. */
export type EventRow = {
  id: string
  timestamp: string
  session_id: string | null
  anon_id: string
  user_id: string | null
  event_type: string
  content_type: string | null
  content_id: string | null
  position_sec: number | null
  total_sec: number | null
  delta_ms: number | null
  page: string | null
  meta: object | null
}

type Batch = { rows: readonly EventRow[]; settle(inserted: number): void; fail(error: unknown): void }

const collectors = new WeakMap<Database, ReturnType<typeof openCollector>>()

/**
 * Keeps events: resolves with how many were new once they are committed. Batches that come while one is being
 * written are written together: one commit for many. Throws `unavailable` where too many wait already.
 */
export function collect(db: Database, rows: readonly EventRow[]): Promise<number> {
  const collector = collectors.get(db) ?? openCollector(db)
  collectors.set(db, collector)
  return collector.add(rows)
}

function openCollector(db: Database) {
  let waiting: Batch[] = []
  let waitingEvents = 0
  let isWriting = false

  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const group = takeGroup()
      await insertGroup(db, group)
      waitingEvents -= group.reduce((sum, { rows }) => sum + rows.length, 0)
    }
    isWriting = false
  }

  function takeGroup(): Batch[] {
    let events = 0
    const count = waiting.findIndex(({ rows }) => {
      events += rows.length
      return events > insertEventsMax
    })
    const group = waiting.slice(0, count < 0 ? waiting.length : Math.max(1, count))
    waiting = waiting.slice(group.length)
    return group
  }

  return {
    add(rows: readonly EventRow[]): Promise<number> {
      if (waitingEvents + rows.length > waitingEventsMax) {
        throw new Refusal('unavailable', 'Too much is happening at once. Please send this again.', {
          retryAfterSeconds: 5,
        })
      }
      waitingEvents += rows.length
      const kept = new Promise<number>((settle, fail) => waiting.push({ rows, settle, fail }))
      void write()
      return kept
    },
  }
}

async function insertGroup(db: Database, group: readonly Batch[]): Promise<void> {
  try {
    const counts = await insert(db, group)
    for (const [at, { settle }] of group.entries()) settle(counts.get(at) ?? 0)
  } catch (error) {
    const isOwnFault = !isUnavailable(error) && group.length > 1
    for (const batch of group) {
      // What one batch cannot be kept for must not cost the others.
      if (isOwnFault) await insertGroup(db, [batch])
      else batch.fail(error)
    }
  }
}

/** New events by the place of their batch in the group. */
async function insert(db: Database, group: readonly Batch[]): Promise<Map<number, number>> {
  const seen = new Set<string>()
  const rows: (EventRow & { batch: number })[] = []
  group.forEach((batch, at) => {
    for (const row of batch.rows) {
      const key = `${row.anon_id} ${row.timestamp} ${row.id}`
      if (!seen.has(key)) rows.push({ ...row, batch: at })
      seen.add(key)
    }
  })
  const counts = await db.execute<{ batch: number; inserted: number }>(sql`
    with sent as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(
        batch int, id uuid, timestamp timestamptz, session_id text, anon_id text, user_id uuid, event_type text,
        content_type text, content_id text, position_sec float8, total_sec float8, delta_ms int, page text, meta jsonb)
    ), kept as (
      insert into analytics_events (id, timestamp, session_id, anon_id, user_id, event_type, content_type, content_id, position_sec, total_sec, delta_ms, page, meta)
      select id, timestamp, session_id, anon_id, user_id, event_type, content_type, content_id, position_sec, total_sec, delta_ms, page, meta from sent
      on conflict do nothing
      returning anon_id, timestamp, id
    )
    select sent.batch, count(*)::int as inserted from kept join sent using (anon_id, timestamp, id) group by sent.batch`)
  return new Map(counts.map(({ batch, inserted }) => [batch, inserted]))
}
