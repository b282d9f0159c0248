import { eq } from 'drizzle-orm'
import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { hashOf } from '#src/guideline/decide'
import { recordDecisions } from '#src/guideline/record'
import { readMoment } from '#src/moment'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { type AdmittedText, admitText } from './admit-text'
import { derivedColumns } from './derived-columns'
import type { PremiumEdit, PremiumItem } from './draft-schema'
import { findLibraryItem } from './library'
import { libraryChanged } from './library-changed'
import { editMinutes, holdFrom, tagsMax } from './rules'
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
  const { voice, tags, contentNotes, duration, publishedAt, status, ...fields } = edit
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
      ...(contentNotes !== undefined && { contentNotes: readTags(contentNotes) }),
      ...(duration !== undefined && { duration }),
      ...(isBeforeItsTime(edit, before) && { publishedAt: new Date() }),
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

/** What is published by hand before the time it was scheduled for appears now. */
function isBeforeItsTime({ status }: PremiumEdit, before: PremiumItem): boolean {
  return status === 'published' && new Date(before.publishedAt) > new Date()
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

/** Tags or content notes as a list, or as text with commas. */
export function readTags(tags: string | readonly string[]): string[] {
  const list = typeof tags === 'string' ? tags.split(',') : tags
  return [...new Set(list.map(tidyLine).filter(Boolean))].slice(0, tagsMax)
}

function pick<T extends object>(from: T, like: object): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in like)) as Partial<T>
}
