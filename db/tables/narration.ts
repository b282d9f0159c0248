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

/** The manifest of stored audio. A file is named by the hash of its bytes, so that it is stored once. */
export const audioFiles = pgTable('audio_files', {
  hash: text('hash').primaryKey(),
  extension: text('extension', { enum: ['mp3', 'wav', 'm4a'] }).notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  durationSeconds: doublePrecision('duration_seconds').notNull(),
  peaks: jsonb('peaks').$type<number[]>(),
  createdAt: createdAt(),
})

/**
 * Audio that is being stored or was stored recently. The sweep does not delete it until the lease ends, so that a row
 * can refer to it meanwhile.
 */
export const audioLeases = pgTable('audio_leases', {
  hash: text('hash').primaryKey(),
  leasedUntil: instant('leased_until').notNull(),
})

/**
 * The audio of an item in one voice. Earlier ones are retained, but are not current, because an import can be undone
 * and an earlier narration can be used again.
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
    /** The source of the audio: `upload`, `built-in`, `elevenlabs`, `openai`. */
    provider: text('provider').notNull(),
    audioHash: text('audio_hash')
      .notNull()
      .references(() => audioFiles.hash),
    fileName: text('file_name'),
    isCurrent: boolean('is_current').notNull().default(true),
    /** When an operator uploaded or chose it again; null if that has not happened since it was created. */
    chosenAt: instant('chosen_at'),
    importId: uuid('import_id'),
    /** The job that created it. A job that runs again after a crash finds its narration by this. */
    jobId: uuid('job_id').unique(),
    /** The number of characters sent to the provider, and their cost at the configured price. */
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

/** Work that outlives a request. Jobs are leased, run once, and survive a crash. */
export const jobs = pgTable(
  'jobs',
  {
    id: id(),
    kind: text('kind').notNull(),
    /** Hash of the work: if it is queued twice, it is done once. */
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
    /** The process that runs it or last ran it: see `src/job/worker-heartbeat.ts`. */
    heldBy: uuid('held_by'),
    /** The request that queued it. Log lines and spans of the job include these. */
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
 * Scripts: an item's text with marks for how it is spoken. There is one for each version of the text, so that undoing
 * an edit restores its script.
 */
export const scripts = pgTable(
  'scripts',
  {
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    /** SHA-256 of the author's text for which the script was made. */
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
  /** SHA-256 of the text that the offsets refer to. */
  textHash: text('text_hash').notNull(),
  /** `voice`: reported by the voice. `file`: from a file of timings, aligned to the text. */
  source: text('source', { enum: ['voice', 'file'] }).notNull(),
  sentences: integer('sentences').array().notNull(),
  words: integer('words').array().notNull(),
  createdAt: createdAt(),
})
