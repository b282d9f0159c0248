import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { RawSheet } from '#src/import/rows/choose-rows'
import type { RawRow } from '#src/import/rows/open-table'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import type { Written } from '#src/import/undo-rules'
import type { HeardWord } from '#src/narration/timing/read-heard-words'
import { createdAt, id, instant, updatedAt } from '../columns'

/** A batch. Every import of any kind is one, and can be undone as a whole. */
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
    undoneAt: instant('undone_at'),
  },
  (t) => [index('imports_created').on(t.createdAt, t.id)],
)

/** The change that a batch made to one item, with the earlier values. */
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
    /**
     * The values that the batch wrote, by field. A field with another value now was edited since. Null for batches from
     * before November 2026.
     */
    after: jsonb('after').$type<Written>(),
  },
  (t) => [index('import_changes_import').on(t.importId), index('import_changes_story').on(t.storyId)],
)

/** An import that an operator is preparing: a sheet and its audio, stored until it is applied or discarded. */
export const importDrafts = pgTable(
  'import_drafts',
  {
    id: id(),
    /** The operator's name instead of the session, because sessions end and drafts continue. */
    owner: text('owner').notNull(),
    state: text('state', { enum: ['open', 'applied', 'discarded'] })
      .notNull()
      .default('open'),
    /** The sheet's name; null without a sheet. */
    fileName: text('file_name'),
    rowCount: integer('row_count').notNull().default(0),
    /** The sheets of the file, skipped lines and notes, as found when it was read; null without a sheet. */
    found: jsonb('found').$type<Omit<RawSheet, 'rows'>>(),
    /** The operator's choices for the sheet. */
    choices: jsonb('choices').$type<SheetChoices>().notNull().default({}),
    /** The last job that has applied it or tried to. */
    jobId: uuid('job_id'),
    /** The resulting batch; null if nothing was changed. */
    importId: uuid('import_id'),
    outcome: jsonb('outcome'),
    createdAt: createdAt(),
    updatedAt: updatedAt('import_drafts'),
  },
  (t) => [index('import_drafts_owner').on(t.owner, t.updatedAt)],
)

/** The rows of a draft's sheet in their original form, so that the file is parsed only once. */
export const importDraftRows = pgTable(
  'import_draft_rows',
  {
    draftId: uuid('draft_id')
      .notNull()
      .references(() => importDrafts.id, { onDelete: 'cascade' }),
    /** Counted from 1 across all sheets. */
    row: integer('row').notNull(),
    /** Counted from 0. */
    sheet: integer('sheet').notNull().default(0),
    /** The row number that the spreadsheet program shows; null in drafts from before December 2026. */
    sheetRow: integer('sheet_row'),
    isHidden: boolean('is_hidden').notNull().default(false),
    cells: jsonb('cells').$type<RawRow['cells']>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.draftId, t.row] })],
)

/** The files beside a draft's sheet. Received audio is stored already, under its hash. */
export const importDraftFiles = pgTable(
  'import_draft_files',
  {
    id: id(),
    draftId: uuid('draft_id')
      .notNull()
      .references(() => importDrafts.id, { onDelete: 'cascade' }),
    fileName: text('file_name').notNull(),
    state: text('state', { enum: ['waiting', 'here', 'refused'] }).notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    hash: text('hash'),
    extension: text('extension', { enum: ['mp3', 'wav', 'm4a'] }),
    durationSeconds: doublePrecision('duration_seconds'),
    /** The content of a file of timings, which has no audio of its own. */
    heard: jsonb('heard').$type<readonly HeardWord[]>(),
    problem: text('problem'),
    /** Warnings about audio that can be played, each with its fix. */
    warnings: jsonb('warnings').$type<string[]>().notNull().default([]),
  },
  (t) => [
    unique('import_draft_files_name').on(t.draftId, t.fileName),
    index('import_draft_files_hash').on(t.hash),
  ],
)
