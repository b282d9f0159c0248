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

/** Columns that are empty by default: a text, a list, false. */
const textColumn = (name: string) => text(name).notNull().default('')
const listColumn = (name: string) => text(name).array().notNull().default([])
const yesNoColumn = (name: string) => boolean(name).notNull().default(false)

/**
 * Items: stories and flows, published by operators or created by members. The columns for lines, texts, lists and
 * yesNos are derived from src/story/fields.ts.
 */
export const stories = pgTable(
  'stories',
  {
    id: id(),
    type: text('type', { enum: itemTypes }).notNull().default('story'),
    source: text('source', { enum: sources }).notNull().default('user_generated'),
    status: text('status', { enum: statuses }).notNull().default('draft'),
    /** The status that a held item gets when an operator approves it. */
    heldFrom: text('held_from', { enum: statuses }),
    /**
     * When the item was removed. A trigger sets it. For items that are not removed, it clears this and the next two
     * columns.
     */
    removedAt: instant('removed_at'),
    /** The status before an undo removed the item. */
    removedFrom: text('removed_from', { enum: statuses }),
    /**
     * The import whose undo moved the item to the bin. The item is deleted after `binDays`. Null for items that were
     * removed otherwise.
     */
    removedByImport: uuid('removed_by_import'),
    slug: text('slug').notNull().unique(),
    ...recordOf([...lineFields, ...textFields], (field) => textColumn(toSnakeCase(field))),
    ...recordOf(listFields, (field) => listColumn(toSnakeCase(field))),
    ...recordOf(yesNoFields, (field) => yesNoColumn(toSnakeCase(field))),
    title: text('title').notNull(),
    /** The title without case, diacritics and punctuation. Rows of an import with the same key are the same item. */
    titleKey: text('title_key').notNull(),
    /** The beginning of the text. Lists show only this, and need not read the whole text. */
    preview: text('preview').notNull().generatedAlwaysAs(sql`left(content, 400)`),
    wordCount: integer('word_count').notNull().default(0),
    /** Minutes as stated by the operator. `minutes` is what people see. */
    duration: integer('duration').notNull().default(durationMinutesDefault),
    audioDurationSeconds: doublePrecision('audio_duration_seconds'),
    /**
     * Minutes of the narration if there is one, otherwise as stated. Lists show, sort and filter by it. Only triggers
     * write it (0029_derived_by_triggers.sql).
     */
    minutes: integer('minutes').notNull().default(durationMinutesDefault),
    voice: text('voice', { enum: voices }).notNull().default('female'),
    narratorMale: text('narrator_male'),
    narratorFemale: text('narrator_female'),
    audioUrl: text('audio_url'),
    isGenerating: boolean('is_generating').notNull().default(false),
    isShared: boolean('is_shared').notNull().default(false),
    /** An operator's reason for refusing to share the item, or for removing it. Shown to its author. */
    reviewNote: text('review_note'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    upvotes: integer('upvotes').notNull().default(0),
    downvotes: integer('downvotes').notNull().default(0),
    premiumContentId: uuid('premium_content_id'),
    importId: uuid('import_id'),
    /**
     * When the item became or will become visible. It is the order of every list. In milliseconds, like a Date, so that
     * a cursor is exact.
     */
    publishedAt: timestamp('published_at', { withTimezone: true, mode: 'date', precision: 3 })
      .notNull()
      .defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt('stories'),
    search: tsvector('search').generatedAlwaysAs(
      sql`nocturne_search_document(title, description, excerpt, categories)`,
    ),
    /** Every word of the item once, folded. Members' hidden words are matched against it. Only triggers write it. */
    words: listColumn('words'),
  },
  (t) => [
    // Lists of a member look up hundreds of items. With the primary key's B-tree, half of each look-up is the descent.
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
    // The operators' library: newest first, by status, and the number of items of each type.
    index('stories_library')
      .on(t.createdAt, t.id)
      .where(sql`source = 'pre_uploaded' and status <> 'removed'`),
    index('stories_library_status').on(t.status, t.createdAt, t.id).where(sql`source = 'pre_uploaded'`),
    index('stories_library_type').on(t.type).where(sql`source = 'pre_uploaded' and status <> 'removed'`),
    // The review queue, a few of many items, and the items that a deactivated rule releases.
    index('stories_held').on(t.id).where(sql`status = 'held'`),
    // The library and its published part by last change, for clients that follow them.
    index('stories_updated').on(t.updatedAt, t.id).where(sql`source = 'pre_uploaded'`),
    index('stories_categories').using('gin', t.categories),
    // By type: a category that many items have, but none of this type, is found to be empty at once.
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

/** A member's vote on an item. There is only one, and it can be changed. */
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
    // Few ratings have a comment. Reading those of 600,000 ratings took 290 ms without this index and 25 ms with it
    // (measured).
    index('story_feedback_words')
      .on(t.createdAt, t.id)
      .where(sql`coalesce(comments, '') <> '' or cardinality(tags) > 0`),
  ],
)

/** The texts of comments that were removed in a bulk action. The removal can be undone for a day. */
export const removedComments = pgTable('removed_comments', {
  feedbackId: uuid('feedback_id')
    .primaryKey()
    .references(() => storyFeedback.id, { onDelete: 'cascade' }),
  comments: text('comments').notNull(),
  tags: text('tags').array().notNull().default([]),
  removedAt: instant('removed_at').notNull().defaultNow(),
})

/** One row per reader and opened story, which the free-reading meter counts. */
export const openings = pgTable(
  'openings',
  {
    /** A visitor's functional id, or `address:` and a keyed hash if the request had no cookie. */
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
