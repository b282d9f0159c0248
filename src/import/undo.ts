import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { audioFiles, importChanges, imports, narrations, stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { libraryChanged } from '#src/story/library-changed'
import { isId } from '#src/story/rules'
import { type Kept, undoChanges } from './undo-changes'

export type Undone = { removed: number; restored: number }

/**
 * Takes a whole batch back, in one transaction: what it made is gone, what it changed is as it was before,
 * narrations too. Throws `not_found`, or `already_undone` the second time.
 */
export async function undoImport(db: Database, batchId: string, by: string): Promise<Undone> {
  if (!isId(batchId)) throw missing()
  const undone = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(5400302)`)
    const [batch] = await tx
      .select({ state: imports.state, kind: imports.kind })
      .from(imports)
      .where(eq(imports.id, batchId))
    if (!batch) throw missing()
    if (batch.state === 'undone') throw new Refusal('already_undone', 'This import was undone already.')
    const changes = await tx.select().from(importChanges).where(eq(importChanges.importId, batchId))
    const made = changes.filter((change) => change.action === 'created').map((change) => change.storyId)
    await dropNarrations(tx, batchId)
    for (let from = 0; from < made.length; from += 5_000)
      await tx.delete(stories).where(inArray(stories.id, made.slice(from, from + 5_000)))
    const changed = changes.filter((change) => change.action === 'updated')
    for (const { storyId, before } of changed) await undoChanges(tx, storyId, before as Kept)
    await tx.update(imports).set({ state: 'undone', undoneAt: sql`now()` }).where(eq(imports.id, batchId))
    await recordChange(tx, by, {
      action: 'undo',
      subjectType: 'import',
      subjectId: batchId,
      before: { kind: batch.kind },
    })
    return { removed: made.length, restored: changed.length }
  })
  await libraryChanged(db)
  return undone
}

/** The batch's narrations go; audio that nothing names any more is left to the sweep. */
async function dropNarrations(tx: Executor, batchId: string): Promise<void> {
  await tx.delete(narrations).where(eq(narrations.importId, batchId))
  await tx
    .delete(audioFiles)
    .where(sql`not exists (select 1 from narrations where audio_hash = ${audioFiles.hash})`)
}

/** The batches, the newest first. */
export function listImports(db: Executor, limit = 50) {
  return db.select().from(imports).orderBy(desc(imports.createdAt), desc(imports.id)).limit(limit)
}

function missing(): Refusal {
  return new Refusal('not_found', 'There is no such import.')
}
