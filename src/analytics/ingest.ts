import { TypeCompiler } from 'typebox/compiler'
import { isId } from '#src/shape/id'
import type { EventRow } from './collect'
import { type DropReason, dataBytesMax, eventAgeMsMax, eventAheadMsMax } from './rules'
import { EventReport } from './schema'

/** The sender of events. The server identifies it, never the events' own fields. */
export type EventSender = {
  anonId: string
  userId: string | null
  sessionId: string | null
  /** Why events of this sender are dropped. Null if they are stored. */
  refused: DropReason | null
}

export type Dropped = Partial<Record<DropReason, number>>

/** Returns how many of `count` events the rate limit admits. */
export type Quota = (count: number) => number

/**
 * Checks a batch, in this order: the sender, each event's shape, its age, and the rate limit. Returns the rows to
 * store, and the number of dropped events by reason. Pure, except for the quota.
 */
export function readBatch(
  events: readonly unknown[],
  sender: EventSender,
  takeQuota: Quota,
  now: Date,
): { rows: EventRow[]; dropped: Dropped } {
  const dropped: Dropped = {}
  const drop = (reason: DropReason, count = 1) => {
    if (count > 0) dropped[reason] = (dropped[reason] ?? 0) + count
  }
  if (sender.refused) {
    drop(sender.refused, events.length)
    return { rows: [], dropped }
  }
  const rows: EventRow[] = []
  for (const event of events) {
    const row = toRow(event, sender)
    const ageMs = row ? now.getTime() - Date.parse(row.timestamp) : 0
    if (!row || ageMs < -eventAheadMsMax) drop('invalid')
    else if (ageMs > eventAgeMsMax) drop('too_old')
    else rows.push(row)
  }
  const taken = takeQuota(rows.length)
  drop('rate_limited', rows.length - taken)
  return { rows: rows.slice(0, taken), dropped }
}

const report = TypeCompiler.Compile(EventReport)

/** The row of an event. Null for an invalid one. */
function toRow(event: unknown, sender: EventSender): EventRow | null {
  if (!report.Check(event) || !isValid(event)) return null
  const row: EventRow = {
    id: event.id?.toLowerCase() ?? '',
    timestamp: new Date(event.timestamp).toISOString(),
    session_id: sender.sessionId,
    anon_id: sender.anonId,
    user_id: sender.userId,
    event_type: event.eventType,
    content_type: event.contentType ?? null,
    content_id: event.contentId?.toLowerCase() || null,
    position_sec: event.positionSec ?? null,
    total_sec: event.totalSec ?? null,
    delta_ms: event.deltaMs == null ? null : Math.min(Math.round(event.deltaMs), deltaMsMax),
    page: event.page ? event.page.split(/[?#]/, 1)[0] || null : null,
    meta: event.data ?? null,
  }
  if (!isStorable(JSON.stringify([row.content_id, row.page]))) return null
  return row.id ? row : { ...row, id: idOf(row) }
}

/** Checks what the schema cannot: the year, the id of an item, and the size and the characters of the data. */
function isValid({ timestamp, data, contentId, contentType }: EventReport): boolean {
  const year = new Date(timestamp).getUTCFullYear()
  if (!(year >= 2000 && year <= 9_999)) return false
  if (contentId && isItem(contentType) && !isId(contentId)) return false
  const text = JSON.stringify(data ?? null)
  return isStorable(text) && Buffer.byteLength(text) <= dataBytesMax
}

const isItem = (contentType: EventReport['contentType']) => contentType === 'story' || contentType === 'flow'

/** A day. After a longer absence the person had left. */
const deltaMsMax = 24 * 3_600_000

/**
 * Whether PostgreSQL can store a JSON text: it accepts neither NUL nor half of a surrogate pair. JSON writes both as
 * escapes.
 */
function isStorable(json: string): boolean {
  return !/\\u(0000|d[89a-f][0-9a-f]{2})/i.test(json)
}

/** A hash of the content, as the id of an event that has none, so that a retry is not counted again. */
function idOf(row: EventRow): string {
  const content = JSON.stringify({ ...row, session_id: null, user_id: null })
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
