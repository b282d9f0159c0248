import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { statuses } from '#src/story/rules'
import { instant } from '../columns'
import { challenges } from './challenge'
import { stories } from './story'

/** The items that the first start has added to the library, so that they can be removed in one press. */
export const demoItems = pgTable('demo_items', {
  storyId: uuid('story_id')
    .primaryKey()
    .references(() => stories.id, { onDelete: 'cascade' }),
  /** The status before the item was removed with the demo, to restore it. */
  statusBefore: text('taken_from', { enum: statuses }),
})

/** The challenges that the first start has added. */
export const demoChallenges = pgTable('demo_challenges', {
  challengeId: uuid('challenge_id')
    .primaryKey()
    .references(() => challenges.id, { onDelete: 'cascade' }),
  /** When a removed challenge had been published, to restore it. */
  publishedBefore: instant('published_before'),
})
