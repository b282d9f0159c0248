import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { importChanges, stories } from '#db/schema'
import { recordDecisions } from '#src/guideline/record'
import { derivedColumns } from '#src/story/derived-columns'
import { type Draft, publishAll } from '#src/story/publish'
import { holdFrom } from '#src/story/rules'
import type { ImportRequest } from './apply'
import { type ExistingItem, itemKey, type Plan, type PlannedRow } from './plan'

/** Items made at once: often enough for a bar that moves. */
const itemsAtOnce = 100

/** Makes the new items of a plan; answers their ids by row number. */
export async function createItems(
  tx: Executor,
  request: ImportRequest,
  plan: Plan,
  batchId: string,
  onMade: (items: number) => void,
): Promise<Map<number, string>> {
  const rows = plan.rows.filter((row) => row.verdict === 'create')
  const ids = new Map<number, string>()
  for (let from = 0; from < rows.length; from += itemsAtOnce) {
    const some = rows.slice(from, from + itemsAtOnce)
    const made = await publishAll(
      tx,
      some.map(({ item, admitted }) => ({
        draft: toDraft(item, request, batchId),
        text: { ...item, ...admitted },
      })),
    )
    for (const [at, row] of some.entries()) ids.set(row.row, made[at]?.id ?? '')
    onMade(ids.size)
  }
  await recordRows(
    tx,
    batchId,
    rows.map((row) => ({ row: row.row, storyId: ids.get(row.row) ?? '', action: 'created', before: null })),
  )
  return ids
}

function toDraft(item: PlannedRow['item'], request: ImportRequest, batchId: string): Draft {
  const { narrator, voice, duration, linkedAudio, stated, generateAudio, ...fields } = item
  return {
    ...fields,
    voice,
    duration: duration ?? undefined,
    narratorFemale: voice === 'female' ? narrator : null,
    narratorMale: voice === 'male' ? narrator : null,
    status: request.status,
    importId: batchId,
  }
}

/** Changes what the plan changes; what was there before is kept with the batch. */
export async function updateItems(
  tx: Executor,
  plan: Plan,
  existing: ReadonlyMap<string, ExistingItem>,
  batchId: string,
): Promise<void> {
  const rows = plan.rows.filter((row) => row.verdict === 'update')
  for (const { changes, existingId, admitted, type, title } of rows) {
    if (existingId === null || changes.length === 0) continue
    const values = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
    const status = existing.get(itemKey(type, title))?.status ?? 'published'
    await tx
      .update(stories)
      .set({ ...values, ...derivedColumns(values), ...(admitted.isHeld && holdFrom(status)) })
      .where(eq(stories.id, existingId))
    await recordDecisions(
      tx,
      admitted.decisions.map((decision) => ({ ...decision, storyId: existingId })),
    )
  }
  await recordRows(
    tx,
    batchId,
    rows.map((row) => ({
      row: row.row,
      storyId: row.existingId ?? '',
      action: 'updated',
      before: existing.get(itemKey(row.type, row.title)) ?? null,
    })),
  )
}

type Change = { row: number; storyId: string; action: 'created' | 'updated'; before: unknown }

async function recordRows(tx: Executor, batchId: string, changes: readonly Change[]): Promise<void> {
  for (let from = 0; from < changes.length; from += 5_000) {
    await tx
      .insert(importChanges)
      .values(changes.slice(from, from + 5_000).map((change) => ({ ...change, importId: batchId })))
  }
}
