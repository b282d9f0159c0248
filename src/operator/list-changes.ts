import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditLog } from '#db/schema'
import { isId } from '#src/story/rules'

export const changesLimitMax = 100

/** The audit log, the newest first. `before` is the id of the last change of the page before. */
export function listChanges(
  db: Executor,
  { limit = 50, before, actor }: { limit?: number; before?: string; actor?: string } = {},
) {
  return (
    db
      .select()
      .from(auditLog)
      .where(
        and(
          before === undefined ? undefined : isId(before) ? lt(auditLog.id, before) : sql`false`,
          actor ? eq(auditLog.actor, actor) : undefined,
        ),
      )
      // Ids are made in the order of time, and unlike moments no two are the same.
      .orderBy(desc(auditLog.id))
      .limit(limit)
  )
}

export type ListedChange = Awaited<ReturnType<typeof listChanges>>[number]
