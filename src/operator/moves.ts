import { eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditItems, auditLog } from '#db/schema'
import { AppError } from '#src/app-error'
import type { AuditedAction } from '#src/audit/rules'
import { recordChange } from './audit'

/** One row of a bulk change, with its states before and after. */
export type Move<State extends string = string> = { id: string; title: string; before: State; after: State }

/**
 * Records a bulk change in one entry that names every row, so that it can be undone. The entry of an undo refers to the
 * change that it undoes by `undoneId`. Returns the entry's id.
 */
export async function recordMoves(
  db: Executor,
  by: string,
  recorded: AuditedAction,
  { moves, before = null, undoneId }: { moves: readonly Move[]; before?: unknown; undoneId?: string | null },
): Promise<string> {
  return recordChange(db, by, {
    ...recorded,
    subjectId: undoneId,
    before,
    items: moves.map(({ id, title, before: from, after }) => ({
      id,
      title,
      verdict: `${from} → ${after}`,
      fields: ['status'],
    })),
  })
}

/** Whether a bulk change of `audit_log` has been undone. */
export const isUndone = sql<boolean>`exists (
  select from audit_log as undo
  where undo.subject_type = audit_log.subject_type and undo.subject_id = audit_log.id::text and undo.action = 'undo')`

/**
 * The subjects that a bulk change can have. An entry about one of them with such an action means that the row's state
 * changed.
 */
const movedSubjects = ['item', 'report', 'member', 'feedback', 'job']
const movingActions = [
  ...['publish', 'edit', 'remove', 'restore', 'approve', 'refuse', 'review', 'reopen'],
  ...['suspend', 'lift suspension', 'cancel', 'retry'],
]

/**
 * Whether the state of a row of `audit_items` has changed since, even if it changed back: by itself, in a bulk change,
 * or, for a report, by a change of its item.
 */
const isMovedSince = sql<boolean>`exists (
  select from unnest(array[audit_items.item_id,
    (select story_id from content_flags where content_flags.id = audit_items.item_id)]) as moved(id)
  where exists (select from audit_log as later where later.id > audit_items.change_id
      and ${inArray(sql`later.subject_type`, movedSubjects)} and later.subject_id = moved.id::text
      and ${inArray(sql`later.action`, movingActions)}
      and (later.action <> 'edit' or later.after->'status' <> later.before->'status'))
    or exists (select from audit_items as later where later.item_id = moved.id
      and later.change_id > audit_items.change_id and 'status' = any(later.fields)))`

/**
 * Lists the moves of a bulk change by the type of its rows. `isMovedSince` marks rows that changed later, which an undo
 * leaves alone. Empty for an undo and for any other change. Throws `conflict` if it was already undone.
 */
export async function listMoves(
  db: Executor,
  changeId: string,
  subjectType: string,
): Promise<(Move & { isMovedSince: boolean })[]> {
  const rows = await db
    .select({
      id: auditItems.itemId,
      title: auditItems.title,
      verdict: auditItems.verdict,
      isMovedSince,
      isUndone,
    })
    .from(auditItems)
    .innerJoin(auditLog, eq(auditLog.id, auditItems.changeId))
    .where(
      sql`${auditItems.changeId} = ${changeId} and ${auditLog.subjectType} = ${subjectType} and ${auditLog.action} <> 'undo'`,
    )
    .orderBy(auditItems.place)
  if (rows[0]?.isUndone) throw new AppError('conflict', 'Nothing is left to undo.')
  return rows.flatMap(({ verdict, isUndone: _, ...row }) => {
    const [before, after] = verdict.split(' → ')
    return before && after ? [{ ...row, before, after }] : []
  })
}
