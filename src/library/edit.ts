import { eq } from 'drizzle-orm'
import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { AppError } from '#src/app-error'
import { hashOf } from '#src/guideline/decide'
import { endHolds } from '#src/guideline/holds'
import { type ModeratedText, moderateText } from '#src/guideline/moderation-gate'
import { recordDecisions } from '#src/guideline/record'
import { recordChange } from '#src/operator/audit'
import { invalidField } from '#src/shape/invalid-field'
import { derivedColumns } from '#src/story/derived-columns'
import type { PremiumEdit, PremiumItem } from '#src/story/draft-schema'
import { libraryChanged } from '#src/story/library-changed'
import { readGiven, readTags, requireTimeToCome } from '#src/story/read-draft'
import { editMinutes, holdFrom } from '#src/story/rules'
import { findLibraryItem } from './queries'

/**
 * Changes an item of the library; omitted fields stay. The duration is 5 to 60 minutes, or the item's present one.
 * Throws `not_found`, `invalid`, and `changed_since` for a version that was not seen.
 */
export async function editItem(
  db: Database,
  id: string,
  { seen, ...edit }: PremiumEdit & Seen,
  by: string,
): Promise<{ warnings: string[] }> {
  const { duration, status } = edit
  const { warnings, isHeld, decisions, ...text } = await admitEdit(db, id, edit, by)
  await db.transaction(async (tx) => {
    await requireUnchanged(tx, stories, id, { seen })
    const before = await findLibraryItem(tx, id)
    if (!before) throw new AppError('not_found', 'There is no such item. It may have been removed.')
    if (
      duration !== undefined &&
      duration !== before.duration &&
      (duration < editMinutes.min || duration > editMinutes.max)
    )
      throw invalidField('duration', `Expected whole minutes from ${editMinutes.min} to ${editMinutes.max}`)
    const given = readGiven(edit)
    if (isScheduledAnew(given, before)) requireTimeToCome(given.publishedAt ?? new Date(before.publishedAt))
    const changed = {
      ...(isBeforeItsTime(edit, before) && { publishedAt: new Date() }),
      ...given,
      ...pickLike(text, edit),
      ...(isHeld && holdFrom(status ?? before.status)),
    }
    if (Object.keys(changed).length === 0) return
    if (changed.status !== undefined && changed.status !== 'held')
      await endHolds(tx, id, { actor: by, source: 'edit' })
    await tx
      .update(stories)
      .set({ ...changed, ...derivedColumns(changed) })
      .where(eq(stories.id, id))
    await recordChange(tx, by, {
      action: 'edit',
      subjectType: 'item',
      subjectId: id,
      before: pickLike(before, changed),
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

/** The same minute again is no new time: other fields of an item that is due may still change. */
function isScheduledAnew(
  { status, publishedAt }: ReturnType<typeof readGiven>,
  before: PremiumItem,
): boolean {
  if ((status ?? before.status) !== 'scheduled') return false
  const isOther =
    publishedAt !== undefined && Math.abs(publishedAt.getTime() - Date.parse(before.publishedAt)) >= 60_000
  return isOther || before.status !== 'scheduled'
}

/** A scheduled item that is published by hand appears now. */
function isBeforeItsTime({ status }: PremiumEdit, before: PremiumItem): boolean {
  return status === 'published' && new Date(before.publishedAt) > new Date()
}

/**
 * Judges the text as it would be after an edit, before the transaction begins, so that a refusal is recorded. Unchanged
 * text is not held again.
 */
async function admitEdit(db: Database, id: string, edit: PremiumEdit, by: string): Promise<ModeratedText> {
  const before = await findLibraryItem(db, id)
  if (!before) throw new AppError('not_found', 'There is no such item. It may have been removed.')
  const after = {
    ...before,
    // Derived again where the text changes.
    ...(edit.content !== undefined && { excerpt: '' }),
    ...edit,
    tags: edit.tags === undefined ? before.tags : readTags(edit.tags),
  }
  const admitted = await moderateText(db, after, { actor: by, role: 'operator', source: 'edit' })
  const isSameText = hashOf(after) === hashOf(before)
  return isSameText && before.status !== 'held' ? { ...admitted, isHeld: false, decisions: [] } : admitted
}

/** The properties in which two objects agree, with the first one's values. */
function pickLike<T extends object>(from: T, like: object): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in like)) as Partial<T>
}
