import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, moment, updatedAt } from '../columns'

/** Every change an operator makes: who, when, what, before, after. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: moment('at').notNull().defaultNow(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id'),
    before: jsonb('before'),
    after: jsonb('after'),
  },
  (t) => [index('audit_log_at').on(t.at, t.id), index('audit_log_subject').on(t.subjectType, t.subjectId)],
)

/** Counters of guesses, shared by every server on this database. */
export const throttles = pgTable(
  'throttles',
  {
    key: text('key').notNull(),
    windowStart: moment('window_start').notNull(),
    count: integer('count').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.windowStart] }), index('throttles_expiry').on(t.expiresAt)],
)

/** Settings an operator changes while the program runs, such as the free-reading limit. */
export const featureFlags = pgTable('feature_flags', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  isOn: boolean('is_on').notNull().default(true),
  updatedBy: text('updated_by').notNull(),
  updatedAt: updatedAt(),
})
