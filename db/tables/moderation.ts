import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { decisions, ruleTypes, severities } from '#src/guideline/rules'
import { moderatorActions, reportTypes } from '#src/moderation/rules'
import { createdAt, id, instant, updatedAt } from '../columns'
import { stories } from './story'

/**
 * Reports of items by members and visitors, with the operator's decision. In SQL and in the API a report is called a
 * content flag.
 */
export const reports = pgTable(
  'content_flags',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    flagType: text('flag_type', { enum: reportTypes }).notNull(),
    flagReason: text('flag_reason').notNull().default(''),
    /** A member's id; null for a visitor. */
    flaggedBy: text('flagged_by'),
    /** The email of a visitor who wants to be notified of the decision. Deleted 180 days after it. */
    reporterEmail: text('reporter_email'),
    moderatorAction: text('moderator_action', { enum: moderatorActions }),
    moderatorNotes: text('moderator_notes'),
    /** The operator who is reviewing the report or has decided. */
    moderator: text('moderator'),
    createdAt: createdAt(),
    /** Null while the report is pending. */
    resolvedAt: instant('resolved_at'),
  },
  (t) => [
    index('content_flags_open').on(t.resolvedAt, t.createdAt),
    index('content_flags_story').on(t.storyId),
  ],
)

/** The operators' guidelines. The built-in ones are code (`src/guideline/built-in.ts`). */
export const contentGuidelines = pgTable('content_guidelines', {
  id: id(),
  ruleType: text('rule_type', { enum: ruleTypes }).notNull(),
  keywords: text('keywords').array().notNull().default([]),
  /** Phrases in which the keywords are allowed. */
  allowed: text('allowed').array().notNull().default([]),
  categories: text('categories').array().notNull().default([]),
  severity: text('severity', { enum: severities }).notNull().default('high'),
  description: text('description').notNull().default(''),
  isActive: boolean('is_active').notNull().default(true),
  /** Incremented by each change. The audit of decisions refers to it. */
  version: integer('version').notNull().default(1),
  createdAt: createdAt(),
  updatedAt: updatedAt('content_guidelines'),
})

/** A place of an item where a rule matched, in offsets. Never the text. */
export type DecisionPlace = { field: string; start: number; end: number }

/** Decisions of guidelines, and of operators after them: rule, version, offsets, actor. Never the text. */
export const guidelineDecisions = pgTable(
  'guideline_decisions',
  {
    id: id(),
    at: instant('at').notNull().defaultNow(),
    actor: text('actor').notNull(),
    /** The source of the text: `create`, `import`, `edit` and others. */
    source: text('door').notNull(),
    /** Null for a text that was not stored. Deleting an item does not delete its decisions. */
    storyId: uuid('story_id'),
    /** The id of a row of content_guidelines, or `built-in:` and a name. */
    ruleId: text('rule_id').notNull(),
    ruleVersion: integer('rule_version').notNull(),
    severity: text('severity', { enum: severities }).notNull(),
    decision: text('decision', { enum: decisions }).notNull(),
    places: jsonb('places').$type<DecisionPlace[]>().notNull(),
    /** SHA-256 of the text of the decision. An approval is valid for this text only. */
    textHash: text('text_hash').notNull(),
  },
  (t) => [index('guideline_decisions_story').on(t.storyId, t.at), index('guideline_decisions_at').on(t.at)],
)
