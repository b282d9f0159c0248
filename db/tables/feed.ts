import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../columns'
import { users } from './member'
import { stories } from './story'

/** The key of a member's private feeds; `tokenHash` is the SHA-256 of the token in their addresses. */
export const feedTokens = pgTable('feed_tokens', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: createdAt(),
  /** When an app last fetched a feed, rounded to the hour. */
  lastUsedAt: instant('last_used_at'),
})

/**
 * The number that names an item in the feeds of members in discreet mode. It never changes, so that "Part 3" in an app
 * is the same item tomorrow.
 */
export const episodeNumbers = pgTable('episode_numbers', {
  storyId: uuid('story_id')
    .primaryKey()
    .references(() => stories.id, { onDelete: 'cascade' }),
  number: integer('number').notNull().unique().generatedAlwaysAsIdentity(),
})
