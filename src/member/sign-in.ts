import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { loginEvents, users } from '#db/schema'
import { sha256 } from '#src/keyed-hash'
import { Refusal } from '#src/refusal'
import { countAttempt, type Limit } from '#src/throttle'
import { isPassword } from './password'
import { normaliseEmail } from './register'
import type { SignIn } from './schema'
import { type Member, openSession } from './session'
import { suspensionWords } from './suspend'

export type Device = { userAgent: string; addressHash: string }

/**
 * Checks e-mail and password. Throws `wrong_credentials`, which never says which of the two was wrong,
 * `throttled` (attempts are counted before the password is looked at), and `suspended` with the reason.
 */
export async function checkSignIn(
  db: Executor,
  { email, password }: SignIn,
  device: Device,
): Promise<Member> {
  const account = normaliseEmail(email)
  await countAttempt(db, limits(account, device.addressHash))
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      createdAt: users.createdAt,
      oauthProvider: users.oauthProvider,
      password: users.password,
      suspendedAt: users.suspendedAt,
      suspensionReason: users.suspensionReason,
    })
    .from(users)
    .where(eq(users.email, account))
  const isRight = await isPassword(password, row?.password ?? null)
  if (!row || !isRight)
    throw new Refusal('wrong_credentials', 'Email or password is not right. Check both and try again.')
  const { password: _, suspendedAt, suspensionReason, ...member } = row
  // Said to who has the password alone: nobody else learns that there is such an account.
  if (suspendedAt) throw new Refusal('suspended', suspensionWords(suspensionReason))
  return member
}

/** Opens a member's session on a device, and keeps the event. Answers the cookie's token. */
export async function startMemberSession(
  db: Executor,
  member: Member,
  device: Device,
  method: string,
): Promise<string> {
  const token = await openSession(db, { kind: 'member', userId: member.id, ...device })
  await db
    .insert(loginEvents)
    .values({ userId: member.id, method, sessionId: sha256(token).slice(0, 16), ipHash: device.addressHash })
  return token
}

/** By address and account, by address, and by account; the last is a delay for all, never a lock-out. */
function limits(account: string, addressHash: string): Limit[] {
  const message = 'Too many tries. Wait a little and try again.'
  const accountHash = sha256(account)
  return [
    { key: `signin:${addressHash}:${accountHash}`, max: 5, windowSeconds: 15 * 60, message },
    { key: `signin:${addressHash}`, max: 25, windowSeconds: 5 * 60, message },
    { key: `signin:account:${accountHash}`, max: 25, windowSeconds: 3_600, message },
  ]
}
