import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { decisions, ruleTypes, severities } from '#src/guideline/rules'
import { flagTypes, moderatorActions } from '#src/moderation/rules'
import { createdAt, id, moment, updatedAt } from '../columns'
import { stories } from './story'

export const contentFlags = pgTable(
  'content_flags',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    flagType: text('flag_type', { enum: flagTypes }).notNull(),
    flagReason: text('flag_reason').notNull().default(''),
    /** A member's id; null for a visitor. */
    flaggedBy: text('flagged_by'),
    /** Where a visitor wants to hear what became of it; forgotten some time after the decision. */
    reporterEmail: text('reporter_email'),
    moderatorAction: text('moderator_action', { enum: moderatorActions }),
    moderatorNotes: text('moderator_notes'),
    /** The operator who reviews it, or decided. */
    moderator: text('moderator'),
    createdAt: createdAt(),
    /** Null while it waits for a decision. */
    resolvedAt: moment('resolved_at'),
  },
  (t) => [
    index('content_flags_open').on(t.resolvedAt, t.createdAt),
    index('content_flags_story').on(t.storyId),
  ],
)

export const contentGuidelines = pgTable('content_guidelines', {
  id: id(),
  ruleType: text('rule_type', { enum: ruleTypes }).notNull(),
  keywords: text('keywords').array().notNull().default([]),
  /** Phrases in which the keywords do not count. */
  allowed: text('allowed').array().notNull().default([]),
  categories: text('categories').array().notNull().default([]),
  severity: text('severity', { enum: severities }).notNull().default('high'),
  description: text('description').notNull().default(''),
  isActive: boolean('is_active').notNull().default(true),
  /** Rises with each change: what the audit of decisions refers to. */
  version: integer('version').notNull().default(1),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Where in an item a rule was met; never what stood there. */
export type DecisionPlace = { field: string; start: number; end: number }

/** What the guidelines, and operators after them, decided: rule, version, offsets, actor. Never the text. */
export const guidelineDecisions = pgTable(
  'guideline_decisions',
  {
    id: id(),
    at: moment('at').notNull().defaultNow(),
    actor: text('actor').notNull(),
    /** Through which door the text came. */
    door: text('door').notNull(),
    /** Null where nothing was kept. An item that goes leaves its decisions behind. */
    storyId: uuid('story_id'),
    /** The id of a row of content_guidelines, or `built-in:` and a name. */
    ruleId: text('rule_id').notNull(),
    ruleVersion: integer('rule_version').notNull(),
    severity: text('severity', { enum: severities }).notNull(),
    decision: text('decision', { enum: decisions }).notNull(),
    places: jsonb('places').$type<DecisionPlace[]>().notNull(),
    /** SHA-256 of what was decided on: an approval holds for this text alone. */
    textHash: text('text_hash').notNull(),
  },
  (t) => [index('guideline_decisions_story').on(t.storyId, t.at), index('guideline_decisions_at').on(t.at)],
)
