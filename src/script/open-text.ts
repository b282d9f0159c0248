import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { isOpenToOperators } from '#src/story/operator-sight'
import { missingItem } from '#src/story/require-item'
import { findText, type ItemText } from './queries'

/** Hours within which a repeated view is not recorded again. */
const sameLookHours = 1

/** Finds an item for an operator to work on. Throws `not_found`, also for a member's private item. */
export async function requireOpenText(db: Executor, storyId: string): Promise<ItemText> {
  const story = await findText(db, storyId, isOpenToOperators())
  if (!story) throw missingItem()
  return story
}

/**
 * Finds an item for an operator to read. A member's private item is open only because of a report or a hold, and the
 * view is recorded in the audit: the operator, the item, and the reason, once an hour.
 */
export async function openText(db: Executor, storyId: string, by: string): Promise<ItemText> {
  const story = await requireOpenText(db, storyId)
  const because = await findReason(db, story.id)
  if (because && !(await hasLooked(db, story.id, by)))
    await recordChange(db, by, {
      action: 'open_members_story',
      subjectType: 'item',
      subjectId: story.id,
      after: because,
    })
  return story
}

/** Null for an item that is open to every operator. */
async function findReason(db: Executor, storyId: string) {
  const [item] = await db
    .select({
      status: stories.status,
      report: sql<string | null>`(select id from content_flags where story_id = stories.id
        and resolved_at is null order by id limit 1)`,
    })
    .from(stories)
    .where(and(eq(stories.id, storyId), eq(stories.source, 'user_generated'), eq(stories.isShared, false)))
  if (!item) return null
  return item.report === null ? { because: 'held' } : { because: 'report', report: item.report }
}

async function hasLooked(db: Executor, storyId: string, by: string): Promise<boolean> {
  const [row] = await db.execute(sql`
    select 1 from audit_log where action = 'open_members_story' and subject_id = ${storyId} and actor = ${by}
      and at > now() - make_interval(hours => ${sameLookHours}) limit 1`)
  return row !== undefined
}
