import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { importChanges, imports } from '#db/schema'
import { bare, foundBefore, type ItemState } from './item-state'
import type { StoredSnapshot } from './snapshot'
import { isEdited, type UndoChange } from './undo-plan'
import { type UndoField, undoFields, type Written } from './undo-rules'

/** An undone batch's change of one item: the values that it wrote and the values before it. */
export type Undone = Pick<UndoChange, 'storyId' | 'action'> & {
  id: string
  after: Written
  before: StoredSnapshot | null
}
type Later = { id: string; storyId: string; after: Written; before: StoredSnapshot }

/**
 * Passes earlier values on to later batches, so that two batches may be undone in either order. If a later batch has
 * overwritten a field, it inherits the value from before the undone batch and restores that when it is undone itself.
 * If only batches have written an item, the later batch removes it when it is undone.
 */
export async function inheritValues(
  tx: Executor,
  undone: readonly Undone[],
  states: ReadonlyMap<string, ItemState>,
): Promise<void> {
  if (undone.length === 0) return
  const laters = Map.groupBy(
    await listLater(
      tx,
      undone.map(({ storyId }) => storyId),
    ),
    ({ storyId }) => storyId,
  )
  for (const each of undone) {
    const state = states.get(each.storyId)
    const chain = (laters.get(each.storyId) ?? []).filter(({ id }) => id > each.id)
    if (!state || chain.length === 0) continue
    for (const later of each.action === 'created'
      ? inheritItem(each, chain, state)
      : inheritFields(each, chain))
      await tx.update(importChanges).set(later.values).where(eq(importChanges.id, later.id))
  }
}

type Inheritance = { id: string; values: Partial<typeof importChanges.$inferInsert> }

/** Makes the first later batch the item's creator, if only batches have written the item. */
function inheritItem({ after }: Undone, chain: readonly Later[], state: ItemState): Inheritance[] {
  const [first] = chain
  const isOfBatches = undoFields.every((field) => {
    let left = after[field]
    for (const later of chain) {
      if (later.after[field] === undefined) continue
      if (!isSame(foundBefore(field, later.before), left)) return false
      left = later.after[field]
    }
    return left === undefined || !isEdited(field, left, state)
  })
  if (!first || !isOfBatches) return []
  return [{ id: first.id, values: { action: 'created', after: { ...after, ...first.after } } }]
}

/** Gives the first later batch that wrote a field the value from before the undone batch. */
function inheritFields({ after, before }: Undone, chain: readonly Later[]): Inheritance[] {
  if (!before) return []
  return chain.flatMap((later) => {
    const fields = undoFields.filter(
      (field) =>
        after[field] !== undefined &&
        chain.find((each) => each.after[field] !== undefined) === later &&
        isSame(foundBefore(field, later.before), after[field]),
    )
    if (fields.length === 0) return []
    return [
      {
        id: later.id,
        values: { before: fields.reduce((found, field) => inherit(found, before, field), later.before) },
      },
    ]
  })
}

function inherit(found: StoredSnapshot, before: StoredSnapshot, field: UndoField): StoredSnapshot {
  if (field === 'audioFemale') return { ...found, audio: { ...found.audio, female: before.audio.female } }
  if (field === 'audioMale') return { ...found, audio: { ...found.audio, male: before.audio.male } }
  if (field === 'status') return { ...found, status: before.status, heldFrom: before.heldFrom }
  return { ...found, [field]: before[field] }
}

function isSame(found: unknown, written: Written[UndoField]): boolean {
  return JSON.stringify(found) === JSON.stringify(bare(written))
}

/** Lists the changes of other active batches to some items, earliest first. Ids are ordered by time. */
async function listLater(tx: Executor, ids: readonly string[]): Promise<Later[]> {
  const rows = await tx
    .select({
      id: importChanges.id,
      storyId: importChanges.storyId,
      after: importChanges.after,
      before: importChanges.before,
    })
    .from(importChanges)
    .innerJoin(imports, eq(imports.id, importChanges.importId))
    .where(
      and(
        inArray(importChanges.storyId, [...ids]),
        eq(imports.state, 'applied'),
        eq(importChanges.action, 'updated'),
      ),
    )
    .orderBy(asc(importChanges.id))
  return rows.flatMap(({ after, before, ...row }) =>
    after && before ? [{ ...row, after, before: before as StoredSnapshot }] : [],
  )
}
