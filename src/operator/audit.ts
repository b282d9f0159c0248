import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { auditItems, auditLog } from '#db/schema'
import type { AuditedAction } from '#src/audit/rules'

/** A change to record. Its action is one of the registry, which has the sentence for it. */
export type Change = AuditedAction & {
  subjectId?: string | null
  before?: unknown
  after?: unknown
  /** The items of a bulk change, each with its outcome. */
  items?: readonly ChangedItem[]
}

/** One item of a bulk change. */
export type ChangedItem = { id: string; title: string; verdict: string; fields: readonly string[] }

/** Items of one insert, which takes a few milliseconds; other requests run between two inserts. */
const itemsAtOnce = 500

/**
 * Records an operator's change in the transaction of the change itself, so that neither is committed without the other.
 * Returns the entry's id.
 */
export async function recordChange(db: Executor, by: string, change: Change): Promise<string> {
  const { action, subjectType, subjectId, before, after, items = [] } = change
  const changeId = newId()
  await db.insert(auditLog).values({
    id: changeId,
    actor: by,
    action,
    subjectType,
    subjectId: subjectId ?? null,
    before: before ?? null,
    after: after ?? null,
  })
  const rows = items.map(({ id: itemId, fields, ...item }, place) => ({
    ...item,
    changeId,
    place,
    itemId,
    fields: [...fields],
  }))
  for (let from = 0; from < rows.length; from += itemsAtOnce)
    await db.insert(auditItems).values(rows.slice(from, from + itemsAtOnce))
  return changeId
}
