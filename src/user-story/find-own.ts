import { and, eq, ne } from 'drizzle-orm'
import type { Executor, Transaction } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { judgedText } from '#src/guideline/judged-columns'
import { lockMemberRow } from '#src/session/session'
import { isId } from '#src/shape/id'

export type OwnItem = Awaited<ReturnType<typeof queryOwn>>[number]

/** Returns a member's own item that is not removed. Throws `not_found` for those of others. */
export async function requireUserStory(db: Executor, memberId: string, id: string): Promise<OwnItem> {
  const [item] = isId(id) ? await queryOwn(db, memberId, id) : []
  if (!item) throw new AppError('not_found', 'There is no such item. It may have been removed.')
  return item
}

/**
 * Returns a member's own item, locked until the transaction ends, so that it does not change between reading and
 * writing.
 */
export async function lockUserStory(tx: Transaction, memberId: string, id: string): Promise<OwnItem> {
  await lockMemberRow(tx, memberId, 'key share')
  const [item] = isId(id) ? await queryOwn(tx, memberId, id).for('update') : []
  if (!item) throw new AppError('not_found', 'There is no such item. It may have been removed.')
  return item
}

function queryOwn(db: Executor, memberId: string, id: string) {
  return db
    .select({
      id: stories.id,
      type: stories.type,
      status: stories.status,
      heldFrom: stories.heldFrom,
      ...judgedText,
      voice: stories.voice,
      narratorFemale: stories.narratorFemale,
      narratorMale: stories.narratorMale,
      isShared: stories.isShared,
    })
    .from(stories)
    .where(and(isOwn(memberId, id), ne(stories.status, 'removed')))
}

/** Condition of ownership, part of every query and write. */
export function isOwn(memberId: string, id: string) {
  return and(eq(stories.id, id), eq(stories.userId, memberId), eq(stories.source, 'user_generated'))
}
