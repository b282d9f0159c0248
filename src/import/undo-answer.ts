import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { binDays } from '#src/story/rules'
import type { UndoPlan } from './undo-plan'
import { undoItemsListedMax } from './undo-rules'
import type { UndoAnswer } from './undo-schema'
import { undoMessage } from './undo-words'

/** A plan or its outcome, as API, console and CLI show it: counts, and the first items. */
export async function answerUndo(
  db: Executor,
  { items, counts, fingerprint }: UndoPlan,
  { isDryRun }: { isDryRun: boolean },
): Promise<UndoAnswer> {
  const { remove: removed, restore: restored, keep: kept, gone, edited: editedSince } = counts
  const isEdited = ({ editedFields }: UndoPlan['items'][number]) => editedFields.length > 0
  const listed = [...items.filter(isEdited), ...items.filter((item) => !isEdited(item))].slice(
    0,
    undoItemsListedMax,
  )
  const audience = await countAudience(
    db,
    listed.map(({ id }) => id),
  )
  const numbers = { removed, restored, kept, gone, editedSince }
  return {
    success: true,
    message: undoMessage(numbers, isDryRun ? 'planned' : 'done'),
    dryRun: isDryRun,
    plan: fingerprint,
    ...numbers,
    binDays,
    items: listed.map(({ id, title, verdict, editedFields }) => ({
      ...{ id, title, verdict, editedFields: [...editedFields] },
      ...(audience.get(id) ?? { savedBy: 0, listeners: 0 }),
    })),
    total: items.length,
  }
}

/** Counts for each item the members who have saved it and those who have a position in it. The bin retains both. */
async function countAudience(db: Executor, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { savedBy: number; listeners: number }>()
  const array = `{${ids.join(',')}}`
  const rows = await db.execute<{ id: string; saved: number; listeners: number }>(sql`
    select id, sum(saved)::int as saved, sum(listeners)::int as listeners from (
      select story_id as id, 1 as saved, 0 as listeners from favorites where story_id = any(${array}::uuid[])
      union all select content_id, 0, 1 from content_progress where content_id = any(${array}::uuid[])
    ) as audience group by id`)
  return new Map(rows.map(({ id, saved, listeners }) => [id, { savedBy: saved, listeners }]))
}
