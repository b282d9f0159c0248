import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { loginEvents, users } from '#db/schema'
import { AppError } from '#src/app-error'
import { suspensionWords } from '#src/member/console/suspend'
import { signInsMax } from '#src/member/rules'
import type { SignIn } from '#src/member/schema'
import { sha256 } from '#src/security/keyed-hash'
import { type Limit, rateLimitGuess } from '#src/security/rate-limit'
import type { Member } from '#src/session/schema'
import { lockMemberRow, openSession } from '#src/session/session'
import { isPassword } from './password'
import { normaliseEmail } from './register'
import { isRememberedDevice } from './remembered-device'

/** The device of a sign-in. `token` is that of a remembered device, otherwise null. */
export type Device = { userAgent: string; addressHash: string; token: string | null }

/** A member whose sign-in method was verified, and the condition on `users` under which the method is still valid. */
export type Verified = { member: Member; isStillOpen: SQL }

/**
 * Verifies email and password. Throws `wrong_credentials`, which never says which of the two was wrong; `throttled`
 * (attempts are counted before the password is verified); and `suspended` with the reason.
 */
export async function checkSignIn(
  db: Executor,
  { email, password }: SignIn,
  device: Device,
): Promise<Verified> {
  const account = normaliseEmail(email)
  return rateLimitGuess(db, await limitsOf(db, account, device), () => readMember(db, account, password))
}

async function readMember(db: Executor, email: string, password: string): Promise<Verified> {
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
    .where(eq(users.email, email))
  const isRight = await isPassword(password, row?.password ?? null)
  if (!row || !isRight)
    throw new AppError('wrong_credentials', 'Email or password is not right. Check both and try again.')
  const { password: hash, suspendedAt, suspensionReason, ...member } = row
  // Revealed only after the correct password, so that others do not learn that there is such an account.
  if (suspendedAt) throw new AppError('suspended', suspensionWords(suspensionReason))
  return { member, isStillOpen: hasHash(hash) }
}

/** The condition on `users` that the verified password is still the member's. */
export function hasHash(hash: string | null): SQL {
  return eq(users.password, hash ?? '')
}

/**
 * Opens a member's session on a device and records the event. Returns the cookie's token. Throws what `openVerified`
 * throws.
 */
export async function startMemberSession(
  db: Database,
  { member, isStillOpen }: Verified,
  device: Device,
  method: string,
): Promise<string> {
  const token = await openVerified(db, { id: member.id, isStillOpen }, device)
  await db
    .insert(loginEvents)
    .values({ userId: member.id, method, sessionId: sha256(token).slice(0, 16), ipHash: device.addressHash })
  return token
}

/**
 * Opens a session by a verified sign-in method. Verification takes time, and the method may be revoked meanwhile. An
 * event that revokes it writes to the member's row first. Either that is committed before the lock here, and the
 * condition fails; or it happens later, and ends this session too. Throws `wrong_credentials` if the method is no
 * longer valid.
 */
export async function openVerified(
  db: Database,
  { id, isStillOpen }: { id: string; isStillOpen: SQL },
  { userAgent, addressHash }: Device,
): Promise<string> {
  return db.transaction(async (tx) => {
    await lockMemberRow(tx, id, 'share')
    const [open] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.suspendedAt), isStillOpen))
    if (!open)
      throw new AppError('wrong_credentials', 'Your ways to sign in have just changed. Please sign in again.')
    return openSession(tx, { kind: 'member', userId: id, userAgent, addressHash })
  })
}

/**
 * The rate limits of a sign-in. A remembered device has a few attempts of its own, which nobody else can use up. Other
 * devices are counted by address and account, by address, and by account. The last of these is only a delay, shared by
 * all strangers, since a lock-out would let any of them keep the member out. Unknown accounts are counted in the same
 * way.
 */
async function limitsOf(db: Executor, account: string, { addressHash, token }: Device): Promise<Limit[]> {
  const message = 'Too many attempts. Wait a moment and try again.'
  const accountHash = sha256(account)
  const few = { max: 5, windowSeconds: 15 * 60, message }
  const work = { max: signInsMax, windowSeconds: 15 * 60, message, countsRight: true } as const
  if (token !== null && (await isRememberedDevice(db, account, token)))
    return [
      { key: `signin:device:${sha256(token)}:${accountHash}`, ...few },
      { key: `signin:known:${accountHash}`, ...work },
    ]
  return [
    { key: `signin:${addressHash}:${accountHash}`, ...few },
    { key: `signin:${addressHash}`, max: 25, windowSeconds: 5 * 60, message },
    {
      key: `signin:account:${accountHash}`,
      max: 10,
      windowSeconds: 3_600,
      delaySecondsMax: 60,
      message: siegeWords,
    },
    { key: `signin:all:${addressHash}`, ...work },
  ]
}

/**
 * The message is the same for every account with many attempts, whether or not the account exists or has these sign-in
 * methods.
 */
const siegeWords =
  'Too many attempts to sign in to this account. Wait up to a minute and try again, or come in without waiting: on a device you used before, with a passkey, or by the link of "Forgotten password?".'
