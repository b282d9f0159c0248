import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { deviceKinds } from '#src/listening/rules'
import { itemTypes } from '#src/story/rules'
import { createdAt, id, instant } from '../columns'
import { users } from './member'
import { stories } from './story'

/**
 * Where a listener or reader stopped. `anonId` is a member's id or a visitor's functional id. It is never null, because
 * a null would defeat the unique key.
 */
export const contentProgress = pgTable(
  'content_progress',
  {
    id: id(),
    sessionId: text('session_id'),
    anonId: text('anon_id').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    contentType: text('content_type', { enum: itemTypes }).notNull(),
    contentId: uuid('content_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    lastPositionSec: doublePrecision('last_position_sec').notNull().default(0),
    totalSec: doublePrecision('total_sec'),
    completed: boolean('completed').notNull().default(false),
    /** The last writer: a playback on a device, and its increasing sequence number. */
    deviceId: text('device_id'),
    sequence: bigint('sequence', { mode: 'number' }),
    /**
     * The time by the reporter's own clock, never later than the server's. It identifies a beacon that arrives late.
     */
    reportedAt: instant('reported_at').notNull().defaultNow(),
    firstStartedAt: instant('first_started_at').notNull().defaultNow(),
    lastUpdatedAt: instant('last_updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('content_progress_once').on(t.anonId, t.contentId, t.contentType),
    index('content_progress_content').on(t.contentId),
    index('content_progress_user').on(t.userId).where(sql`user_id is not null`),
  ],
)

/** The last position of each device, so that both can be offered if two devices disagree. */
export const devicePositions = pgTable(
  'device_positions',
  {
    id: id(),
    anonId: text('anon_id').notNull(),
    contentId: uuid('content_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    deviceId: text('device_id').notNull(),
    /** The kind of the device in plain words: "phone", "tablet", "computer". */
    device: text('device', { enum: deviceKinds }),
    totalSec: doublePrecision('total_sec'),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    positionSec: doublePrecision('position_sec').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('device_positions_once').on(t.anonId, t.contentId, t.deviceId),
    index('device_positions_content').on(t.contentId),
  ],
)

/** One row per listener, item and day, once 30 s were played or read. The source of `views`. */
export const playbackSessions = pgTable(
  'playback_sessions',
  {
    id: id(),
    sessionId: text('session_id').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    /** A keyed hash of the address, never the address itself. */
    ipAddress: text('ip_address'),
    day: date('day', { mode: 'string' }).notNull(),
    playedAt: createdAt(),
    isComplete: boolean('is_complete').notNull().default(false),
  },
  (t) => [
    uniqueIndex('playback_sessions_once').on(t.sessionId, t.storyId, t.day),
    index('playback_sessions_story').on(t.storyId, t.day),
    index('playback_sessions_user').on(t.userId).where(sql`user_id is not null`),
    // Recent views are counted by an index-only scan.
    index('playback_sessions_played').on(t.playedAt, t.storyId),
  ],
)

/** Seconds that a listener has played or read of an item on a day, as reported. 30 of them are a view. */
export const playbackMeters = pgTable(
  'playback_meters',
  {
    listenerId: text('listener_id').notNull(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    seconds: doublePrecision('seconds').notNull().default(0),
    reportedAt: instant('reported_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.listenerId, t.storyId, t.day] }),
    index('playback_meters_day').on(t.day),
    index('playback_meters_story').on(t.storyId),
  ],
)
