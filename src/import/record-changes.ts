import type { Executor } from '#db/db'
import { importChanges } from '#db/schema'
import type { ChangedItem } from '#src/operator/audit'
import { audioFieldOf, pickFields, readStates } from './item-state'
import type { QueuedNarration } from './request'
import type { Written } from './undo-rules'
import type { ItemChange } from './write-items'

/** Writing so many rows takes some milliseconds. Other requests run between two statements. */
const rowsAtOnce = 200

/**
 * Records the changes of a batch item by item: the earlier values, and the written values, which are read back. Run
 * this last in the import's transaction. Returns the items as the audit names them.
 */
export async function recordChanges(
  tx: Executor,
  batchId: string,
  changes: readonly ItemChange[],
  queued: ReadonlyMap<string, QueuedNarration>,
): Promise<ChangedItem[]> {
  for (let from = 0; from < changes.length; from += rowsAtOnce) {
    const some = changes.slice(from, from + rowsAtOnce)
    const states = await readStates(
      tx,
      some.map(({ storyId }) => storyId),
    )
    const rows = some.map(({ row, storyId, action, before, wrote }) => {
      const state = states.get(storyId)
      if (!state) throw new Error(`The import has not written item ${storyId}.`)
      const after = { ...pickFields(state, new Set(wrote)), ...writtenOf(queued.get(storyId)) }
      return { importId: batchId, row, storyId, action, before, after }
    })
    await tx.insert(importChanges).values(rows)
  }
  return changes.map(({ storyId, title, action, wrote }) => ({
    id: storyId,
    title,
    verdict: action,
    fields: action === 'created' ? [] : wrote,
  }))
}

function writtenOf(narration: QueuedNarration | undefined): Written {
  return narration ? { [audioFieldOf[narration.voice]]: `job:${narration.jobId}` } : {}
}
