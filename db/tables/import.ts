import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../columns'

/** A batch: every import of every kind is one, and can be undone whole. */
export const imports = pgTable(
  'imports',
  {
    id: id(),
    kind: text('kind').notNull(),
    fileName: text('file_name'),
    by: text('by').notNull(),
    state: text('state', { enum: ['applied', 'undone'] })
      .notNull()
      .default('applied'),
    imported: integer('imported').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    matchedAudio: integer('matched_audio').notNull().default(0),
    report: jsonb('report'),
    createdAt: createdAt(),
    undoneAt: moment('undone_at'),
  },
  (t) => [index('imports_created').on(t.createdAt, t.id)],
)

/** What one batch did to one item, with what was there before. */
export const importChanges = pgTable(
  'import_changes',
  {
    id: id(),
    importId: uuid('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    storyId: uuid('story_id').notNull(),
    row: integer('row').notNull(),
    action: text('action', { enum: ['created', 'updated', 'audio'] }).notNull(),
    before: jsonb('before'),
  },
  (t) => [index('import_changes_import').on(t.importId)],
)
