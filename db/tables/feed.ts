import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../columns'
import { users } from './member'

/** The key of a member's private feeds; `tokenHash` is the SHA-256 of what their addresses hold. */
export const feedTokens = pgTable('feed_tokens', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: createdAt(),
  /** When an app last asked; kept to the hour. */
  lastUsedAt: moment('last_used_at'),
})
