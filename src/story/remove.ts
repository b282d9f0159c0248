import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#db/db'
import { auditLog, stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { libraryChanged } from './library-changed'
import { isId, type Status, statuses } from './rules'

/** Takes an item of the library out of every list. Its row stays, so that it can be brought back. Throws `not_found`. */
export async function removeItem(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const item = await lockLibraryItem(tx, id)
    if (!item || item.status === 'removed')
      throw new Refusal('not_found', 'There is no such item. It may have been removed.')
    await takeOut(tx, item, by)
  })
  await libraryChanged(db)
}

/**
 * Brings a removed item back to where it stood. Throws `not_found` where there is none, and `conflict` where it
 * was not removed.
 */
export async function restoreItem(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const item = await lockLibraryItem(tx, id)
    if (!item) throw new Refusal('not_found', 'There is no such item.')
    if (item.status !== 'removed')
      throw new Refusal('conflict', `"${item.title}" was not removed, or is back already.`)
    await bringBack(tx, item, by)
  })
  await libraryChanged(db)
}

export type LockedItem = { id: string; title: string; status: Status }

async function lockLibraryItem(tx: Transaction, id: string): Promise<LockedItem | null> {
  if (!isId(id)) return null
  const [item] = await tx
    .select({ id: stories.id, title: stories.title, status: stories.status })
    .from(stories)
    .where(and(eq(stories.id, id), eq(stories.source, 'pre_uploaded')))
    .for('update')
  return item ?? null
}

/**
 * Within a transaction that has locked the item, and calls `libraryChanged` after its commit. `reviewNote` is what
 * the maker of a member's item reads in My Content.
 */
export async function takeOut(
  tx: Transaction,
  { id, title, status }: LockedItem,
  by: string,
  reviewNote?: string,
): Promise<void> {
  await tx.update(stories).set({ status: 'removed', reviewNote }).where(eq(stories.id, id))
  await recordChange(tx, by, {
    action: 'remove',
    subjectType: 'item',
    subjectId: id,
    before: { status, title },
  })
}

/** Takes `takeOut` back, under the same conditions. */
export async function bringBack(tx: Transaction, { id, title }: LockedItem, by: string): Promise<void> {
  const status = await statusBefore(tx, id)
  await tx.update(stories).set({ status, reviewNote: null }).where(eq(stories.id, id))
  await recordChange(tx, by, {
    action: 'restore',
    subjectType: 'item',
    subjectId: id,
    after: { status, title },
  })
}

/** What an item was when it was removed; a draft where nobody wrote that down. */
async function statusBefore(tx: Executor, id: string): Promise<Status> {
  const [removal] = await tx
    .select({ status: sql<string | null>`${auditLog.before}->>'status'` })
    .from(auditLog)
    .where(and(eq(auditLog.action, 'remove'), eq(auditLog.subjectId, id)))
    .orderBy(desc(auditLog.id))
    .limit(1)
  return statuses.find((each) => each === removal?.status && each !== 'removed') ?? 'draft'
}
