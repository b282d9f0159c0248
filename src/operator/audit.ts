import type { Executor } from '#db/db'
import { auditLog } from '#db/schema'

export type Change = {
  action: string
  subjectType: string
  subjectId?: string | null
  before?: unknown
  after?: unknown
}

/** Keeps who changed what, in the transaction of the change itself: neither is there without the other. */
export async function recordChange(db: Executor, by: string, change: Change): Promise<void> {
  const { action, subjectType, subjectId, before, after } = change
  await db.insert(auditLog).values({
    actor: by,
    action,
    subjectType,
    subjectId: subjectId ?? null,
    before: before ?? null,
    after: after ?? null,
  })
}
