import { sql } from 'drizzle-orm'
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
import { durationMinutesDefault, itemTypes, sources, statuses, voices } from '#src/story/rules'
import { createdAt, id, moment, tsvector, updatedAt } from '../columns'
import { users } from './member'

/** Items: stories and flows, published by operators or made by members. */
export const stories = pgTable(
  'stories',
  {
    id: id(),
    type: text('type', { enum: itemTypes }).notNull().default('story'),
    source: text('source', { enum: sources }).notNull().default('user_generated'),
    status: text('status', { enum: statuses }).notNull().default('draft'),
    /** Of a held item: what it becomes once an operator approves it. */
    heldFrom: text('held_from', { enum: statuses }),
    slug: text('slug').notNull().unique(),
    title: text('title').notNull(),
    /** The title without case, marks and punctuation: what makes two rows of an import the same item. */
    titleKey: text('title_key').notNull(),
    description: text('description').notNull().default(''),
    excerpt: text('excerpt').notNull().default(''),
    content: text('content').notNull().default(''),
    /** The beginning of the text: lists show no more, and need not fetch the whole. */
    preview: text('preview').notNull().generatedAlwaysAs(sql`left(content, 400)`),
    wordCount: integer('word_count').notNull().default(0),
    categories: text('categories').array().notNull().default([]),
    tags: text('tags').array().notNull().default([]),
    contentNotes: text('content_notes').array().notNull().default([]),
    /** Minutes, as the operator says; what is measured stands in audioDurationSeconds. */
    duration: integer('duration').notNull().default(durationMinutesDefault),
    audioDurationSeconds: doublePrecision('audio_duration_seconds'),
    voice: text('voice', { enum: voices }).notNull().default('female'),
    narratorMale: text('narrator_male'),
    narratorFemale: text('narrator_female'),
    audioUrl: text('audio_url'),
    /** A free sample: its narration is open to visitors. */
    isFree: boolean('is_free').notNull().default(false),
    isGenerating: boolean('is_generating').notNull().default(false),
    isShared: boolean('is_shared').notNull().default(false),
    /** What an operator says to the maker of an item that was not shared, or was taken out. */
    reviewNote: text('review_note'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    upvotes: integer('upvotes').notNull().default(0),
    downvotes: integer('downvotes').notNull().default(0),
    premiumContentId: uuid('premium_content_id'),
    importId: uuid('import_id'),
    /** When it became, or will become, visible: the order of every list. Milliseconds, as a Date holds them, so that a cursor is exact. */
    publishedAt: timestamp('published_at', { withTimezone: true, mode: 'date', precision: 3 })
      .notNull()
      .defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    search: tsvector('search').generatedAlwaysAs(
      sql`nocturne_search_document(title, description, excerpt, categories)`,
    ),
    /** Every word of it once, folded: what "never show me" looks through. */
    words: text('words')
      .array()
      .notNull()
      .generatedAlwaysAs(sql`nocturne_words(title, description, excerpt, tags, content)`),
  },
  (t) => [
    index('stories_published')
      .on(t.type, t.publishedAt, t.id)
      .where(sql`status = 'published' and source = 'pre_uploaded'`),
    index('stories_published_all')
      .on(t.publishedAt, t.id)
      .where(sql`status = 'published' and source = 'pre_uploaded'`),
    index('stories_duration')
      .on(t.type, t.duration, t.id)
      .where(sql`status = 'published' and source = 'pre_uploaded'`),
    // The operators' library: newest first, of one status, and how many of each type.
    index('stories_library')
      .on(t.createdAt, t.id)
      .where(sql`source = 'pre_uploaded' and status <> 'removed'`),
    index('stories_library_status').on(t.status, t.createdAt, t.id).where(sql`source = 'pre_uploaded'`),
    index('stories_library_type').on(t.type).where(sql`source = 'pre_uploaded' and status <> 'removed'`),
    index('stories_categories').using('gin', t.categories),
    index('stories_search').using('gin', t.search),
    index('stories_title_key').on(t.type, t.titleKey),
    index('stories_user').on(t.userId, t.createdAt),
    index('stories_import').on(t.importId),
  ],
)

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
    index('votes_created').on(t.createdAt, t.storyId, t.voteType),
  ],
)

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
    uniqueIndex('story_feedback_once').on(t.storyId, t.userId, t.feedbackType),
    index('story_feedback_created').on(t.createdAt, t.storyId),
    // Few who rate say something: reading that at 600,000 ratings took 290 ms without it, 25 ms with (measured).
    index('story_feedback_words')
      .on(t.createdAt, t.id)
      .where(sql`coalesce(comments, '') <> '' or cardinality(tags) > 0`),
  ],
)

/** One row a reader and story opened: what the free-reading meter counts. */
export const openings = pgTable(
  'openings',
  {
    /** A visitor's functional id, or `address:` and a keyed hash where no cookie came. */
    readerId: text('reader_id').notNull(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    openedAt: moment('opened_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.readerId, t.storyId] }), index('openings_time').on(t.openedAt)],
)
