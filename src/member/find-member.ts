import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { users } from '#db/schema'
import { AppError } from '#src/app-error'
import { normaliseEmail } from '#src/member/sign-in/register'
import { isId } from '#src/shape/id'

/** Columns of a member that operators see, without the password's hash. */
export const memberColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  oauthProvider: users.oauthProvider,
  createdAt: users.createdAt,
  suspendedAt: users.suspendedAt,
  suspensionReason: users.suspensionReason,
}

/** Finds the member with this id or email. */
async function findMember(db: Executor, idOrEmail: string) {
  const isThis = isId(idOrEmail) ? eq(users.id, idOrEmail) : eq(users.email, normaliseEmail(idOrEmail))
  const [member] = await db.select(memberColumns).from(users).where(isThis)
  return member ?? null
}

export type FoundMember = NonNullable<Awaited<ReturnType<typeof findMember>>>

/** Like `findMember`; throws `not_found`. */
export async function requireMember(db: Executor, idOrEmail: string): Promise<FoundMember> {
  const member = await findMember(db, idOrEmail)
  if (!member) throw new AppError('not_found', 'There is no such member. The account may have been deleted.')
  return member
}
