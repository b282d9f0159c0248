import { sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { recordOf } from '#src/shape/pick'
import { lineFields, listFields, textFields, yesNoFields } from '#src/story/fields'
import { durationMinutesDefault, itemTypes, sources, statuses, voices } from '#src/story/rules'
import { createdAt, id, instant, tsvector, updatedAt } from '../columns'
import { users } from './member'

/** Defaults of columns without a given value: an empty text, an empty list, false. */
const textColumn = (name: string) => text(name).notNull().default('')
const listColumn = (name: string) => text(name).array().notNull().default([])
const yesNoColumn = (name: string) => boolean(name).notNull().default(false)

/**
 * Items: stories and flows, published by operators or made by members. Those of its columns that src/story/fields.ts
 * has as lines, texts, lists and yesNos are made from there.
 */
export const stories = pgTable(
  'stories',
  {
    id: id(),
    type: text('type', { enum: itemTypes }).notNull().default('story'),
    source: text('source', { enum: sources }).notNull().default('user_generated'),
    status: text('status', { enum: statuses }).notNull().default('draft'),
    /** Of a held item: its status once an operator approves it. */
    heldFrom: text('held_from', { enum: statuses }),
    /** When it was removed. A trigger sets it, and clears it and the next two columns of items that are not removed. */
    removedAt: instant('removed_at'),
    /** Of an item removed by an undo: its status before. */
    removedFrom: text('removed_from', { enum: statuses }),
    /**
     * The import whose undo put it into the bin: after `binDays` it is deleted. Null for what was removed otherwise.
     */
    removedByImport: uuid('removed_by_import'),
    slug: text('slug').notNull().unique(),
    ...recordOf([...lineFields, ...textFields], (field) => textColumn(toSnakeCase(field))),
    ...recordOf(listFields, (field) => listColumn(toSnakeCase(field))),
    ...recordOf(yesNoFields, (field) => yesNoColumn(toSnakeCase(field))),
    title: text('title').notNull(),
    /** The title without case, marks and punctuation: rows of an import with the same key are the same item. */
    titleKey: text('title_key').notNull(),
    /** The beginning of the text: lists show only this, and need not read the whole text. */
    preview: text('preview').notNull().generatedAlwaysAs(sql`left(content, 400)`),
    wordCount: integer('word_count').notNull().default(0),
    /** Minutes, as the operator states them; `minutes` is what people see. */
    duration: integer('duration').notNull().default(durationMinutesDefault),
    audioDurationSeconds: doublePrecision('audio_duration_seconds'),
    /**
     * Minutes of its narration, as measured, else as stated: in every list, and what lists sort and filter by. Only
     * triggers write it (0029_derived_by_triggers.sql).
     */
    minutes: integer('minutes').notNull().default(durationMinutesDefault),
    voice: text('voice', { enum: voices }).notNull().default('female'),
    narratorMale: text('narrator_male'),
    narratorFemale: text('narrator_female'),
    audioUrl: text('audio_url'),
    isGenerating: boolean('is_generating').notNull().default(false),
    isShared: boolean('is_shared').notNull().default(false),
    /** An operator's reason, for the maker of an item whose sharing was refused, or that was removed. */
    reviewNote: text('review_note'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    upvotes: integer('upvotes').notNull().default(0),
    downvotes: integer('downvotes').notNull().default(0),
    premiumContentId: uuid('premium_content_id'),
    importId: uuid('import_id'),
    /**
     * When it became, or will become, visible: the order of every list. Milliseconds, as a Date holds them, so that a
     * cursor is exact.
     */
    publishedAt: timestamp('published_at', { withTimezone: true, mode: 'date', precision: 3 })
      .notNull()
      .defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt('stories'),
    search: tsvector('search').generatedAlwaysAs(
      sql`nocturne_search_document(title, description, excerpt, categories)`,
    ),
    /**
     * Every word of the item once, folded: the hidden words of members are matched against it. Only triggers write it.
     */
    words: listColumn('words'),
  },
  (t) => [
    // Lists of a member look up hundreds of items: the way down the primary key's tree is half of each.
    index('stories_by_id').using('hash', t.id),
    index('stories_published')
      .on(t.type, t.publishedAt, t.id)
      .where(sql`status = 'published' and source = 'pre_uploaded'`),
    index('stories_published_all')
      .on(t.publishedAt, t.id)
      .where(sql`status = 'published' and source = 'pre_uploaded'`),
    index('stories_minutes')
      .on(t.type, t.minutes, t.id)
      .where(sql`status = 'published' and source = 'pre_uploaded'`),
    index('stories_minutes_all')
      .on(t.minutes, t.id)
      .where(sql`status = 'published' and source = 'pre_uploaded'`),
    // The operators' library: newest first, of one status, and how many of each type.
    index('stories_library')
      .on(t.createdAt, t.id)
      .where(sql`source = 'pre_uploaded' and status <> 'removed'`),
    index('stories_library_status').on(t.status, t.createdAt, t.id).where(sql`source = 'pre_uploaded'`),
    index('stories_library_type').on(t.type).where(sql`source = 'pre_uploaded' and status <> 'removed'`),
    // The review queue: few of many items, and the items that a withdrawn rule releases.
    index('stories_held').on(t.id).where(sql`status = 'held'`),
    // The library and its published part by their last change, for who follows them.
    index('stories_updated').on(t.updatedAt, t.id).where(sql`source = 'pre_uploaded'`),
    index('stories_categories').using('gin', t.categories),
    // Of one type: a category that many items have, but none of that type, is found missing at once.
    index('stories_categories_story')
      .using('gin', t.categories)
      .where(sql`status = 'published' and source = 'pre_uploaded' and type = 'story'`),
    index('stories_categories_flow')
      .using('gin', t.categories)
      .where(sql`status = 'published' and source = 'pre_uploaded' and type = 'flow'`),
    index('stories_search').using('gin', t.search),
    index('stories_title_key').on(t.type, t.titleKey),
    index('stories_user').on(t.userId, t.createdAt),
    index('stories_import').on(t.importId),
    index('stories_bin').on(t.removedAt).where(sql`removed_by_import is not null`),
  ],
)

/** A member's vote on an item: one, which can be changed. */
export const votes = pgTable(
  'votes',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    voteType: text('vote_type', { enum: ['up', 'down'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('votes_once').on(t.storyId, t.userId),
    index('votes_user').on(t.userId),
    index('votes_created').on(t.createdAt, t.storyId, t.voteType),
  ],
)

/** A member's rating of an item from 1 to 5, with an optional comment and tags. */
export const storyFeedback = pgTable(
  'story_feedback',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    feedbackType: text('feedback_type').notNull().default('rating'),
    rating: integer('rating'),
    comments: text('comments'),
    tags: text('tags').array().notNull().default([]),
    createdAt: createdAt(),
  },
  (t) => [
    index('story_feedback_user').on(t.userId).where(sql`user_id is not null`),
    uniqueIndex('story_feedback_once').on(t.storyId, t.userId, t.feedbackType),
    index('story_feedback_created').on(t.createdAt, t.storyId),
    // Few ratings have a comment: reading those of 600,000 ratings took 290 ms without this index, 25 ms with
    // it (measured).
    index('story_feedback_words')
      .on(t.createdAt, t.id)
      .where(sql`coalesce(comments, '') <> '' or cardinality(tags) > 0`),
  ],
)

/** Words of comments that were removed with many others: for a day the removal can be undone. */
export const removedComments = pgTable('removed_comments', {
  feedbackId: uuid('feedback_id')
    .primaryKey()
    .references(() => storyFeedback.id, { onDelete: 'cascade' }),
  comments: text('comments').notNull(),
  tags: text('tags').array().notNull().default([]),
  removedAt: instant('removed_at').notNull().defaultNow(),
})

/** One row a reader and story opened: what the free-reading meter counts. */
export const openings = pgTable(
  'openings',
  {
    /** A visitor's functional id, or `address:` and a keyed hash where no cookie came. */
    readerId: text('reader_id').notNull(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    openedAt: instant('opened_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.readerId, t.storyId] }),
    index('openings_time').on(t.openedAt),
    index('openings_story').on(t.storyId),
  ],
)
