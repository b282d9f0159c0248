import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { instantText } from '#db/columns'
import type { Database, Executor, Transaction } from '#db/db'
import { stories, storyFeedback } from '#db/schema'
import { AppError } from '#src/app-error'
import { recordChange } from '#src/operator/audit'
import { isId } from '#src/shape/id'
import { cutPage, exactCountMax, readCursor, shownCount, writeCursor } from '#src/shape/list-page'
import { operatorTitle } from '#src/story/operator-sight'
import { commentsLimitDefault } from './rules'
import type { Comment } from './schema'

export type CommentList = {
  comments: Comment[]
  count: number
  isAtLeast: boolean
  nextCursor: string | null
}

/**
 * Lists members' comments on all items or on one, the newest first, without names. Throws `invalid` for a cursor of
 * another list.
 */
export async function listComments(
  db: Executor,
  { item, limit = commentsLimitDefault, cursor }: { item?: string; limit?: number; cursor?: string } = {},
): Promise<CommentList> {
  const where = and(hasWords, isOf(item))
  const [rows, counted] = await Promise.all([
    selectComments(db, and(where, after(cursor)), limit + 1),
    countComments(db, where),
  ])
  const { page, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) =>
    writeCursor({ value: createdAt, id }),
  )
  return { comments: page, ...shownCount(counted), nextCursor }
}

/**
 * Deletes the words and tags of a comment for good; the rating is the member's and stays. The audit log records the
 * deletion and its item, not the words. Throws `not_found`.
 */
export async function removeComment(db: Database, id: string, by: string): Promise<Comment> {
  return db.transaction((tx) => takeWords(tx, id, by))
}

/** Deletes the words and tags of a comment in the caller's transaction. Returns the comment as it was. */
export async function takeWords(tx: Transaction, id: string, by: string): Promise<Comment> {
  if (!isId(id)) throw isGone()
  await tx.select({ id: storyFeedback.id }).from(storyFeedback).where(eq(storyFeedback.id, id)).for('update')
  const [comment] = await selectComments(tx, and(hasWords, eq(storyFeedback.id, id)), 1)
  if (!comment) throw isGone()
  await tx.update(storyFeedback).set({ comments: null, tags: [] }).where(eq(storyFeedback.id, id))
  const { item, rating, comments, tags } = comment
  const what = { item: item.title, rating, characters: comments.length, tags: tags.length }
  await recordChange(tx, by, {
    action: 'remove',
    subjectType: 'feedback',
    subjectId: id,
    before: what,
    after: { ...what, characters: 0, tags: 0 },
  })
  return comment
}

const hasWords = sql`(coalesce(${storyFeedback.comments}, '') <> '' or cardinality(${storyFeedback.tags}) > 0)`

function isOf(item: string | undefined): SQL | undefined {
  if (item === undefined) return undefined
  return isId(item) ? eq(storyFeedback.storyId, item) : sql`false`
}

function after(cursor: string | undefined): SQL | undefined {
  if (cursor === undefined) return undefined
  const { value, id } = readCursor(cursor, 'timestamp')
  return sql`(${storyFeedback.createdAt}, ${storyFeedback.id}) < (${value}::timestamptz, ${id}::uuid)`
}

/** Selects comments, and ratings without words if the condition includes them, the newest first. */
export async function selectComments(
  db: Executor,
  where: SQL | undefined,
  limit: number,
): Promise<Comment[]> {
  const rows = await db
    .select({
      id: storyFeedback.id,
      rating: storyFeedback.rating,
      comments: storyFeedback.comments,
      tags: storyFeedback.tags,
      createdAt: instantText(storyFeedback.createdAt),
      item: { id: stories.id, title: operatorTitle(), type: stories.type, source: stories.source },
    })
    .from(storyFeedback)
    .innerJoin(stories, eq(stories.id, storyFeedback.storyId))
    .where(where)
    .orderBy(desc(storyFeedback.createdAt), desc(storyFeedback.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, comments: row.comments ?? '' }))
}

async function countComments(db: Executor, where: SQL | undefined): Promise<number> {
  const some = db
    .select({ id: storyFeedback.id })
    .from(storyFeedback)
    .where(where)
    .limit(exactCountMax + 1)
  return db.$count(some.as('some'))
}

function isGone(): AppError {
  return new AppError('not_found', 'There is no such comment. It may have been removed.')
}
