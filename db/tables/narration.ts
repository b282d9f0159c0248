import { sql } from 'drizzle-orm'
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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { scriptMakers } from '#src/script/rules'
import { voices } from '#src/story/rules'
import { createdAt, id, moment, updatedAt } from '../columns'
import { stories } from './story'

/** The manifest of stored audio. A file is named by the hash of what it holds, so it is stored once. */
export const audioFiles = pgTable('audio_files', {
  hash: text('hash').primaryKey(),
  extension: text('extension', { enum: ['mp3', 'wav', 'm4a'] }).notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  durationSeconds: doublePrecision('duration_seconds').notNull(),
  peaks: jsonb('peaks').$type<number[]>(),
  createdAt: createdAt(),
})

/** The audio of an item in one voice. Earlier ones are kept, not current, so that an import can be undone. */
export const narrations = pgTable(
  'narrations',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    voice: text('voice', { enum: voices }).notNull(),
    narrator: text('narrator'),
    /** `upload`, `built-in`, `elevenlabs`, `openai`: who spoke. */
    provider: text('provider').notNull(),
    audioHash: text('audio_hash')
      .notNull()
      .references(() => audioFiles.hash),
    fileName: text('file_name'),
    isCurrent: boolean('is_current').notNull().default(true),
    importId: uuid('import_id'),
    /** The job that made it: one that runs again after a crash finds what it made. */
    jobId: uuid('job_id').unique(),
    /** What was sent to the provider, and what that cost by the configured price. */
    spokenCharacters: integer('spoken_characters'),
    costUsd: doublePrecision('cost_usd'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('narrations_current').on(t.storyId, t.voice).where(sql`is_current`),
    index('narrations_audio').on(t.audioHash),
    index('narrations_import').on(t.importId),
  ],
)

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'

/** Work that outlives a request: leased rows, run once, safe against a crash. */
export const jobs = pgTable(
  'jobs',
  {
    id: id(),
    kind: text('kind').notNull(),
    /** The hash of what is to be made: asked for twice, it is made once. */
    dedupeKey: text('dedupe_key').notNull(),
    storyId: uuid('story_id').references(() => stories.id, { onDelete: 'cascade' }),
    payload: jsonb('payload').notNull(),
    state: text('state').$type<JobState>().notNull().default('queued'),
    /** Lower goes first. */
    priority: integer('priority').notNull().default(100),
    attempts: integer('attempts').notNull().default(0),
    attemptsMax: integer('attempts_max').notNull().default(3),
    runAfter: moment('run_after').notNull().defaultNow(),
    leasedUntil: moment('leased_until'),
    leaseId: uuid('lease_id'),
    /** Which process runs it, or ran it last: see `src/job/holder.ts`. */
    heldBy: uuid('held_by'),
    progress: doublePrecision('progress').notNull().default(0),
    error: text('error'),
    result: jsonb('result'),
    createdAt: createdAt(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    uniqueIndex('jobs_once').on(t.kind, t.dedupeKey).where(sql`state in ('queued', 'running')`),
    index('jobs_next').on(t.priority, t.createdAt).where(sql`state in ('queued', 'running')`),
    index('jobs_story').on(t.storyId),
  ],
)

/** What is spoken: an item's text with its marks, in the text form. One a text, so that undoing an edit brings it back. */
export const scripts = pgTable(
  'scripts',
  {
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    /** SHA-256 of the author's text that it was made for. */
    textHash: text('text_hash').notNull(),
    script: text('script').notNull(),
    madeBy: text('made_by', { enum: scriptMakers }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.storyId, t.textHash] })],
)

/** When each sentence and word of a narration is heard, packed as `src/narration/timings.ts` says. */
export const narrationTimings = pgTable('narration_timings', {
  narrationId: uuid('narration_id')
    .primaryKey()
    .references(() => narrations.id, { onDelete: 'cascade' }),
  /** SHA-256 of the text whose places they name. */
  textHash: text('text_hash').notNull(),
  /** `voice`: as it spoke. `file`: from a file of timings, aligned to the text. */
  source: text('source', { enum: ['voice', 'file'] }).notNull(),
  sentences: integer('sentences').array().notNull(),
  words: integer('words').array().notNull(),
  createdAt: createdAt(),
})
