import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { reports, stories } from '#db/schema'
import { decideReport } from '#src/moderation/decide'
import { reopenReport } from '#src/moderation/reopen'
import { isReportIn } from '#src/moderation/reports'
import { type ModeratorAction, reportStates } from '#src/moderation/rules'
import { isId } from '#src/shape/id'
import { requireOneOf } from '#src/shape/require-one-of'
import { operatorTitle } from '#src/story/operator-sight'
import type { Kind, Wanted } from './kind'

/** Reports, which can be taken up and decided. Authors and reporters are notified as for a single report. */
export const manyReports: Kind = {
  list: (db, wanted, limit) =>
    db
      .select({ id: reports.id, title: operatorTitle(), state: stateOf })
      .from(reports)
      .innerJoin(stories, eq(stories.id, reports.storyId))
      .where(and(matching(wanted)))
      .orderBy(desc(reports.id))
      .limit(limit),
  change: (services, id, { change, reason, by }) =>
    decideReport(services, id, { moderatorAction: actionOf(change), moderatorNotes: reason }, by),
  undo: (services, { id, before }, by) =>
    before === 'approved' || before === 'removed'
      ? decideReport(services, id, { moderatorAction: before === 'approved' ? 'approve' : 'remove' }, by)
      : reopenReport(services, id, by),
  recorded: {
    review: { subjectType: 'reports', action: 'review' },
    approve: { subjectType: 'reports', action: 'approve' },
    remove: { subjectType: 'reports', action: 'remove' },
  },
  undone: { subjectType: 'reports', action: 'undo' },
}

/** The state of a report. An item that was removed and restored counts as approved. */
const stateOf = sql<string>`case
  when ${reports.resolvedAt} is null then
    case when ${reports.moderatorAction} = 'review' then 'in review' else 'waiting' end
  when ${reports.moderatorAction} = 'remove' and ${stories.status} = 'removed' then 'removed'
  else 'approved' end`

function matching(wanted: Wanted): SQL | undefined {
  if ('ids' in wanted) return inArray(reports.id, wanted.ids.filter(isId))
  return isReportIn(requireOneOf('state', wanted.filter.state, reportStates) ?? 'pending')
}

function actionOf(change: string): ModeratorAction {
  if (change === 'approve') return 'approve'
  return change === 'remove' ? 'remove' : 'review'
}
