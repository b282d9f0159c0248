import { index, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../columns'
import { users } from './member'
import { stories } from './story'

/** Items that a member has saved. */
export const favorites = pgTable(
  'favorites',
  {
    id: id(),
    storyId: uuid('story_id')
      .notNull()
      .references(() => stories.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('favorites_once').on(t.userId, t.storyId),
    index('favorites_newest').on(t.userId, t.createdAt, t.storyId),
    index('favorites_story').on(t.storyId),
  ],
)
