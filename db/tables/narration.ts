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
import { createdAt, id, instant, updatedAt } from '../columns'
import { stories } from './story'

/** The manifest of stored audio. A file is named by the hash of its bytes, so it is stored once. */
export const audioFiles = pgTable('audio_files', {
  hash: text('hash').primaryKey(),
  extension: text('extension', { enum: ['mp3', 'wav', 'm4a'] }).notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  durationSeconds: doublePrecision('duration_seconds').notNull(),
  peaks: jsonb('peaks').$type<number[]>(),
  createdAt: createdAt(),
})

/** Audio that is being stored, or was: the sweep leaves it alone until a row names it, or the lease ends. */
export const audioLeases = pgTable('audio_leases', {
  hash: text('hash').primaryKey(),
  leasedUntil: instant('leased_until').notNull(),
})

/**
 * The audio of an item in one voice. Earlier ones are retained, not current: an import can be undone, and one can be
 * used again.
 */
export const narrations = pgTable(
  'narrations',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    voice: text('voice', { enum: voices }).notNull(),
    narrator: text('narrator'),
    /** `upload`, `built-in`, `elevenlabs`, `openai`: the source of the audio. */
    provider: text('provider').notNull(),
    audioHash: text('audio_hash')
      .notNull()
      .references(() => audioFiles.hash),
    fileName: text('file_name'),
    isCurrent: boolean('is_current').notNull().default(true),
    /** When an operator gave or chose it once more; null: not since it was made. */
    chosenAt: instant('chosen_at'),
    importId: uuid('import_id'),
    /** The job that made it: a job that runs again after a crash finds its narration by this. */
    jobId: uuid('job_id').unique(),
    /** The number of characters sent to the provider, and their cost by the configured price. */
    spokenCharacters: integer('spoken_characters'),
    costUsd: doublePrecision('cost_usd'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('narrations_current').on(t.storyId, t.voice).where(sql`is_current`),
    index('narrations_story').on(t.storyId),
    index('narrations_audio').on(t.audioHash),
    index('narrations_import').on(t.importId),
  ],
)

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'

/** Work that outlives a request: leased rows, run once, crash-safe. */
export const jobs = pgTable(
  'jobs',
  {
    id: id(),
    kind: text('kind').notNull(),
    /** The hash of the work: queued twice, it is done once. */
    dedupeKey: text('dedupe_key').notNull(),
    storyId: uuid('story_id').references(() => stories.id, { onDelete: 'cascade' }),
    payload: jsonb('payload').notNull(),
    state: text('state').$type<JobState>().notNull().default('queued'),
    /** Lower runs first. */
    priority: integer('priority').notNull().default(100),
    attempts: integer('attempts').notNull().default(0),
    attemptsMax: integer('attempts_max').notNull().default(3),
    runAfter: instant('run_after').notNull().defaultNow(),
    leasedUntil: instant('leased_until'),
    leaseId: uuid('lease_id'),
    /** Which process runs it, or ran it last: see `src/job/worker-heartbeat.ts`. */
    heldBy: uuid('held_by'),
    /** Of the request that queued it: log lines and spans of the job carry them. */
    requestId: text('request_id'),
    traceparent: text('traceparent'),
    progress: doublePrecision('progress').notNull().default(0),
    error: text('error'),
    result: jsonb('result'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    uniqueIndex('jobs_once').on(t.kind, t.dedupeKey).where(sql`state in ('queued', 'running')`),
    index('jobs_next').on(t.priority, t.createdAt).where(sql`state in ('queued', 'running')`),
    index('jobs_story').on(t.storyId),
    index('jobs_in_motion').on(t.state, t.runAfter, t.id).where(sql`state in ('queued', 'running')`),
    index('jobs_finished').on(t.finishedAt).where(sql`finished_at is not null`),
  ],
)

/**
 * Scripts: an item's text with marks for how it is spoken. One for each version of the text, so that undoing an edit
 * brings it back.
 */
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
    updatedAt: updatedAt('scripts'),
  },
  (t) => [primaryKey({ columns: [t.storyId, t.textHash] })],
)

/** When each sentence and word of a narration is heard, packed as in `src/narration/timing/timing-rules.ts`. */
export const narrationTimings = pgTable('narration_timings', {
  narrationId: uuid('narration_id')
    .primaryKey()
    .references(() => narrations.id, { onDelete: 'cascade' }),
  /** SHA-256 of the text whose places they name. */
  textHash: text('text_hash').notNull(),
  /** `voice`: reported by the voice. `file`: from a file of timings, aligned to the text. */
  source: text('source', { enum: ['voice', 'file'] }).notNull(),
  sentences: integer('sentences').array().notNull(),
  words: integer('words').array().notNull(),
  createdAt: createdAt(),
})
