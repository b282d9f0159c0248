import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#db/db'
import { lock } from '#db/locks'
import { importChanges, imports, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { putIntoBin } from '#src/library/remove'
import { recordChange } from '#src/operator/audit'
import { holdForbidden } from '#src/review/hold-forbidden'
import { isId } from '#src/shape/id'
import { readIdCursor } from '#src/shape/list-page'
import { libraryChanged } from '#src/story/library-changed'
import type { Voice } from '#src/story/rules'
import { inheritValues } from './inherit-values'
import { readStates } from './item-state'
import type { StoredSnapshot } from './snapshot'
import { fieldsWritten, restoreFields } from './undo-changes'
import { planUndo, type UndoChange, type UndoPlan } from './undo-plan'
import { type EditedChoice, isUndoField } from './undo-rules'
import { findUnwrittenEdits } from './unwritten-edits'

export type UndoOptions = {
  /** The treatment of items that were edited since the import: they stay unless the operator chooses otherwise. */
  edited?: EditedChoice
  /** The fingerprint of the previewed plan. A different plan is refused. */
  expected?: string
}

/** Plans the undo of a batch without changing anything. Throws `not_found`, `already_undone`. */
export async function planUndoOf(
  db: Database,
  batchId: string,
  { edited = 'keep' }: UndoOptions = {},
): Promise<UndoPlan> {
  return db.transaction(async (tx) => (await readPlan(tx, batchId, edited)).plan, {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
}

/**
 * Undoes a whole batch by its plan, in one transaction. Created items move to the bin; changed ones are restored field
 * by field. Fields edited since the import stay, unless `edited` says otherwise. An earlier text that the guidelines
 * forbid by now is held. Returns the outcome. Throws `not_found`, `already_undone` the second time, and `conflict` if
 * the plan differs from the expected one.
 */
export async function undoImport(
  db: Database,
  batchId: string,
  by: string,
  { edited = 'keep', expected }: UndoOptions = {},
): Promise<UndoPlan> {
  const plan = await db.transaction(async (tx) => {
    await lock(tx, 'imports')
    await lockItems(tx, batchId)
    const planned = await readPlan(tx, batchId, edited)
    const { batch, plan } = planned
    if (expected !== undefined && expected !== plan.fingerprint)
      throw new AppError(
        'conflict',
        'The library has changed since this plan was made. Look at the plan again, then undo.',
      )
    await applyPlan(tx, planned)
    await tx.update(imports).set({ state: 'undone', undoneAt: sql`now()` }).where(eq(imports.id, batchId))
    const { remove: removed, restore: restored, keep: kept, gone, edited: editedSince } = plan.counts
    await recordChange(tx, by, {
      action: 'undo',
      subjectType: 'import',
      subjectId: batchId,
      before: { kind: batch.kind },
      after: { removed, restored, kept, gone, editedSince, edited },
      items: plan.items.map(({ id, title, verdict, editedFields }) => ({
        id,
        title,
        verdict,
        fields: editedFields,
      })),
    })
    await holdForbidden(
      tx,
      plan.items.filter(({ verdict }) => verdict === 'restore').map(({ id }) => id),
      by,
    )
    return plan
  })
  await libraryChanged(db)
  return plan
}

type ReadChange = UndoChange & { id: string }

async function readPlan(tx: Executor, batchId: string, edited: EditedChoice) {
  const [batch] = isId(batchId)
    ? await tx
        .select({ id: imports.id, state: imports.state, kind: imports.kind, createdAt: imports.createdAt })
        .from(imports)
        .where(eq(imports.id, batchId))
    : []
  if (!batch) throw missing()
  if (batch.state === 'undone') throw new AppError('already_undone', 'This import was already undone.')
  const changes = await listChanges(tx, batchId)
  const states = await readStates(
    tx,
    changes.map(({ storyId }) => storyId),
  )
  const unwritten = changes.filter(({ after }) => after === null).map(({ storyId }) => storyId)
  const plan = planUndo(changes, states, edited, await findUnwrittenEdits(tx, batch, unwritten))
  return { batch, plan, states, changes }
}

/** Lists a batch's changes in the order of its rows, without the earlier texts. */
async function listChanges(tx: Executor, batchId: string): Promise<ReadChange[]> {
  const rows = await tx
    .select({
      id: importChanges.id,
      storyId: importChanges.storyId,
      action: importChanges.action,
      after: importChanges.after,
      changed: sql<string[] | null>`${importChanges.before}->'changed'`,
      /** The voices that a batch gave audio, if the batch does not list its columns. */
      spoken: sql<Voice[]>`array(select distinct voice from narrations
        where ${importChanges.after} is null and narrations.story_id = import_changes.story_id
          and narrations.import_id = import_changes.import_id)`,
      title: sql<string>`coalesce(${importChanges.after}->>'title', ${importChanges.before}->>'title', '')`,
    })
    .from(importChanges)
    .where(eq(importChanges.importId, batchId))
    .orderBy(asc(importChanges.row), asc(importChanges.id))
  return rows.map(({ changed, spoken, ...row }) => ({
    ...row,
    wrote: row.after ? Object.keys(row.after).filter(isUndoField) : fieldsWritten(changed, spoken),
  }))
}

/** Locks the items, so that none is edited between the plan and the undo. */
async function lockItems(tx: Executor, batchId: string): Promise<void> {
  if (!isId(batchId)) return
  await tx
    .select({ id: stories.id })
    .from(stories)
    .where(sql`id in (select story_id from import_changes where import_id = ${batchId})`)
    .orderBy(asc(stories.id))
    .for('no key update')
}

/** Carries out a plan. If later batches have overwritten fields, they inherit the earlier values. */
async function applyPlan(
  tx: Transaction,
  { batch, plan: { items }, changes, states }: Awaited<ReturnType<typeof readPlan>>,
): Promise<void> {
  const going = items.filter(({ verdict }) => verdict === 'remove').map(({ id }) => id)
  await putIntoBin(tx, going, batch.id)
  const restored = items.filter(({ verdict }) => verdict === 'restore')
  const edited = items.filter(({ verdict, editedFields }) => verdict !== 'remove' && editedFields.length > 0)
  const changeOf = new Map(changes.map((change) => [change.storyId, change]))
  const befores = await readBefores(
    tx,
    [...restored, ...edited].flatMap(({ id }) => changeOf.get(id)?.id ?? []),
  )
  for (const item of restored) {
    const before = befores.get(item.id)
    if (before) await restoreFields(tx, item, before)
  }
  const undone = edited.flatMap(({ id }) => {
    const change = changeOf.get(id)
    if (!change?.after) return []
    return [{ ...change, after: change.after, before: befores.get(id) ?? null }]
  })
  await inheritValues(tx, undone, states)
}

/** Reads the values from before these changes, by item id. */
async function readBefores(tx: Executor, ids: readonly string[]): Promise<Map<string, StoredSnapshot>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ storyId: importChanges.storyId, before: importChanges.before })
    .from(importChanges)
    .where(and(inArray(importChanges.id, [...new Set(ids)]), sql`before is not null`))
  return new Map(rows.map(({ storyId, before }) => [storyId, before as StoredSnapshot]))
}

/** Lists the batches, newest first. */
export function listImports(db: Executor, { limit, before }: { limit: number; before?: string }) {
  return db
    .select()
    .from(imports)
    .where(before === undefined ? undefined : lt(imports.id, readIdCursor(before)))
    .orderBy(desc(imports.id))
    .limit(limit)
}

export function countImports(db: Executor): Promise<number> {
  return db.$count(imports)
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such import.')
}
