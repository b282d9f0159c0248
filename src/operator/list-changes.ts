import { and, asc, desc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditItems, auditLog } from '#db/schema'
import { isId } from '#src/story/rules'

export const changesLimitMax = 100
/** A page of the items of one change. */
export const changedItemsMax = 500

/** The audit log, the newest first. `before` is the id of the last change of the page before. */
export function listChanges(
  db: Executor,
  { limit = 50, before, actor }: { limit?: number; before?: string; actor?: string } = {},
) {
  return (
    db
      .select(shownChange)
      .from(auditLog)
      .where(
        and(
          before === undefined ? undefined : isId(before) ? lt(auditLog.id, before) : sql`false`,
          actor ? eq(auditLog.actor, actor) : undefined,
        ),
      )
      // Ids are ordered by time, and unlike timestamps they are unique.
      .orderBy(desc(auditLog.id))
      .limit(limit)
  )
}

export type ListedChange = Awaited<ReturnType<typeof listChanges>>[number]

/** One change, or null where there is none. */
export async function findChange(db: Executor, id: string): Promise<ListedChange | null> {
  if (!isId(id)) return null
  const [change] = await db.select(shownChange).from(auditLog).where(eq(auditLog.id, id))
  return change ?? null
}

/** The items of a bulk change, in their order; `after` is the place of the last item of the page before. */
export function listChangedItems(
  db: Executor,
  changeId: string,
  { limit = changedItemsMax, after }: { limit?: number; after?: number } = {},
) {
  return db
    .select({
      place: auditItems.place,
      id: auditItems.itemId,
      title: auditItems.title,
      verdict: auditItems.verdict,
      fields: auditItems.fields,
    })
    .from(auditItems)
    .where(
      and(eq(auditItems.changeId, changeId), after === undefined ? undefined : gt(auditItems.place, after)),
    )
    .orderBy(asc(auditItems.place))
    .limit(limit)
}

const shownChange = {
  ...getTableColumns(auditLog),
  /** How many items the change names. */
  items: sql<number>`(select count(*) from audit_items where change_id = audit_log.id)::int`,
}
