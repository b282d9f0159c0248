import type { Executor } from '#db/db'
import { recordChange } from '#src/operator/audit'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { deleteMember } from './delete'
import { exportMember } from './export'
import { exportAnswer } from './export-answer'
import { requireMember } from './find-member'
import { listSessions } from './list-sessions'
import { countOfMember } from './member-counts'
import { normaliseEmail } from './register'

/** One member with open sessions and what they have. Throws `not_found`. */
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

/** An operator's export as a download; that it was made stands in the audit log. Throws `not_found`. */
export async function exportAudited(
  parts: Pick<Parts, 'db' | 'storage' | 'env'>,
  id: string,
  by: string,
): Promise<Response> {
  const member = await requireMember(parts.db, id)
  await recordChange(parts.db, by, { action: 'export', subjectType: 'member', subjectId: member.id })
  return exportAnswer(await exportMember(parts, member.id))
}

/** Deletes a member whose e-mail was typed to be sure. Throws `not_found`, and `invalid` for another e-mail. */
export async function deleteNamedMember(
  parts: Pick<Parts, 'db' | 'storage' | 'log'>,
  id: string,
  typed: string,
  by: string,
): Promise<void> {
  const member = await requireMember(parts.db, id)
  if (normaliseEmail(typed) !== (member.email ?? member.id)) {
    const message = `This is not the ${member.email ? 'email' : 'id'} of this member. Type it as it stands here.`
    throw new Refusal('invalid', message, { fields: [{ path: 'email', message }] })
  }
  await deleteMember(parts, member.id, by)
}
