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
 * Views, upvotes and ratings of an item on a day (UTC). Triggers on the tables that are summed up maintain it, so it is
 * exact whoever changes them. Rankings read from here.
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

/** Views and ratings of an item in all, maintained the same way. Its votes stand in the item itself. */
export const itemTotals = pgTable('item_totals', {
  storyId: uuid('story_id')
    .primaryKey()
    .references(() => stories.id, { onDelete: 'cascade' }),
  views: integer('views').notNull().default(0),
  ratings: integer('ratings').notNull().default(0),
  ratingSum: bigint('rating_sum', { mode: 'number' }).notNull().default(0),
})

/**
 * Items whose places in the rankings have to be looked at again: in one timeframe, or (null) in all. Triggers write a
 * row for each change, whichever version made it, and the refresh of the rankings takes them. One item may have many.
 */
export const trendingChanges = pgTable('trending_changes', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  storyId: uuid('story_id').notNull(),
  timeframe: text('timeframe', { enum: timeframes }),
})

/**
 * An item's place in the ranking of a timeframe (decision 0025): what the formula needs of it, and the keys of the
 * three orders. No foreign key: a deleted item is taken out by the refresh, which corrects the sums of the window.
 */
export const trendingItems = pgTable(
  'trending_items',
  {
    timeframe: text('timeframe', { enum: timeframes }).notNull(),
    storyId: uuid('story_id').notNull(),
    type: text('type', { enum: itemTypes }).notNull(),
    /** Younger than the window: its score falls, as those of all such items do, by the same share in the same time. */
    isAgeing: boolean('is_ageing').notNull(),
    /** When it begins or stops to age. */
    ageingChangesAt: instant('ageing_changes_at'),
    /** log₂ of the score; of an ageing item, of its score at the Unix epoch. Minus infinity where there is no score. */
    key: doublePrecision('key').notNull(),
    quality: doublePrecision('quality').notNull(),
    /** The Wilson bound of its votes. */
    voteBound: doublePrecision('vote_bound').notNull(),
    bayesianRating: doublePrecision('bayesian_rating').notNull(),
    views: integer('views').notNull(),
    lateViews: integer('late_views').notNull(),
    /** Within the window; views are too, ratings are all. */
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

/** The window of each timeframe as the rankings have it, and sums over its items. */
export const trendingWindows = pgTable('trending_windows', {
  timeframe: text('timeframe', { enum: timeframes }).primaryKey(),
  fromAt: instant('from_at').notNull(),
  /** When its last quarter begins. */
  lateAt: instant('late_at').notNull(),
  /** The instant that ages and windows are counted from. */
  asOf: instant('as_of').notNull(),
  items: integer('items').notNull().default(0),
  /** Those with a score above 0. */
  scored: integer('scored').notNull().default(0),
  views: bigint('views', { mode: 'number' }).notNull().default(0),
  upvotes: bigint('upvotes', { mode: 'number' }).notNull().default(0),
  ratings: bigint('ratings', { mode: 'number' }).notNull().default(0),
  ratingSum: bigint('rating_sum', { mode: 'number' }).notNull().default(0),
  /** The mean rating that the Bayesian means begin at. */
  meanRating: doublePrecision('mean_rating').notNull(),
  /** The last item that is hot; null where none is, and after a change of that item until the next look. */
  lastHot: uuid('last_hot'),
  lastHotAt: instant('last_hot_at').notNull(),
})
