import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { auditLog, stories } from '#db/schema'
import { hashOf } from '#src/guideline/decide'
import { recordDecisions } from '#src/guideline/record'
import { readMoment } from '#src/moment'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { type AdmittedText, admitText } from './admit-text'
import { derivedColumns } from './derived-columns'
import type { PremiumEdit } from './draft-schema'
import { findLibraryItem } from './library'
import { libraryChanged } from './library-changed'
import { editMinutes, holdFrom, isId, type Status, statuses, tagsMax } from './rules'
import { tidyLine } from './tidy-text'
import { readNarratedVoice } from './voice'

/**
 * Changes an item of the library; what the edit leaves out stays. The duration is 5 to 60 minutes, or what
 * the item has already. Throws `not_found`, `invalid`.
 */
export async function editItem(
  db: Database,
  id: string,
  edit: PremiumEdit,
  by: string,
): Promise<{ warnings: string[] }> {
  const { voice, tags, duration, publishedAt, status, ...fields } = edit
  const { warnings, isHeld, decisions, ...text } = await admitEdit(db, id, edit, by)
  await db.transaction(async (tx) => {
    const before = await findLibraryItem(tx, id)
    if (!before) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
    if (
      duration !== undefined &&
      duration !== before.duration &&
      (duration < editMinutes.min || duration > editMinutes.max)
    ) {
      const message = `Expected whole minutes from ${editMinutes.min} to ${editMinutes.max}`
      throw new Refusal('invalid', `duration: ${message}`, { fields: [{ path: 'duration', message }] })
    }
    const changed = {
      ...fields,
      ...pick(text, fields),
      ...(voice !== undefined && readNarratedVoice(voice)),
      ...(tags !== undefined && { tags: readTags(tags) }),
      ...(duration !== undefined && { duration }),
      ...(publishedAt !== undefined && { publishedAt: readMoment('publishedAt', publishedAt) }),
      ...(isHeld ? holdFrom(status ?? before.status) : status !== undefined && { status }),
    }
    if (Object.keys(changed).length === 0) return
    await tx
      .update(stories)
      .set({ ...changed, ...derivedColumns(changed) })
      .where(eq(stories.id, id))
    await recordChange(tx, by, {
      action: 'edit',
      subjectType: 'item',
      subjectId: id,
      before: pick(before, changed),
      after: changed,
    })
    await recordDecisions(
      tx,
      decisions.map((decision) => ({ ...decision, storyId: id })),
    )
  })
  await libraryChanged(db)
  return { warnings }
}

/**
 * The text as it would be after an edit, judged before the transaction begins: a refusal is recorded. A text
 * that stays as it was is not held again; one that changes is another text.
 */
async function admitEdit(db: Database, id: string, edit: PremiumEdit, by: string): Promise<AdmittedText> {
  const before = await findLibraryItem(db, id)
  if (!before) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  const after = {
    ...before,
    // Made anew where the text changes.
    ...(edit.content !== undefined && { excerpt: '' }),
    ...edit,
    tags: edit.tags === undefined ? before.tags : readTags(edit.tags),
  }
  const admitted = await admitText(db, after, { actor: by, role: 'operator', door: 'edit' })
  const isKept = hashOf(after) === hashOf(before)
  return isKept && before.status !== 'held' ? { ...admitted, isHeld: false, decisions: [] } : admitted
}

/** Takes an item out of every list. Its row stays, so that it can be brought back. Throws `not_found`. */
export async function removeItem(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await findLibraryItem(tx, id)
    if (!before) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
    await tx
      .update(stories)
      .set({ status: 'removed' })
      .where(and(eq(stories.id, id), ne(stories.status, 'removed')))
    await recordChange(tx, by, {
      action: 'remove',
      subjectType: 'item',
      subjectId: id,
      before: { status: before.status, title: before.title },
    })
  })
  await libraryChanged(db)
}

/**
 * Brings a removed item back to where it stood. Throws `not_found` where there is none, and `conflict` where it
 * was not removed.
 */
export async function restoreItem(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [item] = isId(id)
      ? await tx
          .select({ status: stories.status, title: stories.title })
          .from(stories)
          .where(and(eq(stories.id, id), eq(stories.source, 'pre_uploaded')))
      : []
    if (!item) throw new Refusal('not_found', 'There is no such item.')
    if (item.status !== 'removed')
      throw new Refusal('conflict', `"${item.title}" was not removed, or is back already.`)
    const status = await statusBefore(tx, id)
    await tx.update(stories).set({ status }).where(eq(stories.id, id))
    await recordChange(tx, by, {
      action: 'restore',
      subjectType: 'item',
      subjectId: id,
      after: { status, title: item.title },
    })
  })
  await libraryChanged(db)
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

/** Tags as a list, or as text with commas. */
export function readTags(tags: string | readonly string[]): string[] {
  const list = typeof tags === 'string' ? tags.split(',') : tags
  return [...new Set(list.map(tidyLine).filter(Boolean))].slice(0, tagsMax)
}

function pick<T extends object>(from: T, like: object): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in like)) as Partial<T>
}
