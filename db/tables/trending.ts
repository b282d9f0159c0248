import { bigint, date, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { stories } from './story'

/**
 * A day (UTC) of an item: how many views, upvotes and ratings came on it. Triggers of the tables that are
 * summed up keep it, so it is exact whoever changes them; what is trending is read from here.
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

/** An item since its beginning, kept the same way. Its votes stand in the item itself. */
export const itemTotals = pgTable('item_totals', {
  storyId: uuid('story_id')
    .primaryKey()
    .references(() => stories.id, { onDelete: 'cascade' }),
  views: integer('views').notNull().default(0),
  ratings: integer('ratings').notNull().default(0),
  ratingSum: bigint('rating_sum', { mode: 'number' }).notNull().default(0),
})
