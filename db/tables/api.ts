import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../columns'
import { users } from './member'

/**
 * Calls with an Idempotency-Key. A row is inserted before the work begins, completed when it has ended, and deleted
 * after a day.
 */
export const idempotentCalls = pgTable(
  'idempotent_calls',
  {
    /** A member's id, or `operator`: a key is valid for one caller. */
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the call and its body. */
    fingerprint: text('fingerprint').notNull(),
    /** Null until the call has been answered. */
    status: integer('status'),
    answer: text('answer'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.caller, t.key] }),
    index('idempotent_calls_user').on(t.userId),
    index('idempotent_calls_created').on(t.createdAt),
  ],
)

/** Items that have left a list of the API, for clients that follow its changes. Only triggers write it. */
export const removals = pgTable(
  'removals',
  {
    /** The list: `published`, `library`, `challenge`, … */
    kind: text('kind').notNull(),
    id: uuid('id').notNull(),
    removedAt: instant('removed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.id] }),
    index('removals_list').on(t.kind, t.removedAt, t.id),
    index('removals_time').on(t.removedAt),
  ],
)
