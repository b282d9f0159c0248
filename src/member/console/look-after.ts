import type { Executor } from '#db/db'
import { deleteMember } from '#src/member/data/delete'
import { exportMember } from '#src/member/data/export'
import { exportAnswer } from '#src/member/data/export-answer'
import { requireMember } from '#src/member/find-member'
import { normaliseEmail } from '#src/member/sign-in/register'
import { recordChange } from '#src/operator/audit'
import { requireOpenOperator } from '#src/operator/session'
import { type Caller, operatorNameOf } from '#src/request/caller'
import type { Services } from '#src/services'
import { listSessions } from '#src/session/list-sessions'
import { refusedField } from '#src/shape/invalid-field'
import { countOfMember } from './member-counts'

/** Finds a member with open sessions and the counts of their data. Throws `not_found`. */
export async function findMemberDetail(db: Executor, id: string) {
  const { createdAt, suspendedAt, ...member } = await requireMember(db, id)
  const [sessions, counts] = await Promise.all([listSessions(db, member.id), countOfMember(db, member.id)])
  return {
    ...member,
    createdAt: createdAt.toISOString(),
    suspendedAt: suspendedAt?.toISOString() ?? null,
    sessions,
    counts,
  }
}

/** An operator's download of a member's data, recorded in the audit log. Throws `not_found`. */
export async function exportAudited(
  services: Pick<Services, 'db' | 'storage' | 'env' | 'secrets'>,
  id: string,
  caller: Caller,
): Promise<Response> {
  const member = await requireMember(services.db, id)
  const by = operatorNameOf(caller)
  await recordChange(services.db, by, { action: 'export', subjectType: 'member', subjectId: member.id })
  return exportAnswer(await exportMember(services, member.id), () => requireOpenOperator(services, caller))
}

/**
 * Deletes a member after the operator has typed the member's email as a confirmation. Throws `not_found`, and `invalid`
 * for another email.
 */
export async function deleteNamedMember(
  services: Pick<Services, 'db' | 'storage' | 'log'>,
  id: string,
  typed: string,
  by: string,
): Promise<void> {
  const member = await requireMember(services.db, id)
  if (normaliseEmail(typed) !== (member.email ?? member.id))
    throw refusedField(
      'email',
      `This is not the ${member.email ? 'email' : 'id'} of this member. Type it exactly as shown here.`,
    )
  await deleteMember(services, member.id, by)
}
