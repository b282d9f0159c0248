import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant, updatedAt } from '../columns'

/** Every change by an operator: who, when, what, before, after. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: instant('at').notNull().defaultNow(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id'),
    before: jsonb('before'),
    after: jsonb('after'),
  },
  (t) => [
    index('audit_log_at').on(t.at, t.id),
    index('audit_log_subject').on(t.subjectType, t.subjectId),
    index('audit_log_actor').on(t.actor, t.id),
  ],
)

/** The items of a bulk change, such as an import or its undo, each with its outcome. */
export const auditItems = pgTable(
  'audit_items',
  {
    changeId: uuid('change_id')
      .notNull()
      .references(() => auditLog.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    itemId: uuid('item_id').notNull(),
    title: text('title').notNull(),
    verdict: text('verdict').notNull(),
    /** The fields that the verdict concerns: those that an import wrote, or that were edited since. */
    fields: text('fields').array().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.changeId, t.place] }), index('audit_items_item').on(t.itemId)],
)

/** Rate limit counters, shared by every server on this database. */
export const throttles = pgTable(
  'throttles',
  {
    key: text('key').notNull(),
    windowStart: instant('window_start').notNull(),
    count: integer('count').notNull().default(0),
    /** When the last attempt was accepted. The delay of the next one starts here. */
    takenAt: instant('taken_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.windowStart] }), index('throttles_expiry').on(t.expiresAt)],
)

/** Settings that an operator changes at run time, such as the free-reading limit. */
export const featureFlags = pgTable('feature_flags', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  isOn: boolean('is_on').notNull().default(true),
  updatedBy: text('updated_by').notNull(),
  updatedAt: updatedAt('feature_flags'),
})

/**
 * Fingerprints of the secrets with which this library's cookies, encrypted texts and notifications are made. An
 * instance with other secrets could not read them.
 */
export const secretFingerprints = pgTable('secret_fingerprints', {
  /** The secret's environment variable. */
  name: text('name').primaryKey(),
  /** HMAC-SHA-256 of the name under the secret. The secret cannot be derived from it. */
  fingerprint: text('fingerprint').notNull(),
  updatedAt: updatedAt('secret_fingerprints'),
})
