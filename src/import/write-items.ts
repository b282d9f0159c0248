import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { importChanges, stories } from '#db/schema'
import { recordDecisions } from '#src/guideline/record'
import { derivedColumns } from '#src/story/derived-columns'
import { type Draft, publishAll } from '#src/story/publish'
import { holdFrom } from '#src/story/rules'
import { type ExistingItem, itemKey, type Plan, type PlannedRow } from './plan'
import type { Snapshot } from './undo-changes'

/** Items made at once: often enough for a bar that moves. */
const itemsAtOnce = 100

/** Makes the new items of a plan; answers their ids by row number. */
export async function createItems(
  tx: Executor,
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
        draft: toDraft(item, batchId),
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

function toDraft(item: PlannedRow['item'], batchId: string): Draft {
  const { duration, status, isFree, publishedAt, linkedAudio, stated, generateAudio, ...fields } = item
  const isToCome = publishedAt !== null && publishedAt > new Date()
  return {
    ...fields,
    duration: duration ?? undefined,
    isFree: isFree ?? undefined,
    publishedAt: publishedAt ?? undefined,
    // What is held becomes what its time says, once it is approved.
    status: status === 'held' ? (isToCome ? 'scheduled' : 'published') : (status ?? undefined),
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
  const recorded: Change[] = []
  for (const { row, changes, existingId, admitted, type, title } of rows) {
    const before = existing.get(itemKey(type, title))
    if (existingId === null || !before) continue
    const values = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
    // A text that stays as it was is not held again.
    const { isHeld, decisions } = changes.some(({ field }) => isJudged.has(field))
      ? admitted
      : { isHeld: false, decisions: [] }
    const written: Partial<typeof stories.$inferInsert> = { ...values, ...derivedColumns(values) }
    if (isHeld) Object.assign(written, holdFrom(written.status ?? before.status))
    if (changes.length > 0) await tx.update(stories).set(written).where(eq(stories.id, existingId))
    await recordDecisions(
      tx,
      decisions.map((decision) => ({ ...decision, storyId: existingId })),
    )
    const snapshot: Snapshot = { ...before, changed: Object.keys(written) }
    recorded.push({ row, storyId: existingId, action: 'updated', before: snapshot })
  }
  await recordRows(tx, batchId, recorded)
}

/** What the guidelines are asked about. */
const isJudged: ReadonlySet<string> = new Set([
  'title',
  'description',
  'excerpt',
  'content',
  'tags',
  'categories',
])

type Change = { row: number; storyId: string; action: 'created' | 'updated'; before: unknown }

async function recordRows(tx: Executor, batchId: string, changes: readonly Change[]): Promise<void> {
  for (let from = 0; from < changes.length; from += 5_000) {
    await tx
      .insert(importChanges)
      .values(changes.slice(from, from + 5_000).map((change) => ({ ...change, importId: batchId })))
  }
}
