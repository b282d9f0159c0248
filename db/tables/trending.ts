import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { itemTypes } from '#src/story/rules'
import { timeframes } from '#src/trending/rules'
import { instant } from '../columns'
import { stories } from './story'

/**
 * Views, upvotes and ratings of an item on a day (UTC). Triggers on the source tables maintain it, so it is exact
 * whichever program changes them. Rankings read from here.
 */
export const itemDays = pgTable(
  'item_days',
  {
    day: date('day', { mode: 'string' }).notNull(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    views: integer('views').notNull().default(0),
    upvotes: integer('upvotes').notNull().default(0),
    ratings: integer('ratings').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.day, t.storyId] }), index('item_days_story').on(t.storyId)],
)

/** Total views and ratings of an item, maintained by triggers too. Its votes are stored in the item itself. */
export const itemTotals = pgTable('item_totals', {
  storyId: uuid('story_id')
    .primaryKey()
    .references(() => stories.id, { onDelete: 'cascade' }),
  views: integer('views').notNull().default(0),
  ratings: integer('ratings').notNull().default(0),
  ratingSum: bigint('rating_sum', { mode: 'number' }).notNull().default(0),
})

/**
 * Items whose ranks have to be updated, in one timeframe or (null) in all. Triggers insert a row for each change,
 * whichever version of the program made it, and the refresh of the rankings deletes it. An item may have many rows.
 */
export const trendingChanges = pgTable('trending_changes', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  storyId: uuid('story_id').notNull(),
  timeframe: text('timeframe', { enum: timeframes }),
})

/**
 * An item in the ranking of a timeframe (decision 0025): the inputs of the formula, and the sort keys of the three
 * orders. There is no foreign key: the refresh removes a deleted item, because it has to correct the sums of the window
 * too.
 */
export const trendingItems = pgTable(
  'trending_items',
  {
    timeframe: text('timeframe', { enum: timeframes }).notNull(),
    storyId: uuid('story_id').notNull(),
    type: text('type', { enum: itemTypes }).notNull(),
    /**
     * Whether the item is younger than the window. The scores of all such items fall by the same factor in the same
     * time.
     */
    isAgeing: boolean('is_ageing').notNull(),
    /** When the item starts or stops to age. */
    ageingChangesAt: instant('ageing_changes_at'),
    /** log₂ of the score; for an ageing item, of its score at the Unix epoch. Minus infinity if there is no score. */
    key: doublePrecision('key').notNull(),
    quality: doublePrecision('quality').notNull(),
    /** The Wilson score bound of its votes. */
    voteBound: doublePrecision('vote_bound').notNull(),
    bayesianRating: doublePrecision('bayesian_rating').notNull(),
    views: integer('views').notNull(),
    lateViews: integer('late_views').notNull(),
    /** Within the window, like views. Ratings are of all time. */
    upvotes: integer('upvotes').notNull(),
    ratings: integer('ratings').notNull(),
    ratingSum: bigint('rating_sum', { mode: 'number' }).notNull(),
    publishedAt: timestamp('published_at', { withTimezone: true, mode: 'date', precision: 3 }).notNull(),
  },
  (t) => {
    const list = [t.timeframe, t.type, t.isAgeing] as const
    const ties = [t.quality, t.views, t.publishedAt, t.storyId] as const
    return [
      primaryKey({ columns: [t.timeframe, t.storyId] }),
      index('trending_items_score').on(...list, t.key, ...ties),
      index('trending_items_rated')
        .on(...list, t.bayesianRating, t.ratings, t.key, ...ties)
        .where(sql`ratings > 0`),
      index('trending_items_views').on(...list, t.views, t.key, t.quality, t.publishedAt, t.storyId),
      index('trending_items_ageing').on(t.ageingChangesAt).where(sql`ageing_changes_at is not null`),
    ]
  },
)

/** The window of each timeframe that the rankings use, and sums over its items. */
export const trendingWindows = pgTable('trending_windows', {
  timeframe: text('timeframe', { enum: timeframes }).primaryKey(),
  fromAt: instant('from_at').notNull(),
  /** The start of the window's last quarter. */
  lateAt: instant('late_at').notNull(),
  /** The instant from which ages and windows are computed. */
  asOf: instant('as_of').notNull(),
  items: integer('items').notNull().default(0),
  /** The number of items with a score above 0. */
  scored: integer('scored').notNull().default(0),
  views: bigint('views', { mode: 'number' }).notNull().default(0),
  upvotes: bigint('upvotes', { mode: 'number' }).notNull().default(0),
  ratings: bigint('ratings', { mode: 'number' }).notNull().default(0),
  ratingSum: bigint('rating_sum', { mode: 'number' }).notNull().default(0),
  /** The mean rating that the Bayesian means start from. */
  meanRating: doublePrecision('mean_rating').notNull(),
  /** The last item that is hot. Null if none is, and after a change of that item until the next refresh. */
  lastHot: uuid('last_hot'),
  lastHotAt: instant('last_hot_at').notNull(),
})
