import { inArray } from 'drizzle-orm'
import { reports } from '#db/schema'
import { AppError } from '#src/app-error'
import { bringBack } from '#src/library/remove'
import { recordChange } from '#src/operator/audit'
import type { Services } from '#src/services'
import { libraryChanged } from '#src/story/library-changed'
import { auditTitle } from '#src/story/operator-sight'
import { lockReport } from './decide'
import { notifyDecision } from './notify'

/**
 * Undoes a decision: the report is open again, with every report that was decided by the same removal, and a removed
 * item returns to its earlier status. Its author is notified; reporters are notified of the next decision. Throws
 * `not_found`, and `conflict` for a report that is open.
 */
export async function reopenReport(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  id: string,
  by: string,
): Promise<void> {
  const isBack = await services.db.transaction(async (tx) => {
    const { report, item, others } = await lockReport(tx, id)
    if (report.moderatorAction === null)
      throw new AppError('conflict', 'This report is still waiting for a decision.')
    const isRemoval = report.moderatorAction === 'remove' && item.status === 'removed'
    const named = { ...item, title: auditTitle(item) }
    const also = isRemoval ? others.filter(({ moderatorAction }) => moderatorAction === 'remove') : []
    await tx
      .update(reports)
      .set({ moderatorAction: null, moderator: null, moderatorNotes: null, resolvedAt: null })
      .where(inArray(reports.id, [id, ...also.map((each) => each.id)]))
    if (isRemoval) await bringBack(tx, named, by)
    await recordChange(tx, by, {
      action: 'reopen',
      subjectType: 'report',
      subjectId: id,
      before: { moderatorAction: report.moderatorAction, item: item.status },
      after: { title: named.title },
    })
    const authorId = isRemoval && item.source === 'user_generated' ? item.userId : null
    const decision = { outcome: 'restored', report, decided: [], item, notes: '', authorId } as const
    if (authorId) await notifyDecision({ ...services, db: tx }, decision)
    return isRemoval
  })
  if (isBack) await libraryChanged(services.db)
}
