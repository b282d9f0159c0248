import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { lockWithin } from '#db/locks'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { recordChange } from '#src/operator/audit'
import { holdForbidden } from '#src/review/hold-forbidden'
import { isId } from '#src/shape/id'
import { libraryChanged } from '#src/story/library-changed'
import { missingItem } from '#src/story/require-item'
import type { Status } from '#src/story/rules'

/**
 * Removes an item of the library from every list. Its row is retained, so that it can be restored. Throws `not_found`.
 */
export async function removeItem(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const item = await lockLibraryItem(tx, id)
    if (!item || item.status === 'removed') throw missingItem()
    await removeLocked(tx, item, by)
  })
  await libraryChanged(db)
}

/**
 * Restores a removed item to its earlier status, or holds it if the guidelines now forbid it. Throws `not_found` if
 * there is none, `conflict` if it is not removed, and `already_exists` if an item of its title has entered the library
 * since.
 */
export async function restoreItem(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockTitles(tx)
    const item = await lockLibraryItem(tx, id)
    if (!item) throw new AppError('not_found', 'There is no such item.')
    if (item.status !== 'removed')
      throw new AppError('conflict', `"${item.title}" was not removed, or is already back.`)
    await bringBack(tx, item, by)
  })
  await libraryChanged(db)
}

/**
 * Moves items that an undone import created to the bin, with their narrations. Called in the transaction of the undo.
 */
export async function putIntoBin(tx: Transaction, ids: readonly string[], importId: string): Promise<void> {
  for (let from = 0; from < ids.length; from += 5_000)
    await tx
      .update(stories)
      .set({
        status: 'removed',
        removedAt: sql`now()`,
        removedFrom: sql`status`,
        removedByImport: importId,
      })
      .where(and(inArray(stories.id, ids.slice(from, from + 5_000)), ne(stories.status, 'removed')))
}

export type LockedItem = { id: string; title: string; status: Status }

/**
 * How long to wait for a running import. Most take less; one with many recordings takes minutes, and then the caller is
 * told to retry.
 */
const importMsMax = 3_000

/**
 * Takes the lock of imports in a transaction that may restore items, before it locks any: an import of the same title
 * waits for it. Throws a contention error if a running import takes long.
 */
export function lockTitles(tx: Transaction): Promise<void> {
  return lockWithin(tx, 'imports', importMsMax)
}

/** Locks an item of the library, even a removed one, until the transaction ends. Null if there is none. */
export async function lockLibraryItem(tx: Transaction, id: string): Promise<LockedItem | null> {
  if (!isId(id)) return null
  const [item] = await tx
    .select({ id: stories.id, title: stories.title, status: stories.status })
    .from(stories)
    .where(and(eq(stories.id, id), eq(stories.source, 'pre_uploaded')))
    .for('update')
  return item ?? null
}

/**
 * Removes an item in a transaction that has locked it. The caller calls `libraryChanged` after the commit. `reviewNote`
 * is shown to the author of a member's item in My Content.
 */
export async function removeLocked(
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

/**
 * Reverses `removeLocked`, under the same conditions; for an item of the library the caller has also called
 * `lockTitles`. An item that the guidelines now forbid is held. Throws `already_exists` if an item of its title has
 * entered the library since.
 */
export async function bringBack(tx: Transaction, item: LockedItem, by: string): Promise<void> {
  await refuseTwin(tx, item)
  const { id, title } = item
  const [before] = await tx.select({ status: statusBeforeRemoval }).from(stories).where(eq(stories.id, id))
  const status = before?.status ?? 'draft'
  await tx.update(stories).set({ status, reviewNote: null }).where(eq(stories.id, id))
  const held = await holdForbidden(tx, [id], by)
  await recordChange(tx, by, {
    action: 'restore',
    subjectType: 'item',
    subjectId: id,
    after: { status: held.length > 0 ? 'held' : status, title },
  })
}

/** Throws if an item of the same title was imported or created since: restoring this one would duplicate it. */
async function refuseTwin(tx: Transaction, { id, title }: LockedItem): Promise<void> {
  const [twin] = await tx.execute(sql`select 1 from stories where id = ${id} and exists (${twinOf})`)
  if (twin)
    throw new AppError(
      'already_exists',
      `There is another "${title}" in the library now. Rename or remove that one, then restore this one.`,
    )
}

/**
 * Selects other items of the library with the type and title of a removed row of `stories` that were created after its
 * removal. Items that existed side by side do not count, since an operator may use a title twice; but an item of an
 * undone import is never restored beside one of its title.
 */
export const twinOf = sql`
  select from stories as other
  where other.type = stories.type and other.title_key = stories.title_key and other.id <> stories.id
    and stories.source = 'pre_uploaded' and other.source = 'pre_uploaded' and other.status <> 'removed'
    and (stories.removed_by_import is not null or other.created_at > stories.removed_at)`

/** The status of an item of `stories` before its removal; draft if it is not recorded. */
export const statusBeforeRemoval = sql<Status>`coalesce(stories.removed_from, (
  select before->>'status' from audit_log
  where action = 'remove' and subject_type = 'item' and subject_id = stories.id::text
  order by audit_log.id desc limit 1), 'draft')`
