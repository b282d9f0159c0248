import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../columns'
import { stories } from './story'

export const contentFlags = pgTable(
  'content_flags',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    flagType: text('flag_type').notNull(),
    flagReason: text('flag_reason').notNull().default(''),
    flaggedBy: text('flagged_by'),
    moderatorAction: text('moderator_action', { enum: ['review', 'approve', 'remove'] }),
    moderatorNotes: text('moderator_notes'),
    createdAt: createdAt(),
    resolvedAt: moment('resolved_at'),
  },
  (t) => [index('content_flags_open').on(t.resolvedAt, t.createdAt)],
)

export const contentGuidelines = pgTable('content_guidelines', {
  id: id(),
  ruleType: text('rule_type', {
    enum: ['negative_keywords', 'positive_keywords', 'content_rules'],
  }).notNull(),
  keywords: text('keywords').array().notNull().default([]),
  categories: text('categories').array().notNull().default([]),
  severity: text('severity', { enum: ['blocking', 'high', 'medium', 'low'] })
    .notNull()
    .default('high'),
  description: text('description').notNull().default(''),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})
