import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { contentFlags, stories } from '#db/schema'
import { decideFlag } from '#src/moderation/decide'
import { isFlagIn } from '#src/moderation/flags'
import { reopenFlag } from '#src/moderation/reopen'
import { flagStates, type ModeratorAction } from '#src/moderation/rules'
import { isId } from '#src/shape/id'
import { requireOneOf } from '#src/shape/require-one-of'
import { operatorTitle } from '#src/story/operator-sight'
import type { Kind, Wanted } from './kind'

/** Reports: taken up and decided. Makers and reporters are told, as of each by itself. */
export const manyReports: Kind = {
  list: (db, wanted, limit) =>
    db
      .select({ id: contentFlags.id, title: operatorTitle(), state: stateOf })
      .from(contentFlags)
      .innerJoin(stories, eq(stories.id, contentFlags.storyId))
      .where(and(matching(wanted)))
      .orderBy(desc(contentFlags.id))
      .limit(limit),
  change: (services, id, { change, reason, by }) =>
    decideFlag(services, id, { moderatorAction: actionOf(change), moderatorNotes: reason }, by),
  undo: (services, { id, before }, by) =>
    before === 'approved' || before === 'removed'
      ? decideFlag(services, id, { moderatorAction: before === 'approved' ? 'approve' : 'remove' }, by)
      : reopenFlag(services, id, by),
  recorded: {
    review: { subjectType: 'reports', action: 'review' },
    approve: { subjectType: 'reports', action: 'approve' },
    remove: { subjectType: 'reports', action: 'remove' },
  },
  undone: { subjectType: 'reports', action: 'undo' },
}

/** An item that was removed and is back stands as if it had been approved. */
const stateOf = sql<string>`case
  when ${contentFlags.resolvedAt} is null then
    case when ${contentFlags.moderatorAction} = 'review' then 'in review' else 'waiting' end
  when ${contentFlags.moderatorAction} = 'remove' and ${stories.status} = 'removed' then 'removed'
  else 'approved' end`

function matching(wanted: Wanted): SQL | undefined {
  if ('ids' in wanted) return inArray(contentFlags.id, wanted.ids.filter(isId))
  return isFlagIn(requireOneOf('state', wanted.filter.state, flagStates) ?? 'pending')
}

function actionOf(change: string): ModeratorAction {
  if (change === 'approve') return 'approve'
  return change === 'remove' ? 'remove' : 'review'
}
