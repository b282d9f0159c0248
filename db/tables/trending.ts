import { bigint, date, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
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
