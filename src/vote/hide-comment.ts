import { and, eq, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { removedComments, storyFeedback } from '#db/schema'
import { AppError } from '#src/app-error'
import { recordChange } from '#src/operator/audit'
import { takeWords } from './comments'
import { commentUndoHours } from './rules'

/** Removes the words and tags of a comment, which can be restored for a day. Throws `not_found`. */
export async function hideComment(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { comments, tags } = await takeWords(tx, id, by)
    await tx
      .insert(removedComments)
      .values({ feedbackId: id, comments, tags })
      .onConflictDoUpdate({
        target: removedComments.feedbackId,
        set: { comments, tags, removedAt: sql`now()` },
      })
  })
}

/** Restores a comment. Throws `conflict` if its words are gone, or its member has written others since. */
export async function restoreComment(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [words] = await tx.delete(removedComments).where(eq(removedComments.feedbackId, id)).returning()
    if (!words) throw new AppError('conflict', 'The words of this comment are gone.')
    const restored = await tx
      .update(storyFeedback)
      .set({ comments: words.comments, tags: words.tags })
      .where(
        and(
          eq(storyFeedback.id, id),
          sql`coalesce(${storyFeedback.comments}, '') = '' and cardinality(${storyFeedback.tags}) = 0`,
        ),
      )
      .returning({ id: storyFeedback.id })
    if (restored.length === 0) throw new AppError('conflict', 'The member wrote another comment since.')
    await recordChange(tx, by, { action: 'restore', subjectType: 'feedback', subjectId: id })
  })
}

/** Deletes the words of comments that were removed more than a day ago, for good. */
export async function pruneRemovedComments(db: Executor): Promise<void> {
  await db
    .delete(removedComments)
    .where(sql`${removedComments.removedAt} < now() - make_interval(hours => ${commentUndoHours})`)
}
