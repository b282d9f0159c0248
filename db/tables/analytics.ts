import { sql } from 'drizzle-orm'
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
import { id, instant } from '../columns'
import { users } from './member'

/** A visit of a browser that may be counted: its start, its last heartbeat, and its referrer. */
export const trackingSessions = pgTable(
  'tracking_sessions',
  {
    id: id(),
    sessionId: text('session_id').notNull().unique(),
    anonId: text('anon_id'),
    firstSeen: instant('first_seen').notNull().defaultNow(),
    lastSeen: instant('last_seen').notNull().defaultNow(),
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

/**
 * Events that browsers report, partitioned by month (the migration was written by hand). The key contains the event's
 * own id, so that a batch that is sent again counts once.
 */
export const analyticsEvents = pgTable(
  'analytics_events',
  {
    id: uuid('id').notNull(),
    timestamp: timestamp('timestamp', { withTimezone: true, mode: 'date' }).notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
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
  (t) => [
    primaryKey({ columns: [t.anonId, t.timestamp, t.id] }),
    // Rows are stored in the order of their arrival, so a BRIN index of a few pages finds the newest.
    index('analytics_events_received').using('brin', t.receivedAt),
    // To erase a member's events. Visitors' rows are not in this index.
    index('analytics_events_user').on(t.userId).where(sql`user_id is not null`),
  ],
)

/** Daily salts for hashing addresses. Each is destroyed after 48 hours; after that a hash cannot be reversed. */
export const analyticsSalts = pgTable('analytics_salts', {
  day: date('day', { mode: 'string' }).primaryKey(),
  salt: text('salt').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** Visitors who have signed in. The next rollup assigns their earlier events to the member, and deletes the row. */
export const analyticsLinks = pgTable(
  'analytics_links',
  {
    anonId: text('anon_id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    linkedAt: instant('linked_at').notNull().defaultNow(),
  },
  (t) => [index('analytics_links_user').on(t.userId)],
)

/**
 * The instant since which days were counted by something other than the fold, and have to be folded from their events.
 */
export const analyticsWatermarks = pgTable('analytics_watermarks', {
  name: text('name').primaryKey(),
  receivedAt: instant('received_at').notNull(),
})

/** Sums of an item on a day. Counts are of visitors: one who plays an item twice on a day is one view. */
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
    /** Views that ended early and unfinished. The bounce rate is computed from them. */
    bounces: integer('bounces').notNull().default(0),
    totalTimeMs: bigint('total_time_ms', { mode: 'number' }).notNull().default(0),
    completed25: integer('completed_25').notNull().default(0),
    completed50: integer('completed_50').notNull().default(0),
    completed75: integer('completed_75').notNull().default(0),
    completed100: integer('completed_100').notNull().default(0),
    /** The number of views that reached 10, 20 … 100 percent, to see where listeners stop. */
    reached: integer('reached').array().notNull().default([]),
  },
  (t) => [
    uniqueIndex('daily_aggregates_once').on(t.date, t.contentId, t.contentType),
    // Contains all columns that the dashboards sum, so that they can use index-only scans.
    index('daily_aggregates_sums').on(
      t.date,
      t.contentId,
      t.totalViews,
      t.totalTimeMs,
      t.completed25,
      t.completed50,
      t.completed75,
      t.completed100,
    ),
  ],
)

/** Sums of an item in a month: for a year, 12 rows of an item instead of 365. */
export const monthlyAggregates = pgTable(
  'monthly_aggregates',
  {
    /** The first day of the month. */
    month: date('month', { mode: 'string' }).notNull(),
    contentId: text('content_id').notNull(),
    views: integer('views').notNull(),
    timeMs: bigint('time_ms', { mode: 'number' }).notNull(),
    completed25: integer('completed_25').notNull(),
    completed50: integer('completed_50').notNull(),
    completed75: integer('completed_75').notNull(),
    completed100: integer('completed_100').notNull(),
  },
  (t) => [primaryKey({ columns: [t.month, t.contentId] })],
)

/** Sums of the site on a day, in total (`category` is `all`) and by category. */
export const analyticsDays = pgTable(
  'analytics_days',
  {
    day: date('day', { mode: 'string' }).notNull(),
    category: text('category').notNull(),
    events: integer('events').notNull(),
    visitors: integer('visitors').notNull(),
    views: integer('views').notNull(),
    completions: integer('completions').notNull(),
    audioPlays: integer('audio_plays').notNull(),
    storiesRead: integer('stories_read').notNull(),
    sessions: integer('sessions').notNull(),
    sessionMs: bigint('session_ms', { mode: 'number' }).notNull(),
    /** The number of sessions by duration, in the ranges of `sessionRanges`. */
    sessionCounts: integer('session_counts').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.category, t.day] })],
)

/** The number of events on a day, by event type. */
export const analyticsDayEvents = pgTable(
  'analytics_day_events',
  {
    day: date('day', { mode: 'string' }).notNull(),
    category: text('category').notNull(),
    eventType: text('event_type').notNull(),
    events: integer('events').notNull(),
  },
  (t) => [primaryKey({ columns: [t.category, t.day, t.eventType] })],
)

/**
 * The last day on which a visitor was active in a scope: `all`, a category, or an item's id. Counting the rows of the
 * last N days counts distinct visitors exactly. `analytics_reach` contains this count.
 */
export const analyticsLastDays = pgTable(
  'analytics_last_days',
  {
    scope: text('scope').notNull(),
    visitor: text('visitor').notNull(),
    lastDay: date('last_day', { mode: 'string' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.visitor, t.scope] })],
)

/** The number of visitors of a scope whose last activity was on a day. */
export const analyticsReach = pgTable(
  'analytics_reach',
  {
    scope: text('scope').notNull(),
    lastDay: date('last_day', { mode: 'string' }).notNull(),
    visitors: integer('visitors').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.lastDay] }),
    // The index contains the count too, because the rows of one item are spread over as many pages of the table as
    // there are days.
    index('analytics_reach_counts').on(t.scope, t.lastDay, t.visitors),
  ],
)

/** Searches of a day, without the visitors who made them. */
export const analyticsDaySearches = pgTable(
  'analytics_day_searches',
  {
    day: date('day', { mode: 'string' }).notNull(),
    query: text('query').notNull(),
    searches: integer('searches').notNull(),
    withoutResult: integer('without_result').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.query] })],
)
