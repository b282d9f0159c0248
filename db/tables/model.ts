import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, updatedAt } from '../columns'
import { users } from './member'

/** Templates of the drafting prompt. The outcome of drafts raises or lowers a template's score. */
export const trainingData = pgTable('training_data', {
  id: id(),
  promptTemplate: text('prompt_template').notNull(),
  categories: text('categories').array().notNull().default([]),
  successMetrics: jsonb('success_metrics'),
  userPreferences: jsonb('user_preferences'),
  qualityScore: real('quality_score'),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: createdAt(),
  updatedAt: updatedAt('training_data'),
})

/** Drafts that members have requested: the template and the outcome. The text is not stored. */
export const drafts = pgTable(
  'drafts',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    templateId: uuid('template_id')
      .notNull()
      .references(() => trainingData.id, { onDelete: 'cascade' }),
    outcome: text('outcome', { enum: ['kept', 'discarded'] }),
    createdAt: createdAt(),
  },
  (t) => [
    index('drafts_user').on(t.userId),
    index('drafts_created').on(t.createdAt),
    index('drafts_template').on(t.templateId).where(sql`template_id is not null`),
  ],
)

/** Examples of a prompt and its text. The approved ones are included in prompts for the model. */
export const trainingExamples = pgTable('training_examples', {
  id: id(),
  inputPrompt: text('input_prompt').notNull(),
  expectedOutput: text('expected_output').notNull(),
  actualOutput: text('actual_output'),
  categories: text('categories').array().notNull().default([]),
  qualityRating: integer('quality_rating'),
  improvementNotes: text('improvement_notes'),
  isApproved: boolean('is_approved').notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt('training_examples'),
})

/** The model for drafting and markup, as configured in the console. Keys are encrypted with AES-256-GCM. */
export const modelConfig = pgTable('model_config', {
  id: id(),
  provider: text('provider', { enum: ['openai', 'runpod'] }).notNull(),
  runpodApiUrl: text('runpod_api_url'),
  runpodApiKey: text('runpod_api_key'),
  runpodModelName: text('runpod_model_name'),
  runpodMaxTokens: integer('runpod_max_tokens').notNull().default(4000),
  runpodTemperature: text('runpod_temperature').notNull().default('0.8'),
  runpodUseJson: boolean('runpod_use_json').notNull().default(false),
  openaiApiUrl: text('openai_api_url'),
  openaiModelName: text('openai_model_name'),
  openaiApiKey: text('openai_api_key'),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: createdAt(),
  updatedAt: updatedAt('model_config'),
})
