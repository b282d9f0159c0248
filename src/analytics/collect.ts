import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { isUnavailable } from '#db/failures'
import { AppError } from '#src/app-error'
import { existingMembers } from '#src/personal-data/existing-member'
import { insertEventsMax, waitingEventsMax } from './rules'

/** A row of analytics_events, with its column names. */
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

type Batch = { rows: readonly EventRow[]; resolve(inserted: number): void; reject(error: unknown): void }

/**
 * Concurrent inserts. While one group waits for the disk, others are read and checked: 4 were faster than 2 and 1
 * (measured).
 */
const writersMax = 4

const collectors = new WeakMap<Database, ReturnType<typeof openCollector>>()

/**
 * Stores events. Resolves with the number of new ones once they are committed. Batches that arrive during a write are
 * written together, in one commit. Throws `unavailable` if too many are waiting.
 */
export function collect(db: Database, rows: readonly EventRow[]): Promise<number> {
  const collector = collectors.get(db) ?? openCollector(db)
  collectors.set(db, collector)
  return collector.add(rows)
}

function openCollector(db: Database) {
  let waiting: Batch[] = []
  let waitingEvents = 0
  let writers = 0

  async function write(): Promise<void> {
    if (writers >= writersMax) return
    writers += 1
    while (waiting.length > 0) {
      const group = takeGroup()
      await insertGroup(db, group)
      waitingEvents -= group.reduce((sum, { rows }) => sum + rows.length, 0)
    }
    writers -= 1
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
        throw new AppError('unavailable', 'Too much is happening at once. Please send this again.', {
          retryAfterSeconds: 5,
        })
      }
      waitingEvents += rows.length
      const stored = new Promise<number>((resolve, reject) => waiting.push({ rows, resolve, reject }))
      void write()
      return stored
    },
  }
}

async function insertGroup(db: Database, group: readonly Batch[]): Promise<void> {
  try {
    const counts = await insert(db, group)
    for (const [at, { resolve }] of group.entries()) resolve(counts.get(at) ?? 0)
  } catch (error) {
    const isOwnFault = !isUnavailable(error) && group.length > 1
    for (const batch of group) {
      // An error of one batch must not lose the others of its group.
      if (isOwnFault) await insertGroup(db, [batch])
      else batch.reject(error)
    }
  }
}

/**
 * Counts the new events of each batch, by its index in the group. Those of a member who has been deleted meanwhile are
 * not stored.
 */
async function insert(db: Database, group: readonly Batch[]): Promise<Map<number, number>> {
  const seen = new Set<string>()
  const rows: EventRow[] = []
  const batchOf = new Map<string, number>()
  for (const [at, batch] of group.entries()) {
    for (const row of batch.rows) {
      const key = `${row.anon_id} ${row.timestamp} ${row.id}`
      if (seen.has(key)) continue
      seen.add(key)
      rows.push(row)
      batchOf.set(`${row.anon_id} ${row.id}`, at)
    }
  }
  // Always in the same order, so that writers with the same events wait for each other without a deadlock.
  rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  const memberIds = new Set(rows.flatMap(({ user_id }) => user_id ?? []))
  const inserted = await db.execute<{ key: string }>(sql`
    insert into analytics_events (id, timestamp, session_id, anon_id, user_id, event_type, content_type, content_id, position_sec, total_sec, delta_ms, page, meta)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as sent(
      id uuid, timestamp timestamptz, session_id text, anon_id text, user_id uuid, event_type text, content_type text,
      content_id text, position_sec float8, total_sec float8, delta_ms int, page text, meta jsonb)
    where sent.user_id is null or sent.user_id in ${existingMembers(memberIds)}
    on conflict do nothing
    returning anon_id || ' ' || id as key`)
  const counts = new Map<number, number>()
  for (const { key } of inserted) {
    const at = batchOf.get(key) ?? 0
    counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  return counts
}
