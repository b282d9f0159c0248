import { eq, sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { stories } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { hashOf } from '#src/guideline/decide'
import { endHolds } from '#src/guideline/holds'
import { type AdmittedText, moderateText } from '#src/guideline/moderation-gate'
import { recordDecisions } from '#src/guideline/record'
import { recordChange } from '#src/operator/audit'
import { holdForbidden } from '#src/review/hold-forbidden'
import { invalidField } from '#src/shape/invalid-field'
import { derivedColumns } from '#src/story/derived-columns'
import type { PremiumEdit, PremiumItem } from '#src/story/draft-schema'
import { libraryChanged } from '#src/story/library-changed'
import { readGiven, readTags, requireTimeToCome, scheduleByTime } from '#src/story/read-draft'
import { editMinutes, holdFrom, isExcerptMade, type Status } from '#src/story/rules'
import { requireLibraryItem } from './queries'
import { lockLibraryItem } from './remove'

/**
 * Edits an item of the library; omitted fields stay. The duration is 5 to 60 minutes, or the item's present one. A
 * future time without a status schedules a published item. Throws `not_found`, `invalid`, and `changed_since` if the
 * caller has not seen the present version.
 */
export async function editItem(
  db: Database,
  id: string,
  { seen, ...edit }: PremiumEdit & Seen,
  by: string,
): Promise<{ warnings: string[] }> {
  const { judged, admitted } = await admitEdit(db, id, edit, by)
  const { warnings, decisions, judgedBy } = admitted
  const isOfJudged = await db.transaction(async (tx) => {
    await lockLibraryItem(tx, id)
    await requireUnchanged(tx, stories, id, { seen })
    const before = await requireLibraryItem(tx, id)
    if (stateOf(before) !== judged) return false
    const { changed, release } = planChange(edit, before, admitted)
    if (Object.keys(changed).length === 0) return true
    if (changed.status !== undefined && changed.status !== 'held')
      await endHolds(tx, id, { actor: by, source: 'edit' })
    const derived = derivedColumns(changed, before)
    await tx
      .update(stories)
      .set({ ...changed, ...derived, ...release })
      .where(eq(stories.id, id))
    const recorded = { ...changed, ...pickLike(derived, changed) }
    await recordChange(tx, by, {
      action: 'edit',
      subjectType: 'item',
      subjectId: id,
      before: pickLike(before, recorded),
      after: recorded,
    })
    await recordDecisions(
      tx,
      decisions.map((decision) => ({ ...decision, storyId: id })),
    )
    await holdForbidden(tx, [id], by, judgedBy)
    return true
  })
  // Another change of the text was committed after this one was judged, so it is judged again.
  if (!isOfJudged) return editItem(db, id, { seen, ...edit }, by)
  await libraryChanged(db)
  return { warnings }
}

/**
 * The columns whose values an edit changes, and the status of a held item once it is approved. Throws `invalid` for an
 * impossible duration or time.
 */
function planChange(
  edit: PremiumEdit,
  before: PremiumItem,
  { warnings, isHeld, decisions, judgedBy, ...text }: AdmittedText,
) {
  requireMinutes(edit, before)
  const given = before.status === 'published' ? scheduleByTime(readGiven(edit)) : readGiven(edit)
  if (isScheduledAnew(given, before)) requireTimeToCome(given.publishedAt ?? new Date(before.publishedAt))
  const changed = {
    ...(isBeforeItsTime(edit, before) && { publishedAt: new Date() }),
    ...given,
    ...pickLike(text, edit),
    ...(isHeld && holdFrom(given.status ?? before.status)),
  }
  return { changed, release: before.status === 'held' ? heldUntil(given) : {} }
}

function requireMinutes({ duration }: PremiumEdit, before: PremiumItem): void {
  const { min, max } = editMinutes
  if (duration === undefined || duration === before.duration || (duration >= min && duration <= max)) return
  throw invalidField('duration', `Expected whole minutes from ${min} to ${max}`)
}

/** A time within the same minute does not count as new, so that other fields of a due item can still be edited. */
function isScheduledAnew(
  { status, publishedAt }: ReturnType<typeof readGiven>,
  before: PremiumItem,
): boolean {
  if ((status ?? before.status) !== 'scheduled') return false
  const isOther =
    publishedAt !== undefined && Math.abs(publishedAt.getTime() - Date.parse(before.publishedAt)) >= 60_000
  return isOther || before.status !== 'scheduled'
}

/**
 * With a future time and no status, an item that was held as published is scheduled for that time once it is approved.
 */
function heldUntil(given: ReturnType<typeof readGiven>) {
  const { status } = given.status === undefined ? scheduleByTime(given) : given
  const from = sql<Status>`case when held_from = 'published' then 'scheduled' else held_from end`
  return status === 'scheduled' && given.status === undefined ? { heldFrom: from } : {}
}

/** Whether an edit publishes a scheduled item by hand, which makes it appear now. */
function isBeforeItsTime({ status }: PremiumEdit, before: PremiumItem): boolean {
  return status === 'published' && new Date(before.publishedAt) > new Date()
}

/**
 * Moderates the text as it would be after an edit. This happens before the transaction begins, so that a refusal is
 * recorded and no lock is held meanwhile. Unchanged text is not held again. `judged` is the state of the item that was
 * judged.
 */
async function admitEdit(
  db: Database,
  id: string,
  edit: PremiumEdit,
  by: string,
): Promise<{ judged: string; admitted: AdmittedText }> {
  const before = await requireLibraryItem(db, id)
  const judged = stateOf(before)
  const after = {
    ...before,
    ...edit,
    // The form sends the excerpt that it shows. One that was derived from the text is derived again, and judged with
    // it.
    ...(isExcerptMade(before) && (edit.excerpt ?? before.excerpt) === before.excerpt && { excerpt: '' }),
    tags: edit.tags === undefined ? before.tags : readTags(edit.tags),
  }
  const admitted = await moderateText(db, after, { actor: by, role: 'operator', source: 'edit' })
  const isHeldAnew = hashOf(after) !== hashOf(before) || before.status === 'held'
  return { judged, admitted: isHeldAnew ? admitted : { ...admitted, isHeld: false, decisions: [] } }
}

const stateOf = (item: PremiumItem) => `${item.status} ${hashOf(item)}`

/** The properties that two objects have in common, with the values of the first. */
function pickLike<T extends object>(from: T, like: object): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in like)) as Partial<T>
}
