import {
  bigint,
  boolean,
  date,
  doublePrecision,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

/**
 * Events that are not part of any sum yet. A trigger inserts them in the transaction that inserts the event, and the
 * fold deletes them in the transaction that counts them. So each is counted once, whatever commits first or crashes.
 * Without an index, because the fold takes all rows.
 */
export const analyticsArrivals = pgTable('analytics_arrivals', {
  id: uuid('id').notNull(),
  timestamp: timestamp('timestamp', { withTimezone: true, mode: 'date' }).notNull(),
  anonId: text('anon_id').notNull(),
  userId: uuid('user_id'),
  sessionId: text('session_id'),
  eventType: text('event_type').notNull(),
  /** Only for events about an item. */
  contentId: uuid('content_id'),
  positionSec: doublePrecision('position_sec'),
  totalSec: doublePrecision('total_sec'),
  /** The data of a search event. */
  search: jsonb('search'),
})

/**
 * When a visitor's session began and was last active on a day, in total and in each category. A new row is a new
 * session; a visitor's first row is a new visitor. Partitioned by month, and dropped together with the events.
 */
export const analyticsSittings = pgTable(
  'analytics_sittings',
  {
    day: date('day', { mode: 'string' }).notNull(),
    visitor: text('visitor').notNull(),
    category: text('category').notNull(),
    /** Empty for events without a session. */
    sessionId: text('session_id').notNull(),
    firstAt: timestamp('first_at', { withTimezone: true, mode: 'date' }).notNull(),
    lastAt: timestamp('last_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.visitor, t.category, t.sessionId] })],
)

/**
 * A visitor's use of an item on a day, up to the last event that was folded. Partitioned by month, and dropped together
 * with the events.
 */
export const analyticsVisits = pgTable(
  'analytics_visits',
  {
    day: date('day', { mode: 'string' }).notNull(),
    visitor: text('visitor').notNull(),
    contentId: uuid('content_id').notNull(),
    contentType: text('content_type').notNull(),
    /** The scopes in which the visit counts: `all` and the item's categories at that time. */
    categories: text('categories').array().notNull(),
    /** Whether anything was heard or read. A pause alone is no view. */
    isView: boolean('is_view').notNull(),
    wasHeard: boolean('was_heard').notNull(),
    wasRead: boolean('was_read').notNull(),
    isComplete: boolean('is_complete').notNull(),
    fraction: doublePrecision('fraction').notNull(),
    timeMs: bigint('time_ms', { mode: 'number' }).notNull(),
    lastAt: timestamp('last_at', { withTimezone: true, mode: 'date' }).notNull(),
    lastType: text('last_type').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.visitor, t.contentId] })],
)
