import { eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditItems, auditLog } from '#db/schema'
import { AppError } from '#src/app-error'
import type { AuditedAction } from '#src/audit/rules'
import { recordChange } from './audit'

/** One row of a change of many, and from which state it went where. */
export type Move<State extends string = string> = { id: string; title: string; before: State; after: State }

/**
 * Records a change of many in one entry that names every row, by which it can be undone. An undo is about the change
 * that it takes back whole, `undoneId`. Returns the entry's id.
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

/** Whether a change of many was taken back; selected from `audit_log`. */
export const isUndone = sql<boolean>`exists (
  select from audit_log as undo
  where undo.subject_type = audit_log.subject_type and undo.subject_id = audit_log.id::text and undo.action = 'undo')`

/**
 * The moves of a change of many, by the kind of its rows; empty for an undo and for every other change. Throws
 * `conflict` where it was undone: what stands where it had put it was put there again since.
 */
export async function listMoves(db: Executor, changeId: string, subjectType: string): Promise<Move[]> {
  const rows = await db
    .select({ id: auditItems.itemId, title: auditItems.title, verdict: auditItems.verdict, isUndone })
    .from(auditItems)
    .innerJoin(auditLog, eq(auditLog.id, auditItems.changeId))
    .where(
      sql`${auditItems.changeId} = ${changeId} and ${auditLog.subjectType} = ${subjectType} and ${auditLog.action} <> 'undo'`,
    )
    .orderBy(auditItems.place)
  if (rows[0]?.isUndone) throw new AppError('conflict', 'Nothing of it is left to undo.')
  return rows.flatMap(({ id, title, verdict }) => {
    const [before, after] = verdict.split(' → ')
    return before && after ? [{ id, title, before, after }] : []
  })
}
