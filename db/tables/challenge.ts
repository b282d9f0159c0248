import {
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant, updatedAt } from '../columns'
import { users } from './member'
import { stories } from './story'

/** A series of days that members join, with one item for each day. */
export const challenges = pgTable('challenges', {
  id: id(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  totalDays: integer('total_days').notNull(),
  publishedAt: instant('published_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt('challenges'),
})

/** The item of each day. */
export const challengeFlows = pgTable(
  'challenge_flows',
  {
    challengeId: uuid('challenge_id')
      .notNull()
      .references(() => challenges.id, { onDelete: 'cascade' }),
    day: integer('day').notNull(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.challengeId, t.day] }), index('challenge_flows_story').on(t.storyId)],
)

/** A member's participation in a challenge: since when, in which time zone, and which days are completed. */
export const challengeEnrolments = pgTable(
  'challenge_enrolments',
  {
    id: id(),
    challengeId: uuid('challenge_id')
      .notNull()
      .references(() => challenges.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    timeZone: text('time_zone').notNull().default('UTC'),
    startedOn: date('started_on', { mode: 'string' }).notNull(),
    /** The completed days, each with the date of its completion. */
    completedDays: jsonb('completed_days').$type<Record<string, string>>().notNull().default({}),
    pausedAt: instant('paused_at'),
    /** The last day on which the member was notified, in their time zone. */
    notifiedOn: date('told_on', { mode: 'string' }),
    completedAt: instant('completed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('challenge_enrolments_once').on(t.challengeId, t.userId),
    index('challenge_enrolments_user').on(t.userId),
  ],
)
