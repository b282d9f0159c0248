import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, moment } from '../columns'

export const trackingSessions = pgTable(
  'tracking_sessions',
  {
    id: id(),
    sessionId: text('session_id').notNull().unique(),
    anonId: text('anon_id'),
    firstSeen: moment('first_seen').notNull().defaultNow(),
    lastSeen: moment('last_seen').notNull().defaultNow(),
    userAgent: text('user_agent'),
    locale: text('locale'),
    referrer: text('referrer'),
    utm: jsonb('utm'),
    consent: boolean('consent').notNull().default(false),
    dnt: boolean('dnt').notNull().default(false),
    ipHash: text('ip_hash'),
  },
  (t) => [index('tracking_sessions_seen').on(t.lastSeen)],
)

/** Partitioned by month (a migration by hand); the key makes a retried batch count once. */
export const analyticsEvents = pgTable(
  'analytics_events',
  {
    id: uuid('id').notNull(),
    timestamp: timestamp('timestamp', { withTimezone: true, mode: 'date' }).notNull(),
    receivedAt: moment('received_at').notNull().defaultNow(),
    sessionId: text('session_id'),
    anonId: text('anon_id').notNull(),
    userId: uuid('user_id'),
    eventType: text('event_type').notNull(),
    contentType: text('content_type'),
    contentId: text('content_id'),
    positionSec: doublePrecision('position_sec'),
    totalSec: doublePrecision('total_sec'),
    deltaMs: integer('delta_ms'),
    page: text('page'),
    meta: jsonb('meta'),
  },
  (t) => [primaryKey({ columns: [t.anonId, t.timestamp, t.id] })],
)

export const dailyAggregates = pgTable(
  'daily_aggregates',
  {
    id: id(),
    date: date('date', { mode: 'string' }).notNull(),
    contentId: text('content_id').notNull(),
    contentType: text('content_type').notNull(),
    userId: uuid('user_id'),
    totalViews: integer('total_views').notNull().default(0),
    uniqueUsers: integer('unique_users').notNull().default(0),
    avgCompletionRate: doublePrecision('avg_completion_rate').notNull().default(0),
    bounceRate: doublePrecision('bounce_rate').notNull().default(0),
    totalTimeMs: bigint('total_time_ms', { mode: 'number' }).notNull().default(0),
  },
  (t) => [uniqueIndex('daily_aggregates_once').on(t.date, t.contentId, t.contentType)],
)
