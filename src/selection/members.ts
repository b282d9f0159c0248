import { and, desc, eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditLog } from '#db/schema'
import { listMembers } from '#src/member/console/list-members'
import { memberStates } from '#src/member/console/operator-schema'
import { liftSuspension, suspendMember } from '#src/member/console/suspend'
import { requireOneOf } from '#src/shape/require-one-of'
import type { Kind } from './kind'

/** Members, who can be suspended and reinstated. */
export const manyMembers: Kind = {
  list: async (db, wanted, limit) => {
    const { members } = await listMembers(db, {
      ...('ids' in wanted
        ? { ids: wanted.ids }
        : { q: wanted.filter.q, state: requireOneOf('state', wanted.filter.state, memberStates) }),
      limit,
    })
    // The log outlives accounts, so it names members only by their ids.
    return members.map(({ id, email, suspendedAt }) => ({
      id,
      title: email ?? id,
      state: suspendedAt ? 'suspended' : 'active',
      recordedAs: id,
    }))
  },
  change: ({ db }, id, { change, reason, by }) =>
    change === 'suspend' ? suspendMember(db, id, reason, by) : liftSuspension(db, id, by),
  undo: async ({ db }, { id, after }, by) =>
    after === 'suspended'
      ? liftSuspension(db, id, by)
      : suspendMember(db, id, await findLiftedReason(db, id), by),
  recorded: {
    suspend: { subjectType: 'members', action: 'suspend' },
    lift: { subjectType: 'members', action: 'lift' },
  },
  undone: { subjectType: 'members', action: 'undo' },
}

/** Finds the reason that a member was given for a suspension that has been lifted. */
async function findLiftedReason(db: Executor, id: string): Promise<string> {
  const [lifted] = await db
    .select({ before: auditLog.before })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectType, 'member'),
        eq(auditLog.subjectId, id),
        eq(auditLog.action, 'lift suspension'),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1)
  const before = lifted?.before
  return typeof before === 'object' && before !== null && 'reason' in before ? String(before.reason) : ''
}
