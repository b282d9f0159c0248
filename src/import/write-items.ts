import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { hashOf } from '#src/guideline/decide'
import { recordDecisions } from '#src/guideline/record'
import type { ImportItem } from '#src/import/rows/decode-row'
import { recordOf } from '#src/shape/pick'
import { derivedColumns } from '#src/story/derived-columns'
import { yesNoFields } from '#src/story/fields'
import { type ItemDraft, publishAll } from '#src/story/publish'
import { holdFrom } from '#src/story/rules'
import type { ExistingItems } from './existing-item'
import type { Plan, PlannedRow } from './plan'
import type { Snapshot } from './snapshot'
import { fieldsWritten } from './undo-changes'
import { type UndoField, undoFields } from './undo-rules'

/** Items written at once. Small enough for a smooth progress bar. */
const itemsAtOnce = 100

/** A batch's change of one item. `record-changes.ts` stores it at the end. */
export type ItemChange = {
  row: number
  storyId: string
  title: string
  action: 'created' | 'updated'
  before: Snapshot | null
  wrote: readonly UndoField[]
}

/** Creates the new items of a plan. Returns the changes, and the ids by row. */
export async function createItems(
  tx: Executor,
  plan: Plan,
  batchId: string,
  onMade: (items: number) => void,
): Promise<{ ids: Map<PlannedRow, string>; created: ItemChange[] }> {
  const rows = plan.rows.filter((row) => row.verdict === 'create')
  const ids = new Map<PlannedRow, string>()
  for (let from = 0; from < rows.length; from += itemsAtOnce) {
    const some = rows.slice(from, from + itemsAtOnce)
    const made = await publishAll(
      tx,
      some.map(({ item, admitted }) => ({
        draft: { ...toDraft(item), importId: batchId },
        text: { ...item, ...admitted },
      })),
    )
    for (const [at, row] of some.entries()) ids.set(row, made[at]?.id ?? '')
    onMade(ids.size)
  }
  const created = rows.map((planned) => {
    const { row, title } = planned
    const storyId = ids.get(planned) ?? ''
    return { row, storyId, title, action: 'created' as const, before: null, wrote: undoFields }
  })
  return { ids, created }
}

/** A row's item as a draft. Omitted fields get the table's defaults. */
export function toDraft(item: ImportItem): ItemDraft {
  const { id, duration, status, publishedAt, linkedAudio, stated, generateAudio, ...fields } = item
  const isToCome = publishedAt !== null && publishedAt > new Date()
  return {
    ...fields,
    ...recordOf(yesNoFields, (field) => item[field] ?? undefined),
    duration: duration ?? undefined,
    publishedAt: publishedAt ?? undefined,
    // On approval a held item gets the status that its time demands.
    status: status === 'held' ? (isToCome ? 'scheduled' : 'published') : (status ?? undefined),
  }
}

/** Writes the plan's changes. Returns the earlier values. */
export async function updateItems(tx: Executor, plan: Plan, existing: ExistingItems): Promise<ItemChange[]> {
  const byId = new Map([...existing.values()].flat().map((item) => [item.id, item]))
  const rows = plan.rows.filter((row) => row.verdict === 'update')
  const updated: ItemChange[] = []
  for (const { row, changes, existingId, admitted, title, audio } of rows) {
    const before = byId.get(existingId ?? '')
    if (existingId === null || !before) continue
    const values = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
    const derived = derivedColumns(values, before)
    const written: Partial<typeof stories.$inferInsert> = { ...values }
    if (admitted.isHeld) Object.assign(written, holdFrom(written.status ?? before.status))
    if (changes.length > 0)
      await tx
        .update(stories)
        .set({ ...written, ...derived })
        .where(eq(stories.id, existingId))
    await recordDecisions(
      tx,
      // Decisions describe the text as it is now. An excerpt that a person wrote is not in the row.
      admitted.decisions.map((decision) => ({
        ...decision,
        storyId: existingId,
        textHash: hashOf({ ...before, ...written, ...derived }),
      })),
    )
    const changed = Object.keys({ ...written, ...derived })
    const spoken = audio.filter(({ isNew }) => isNew).map(({ voice }) => voice)
    const wrote = fieldsWritten(changed, spoken)
    updated.push({
      row,
      storyId: existingId,
      title,
      action: 'updated',
      before: { ...before, changed },
      wrote,
    })
  }
  return updated
}
