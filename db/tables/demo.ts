import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { statuses } from '#src/story/rules'
import { instant } from '../columns'
import { challenges } from './challenge'
import { stories } from './story'

/** The items that the first start put into the library, so that they can be taken away in one press. */
export const demoItems = pgTable('demo_items', {
  storyId: uuid('story_id')
    .primaryKey()
    .references(() => stories.id, { onDelete: 'cascade' }),
  /** Of an item that was taken away with the demo: its status before, for its return. */
  takenFrom: text('taken_from', { enum: statuses }),
})

/** The challenges that came with them. */
export const demoChallenges = pgTable('demo_challenges', {
  challengeId: uuid('challenge_id')
    .primaryKey()
    .references(() => challenges.id, { onDelete: 'cascade' }),
  /** Of a challenge that was taken away: when it had been published, for its return. */
  publishedBefore: instant('published_before'),
})
