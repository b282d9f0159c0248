import { and, eq, type SQL } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { users } from '#db/schema'
import { AppError } from '#src/app-error'
import { endAccess, transactionEndingAccess } from '#src/member/data/access'
import { deleteMember } from '#src/member/data/delete'
import type { Ended } from '#src/member/data/ended-rules'
import { exportMember } from '#src/member/data/export'
import { requireMember } from '#src/member/find-member'
import { passwordChecksMax } from '#src/member/rules'
import { writeNotice } from '#src/member/sign-in/notice'
import { hashPassword, isPassword } from '#src/member/sign-in/password'
import { normaliseEmail } from '#src/member/sign-in/register'
import { hasHash } from '#src/member/sign-in/sign-in'
import { tidyName } from '#src/member/tidy-name'
import type { RetainedBrowser } from '#src/personal-data/registry'
import { consumeRateLimit, type Limit, rateLimitGuess } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import type { Member, SignedIn } from '#src/session/schema'
import { lockMember, sessionHasEnded } from '#src/session/session'
import { refusedField } from '#src/shape/invalid-field'
import type { AccountProof, PasswordChange, ProfileChanges } from './account-schema'

/** Changes the member's names. Omitted names stay. */
export async function editProfile(db: Executor, id: string, changes: ProfileChanges): Promise<Member> {
  const { firstName, lastName } = changes
  await db
    .update(users)
    .set({
      updatedAt: new Date(),
      ...(firstName !== undefined && { firstName: tidyName(firstName) }),
      ...(lastName !== undefined && { lastName: tidyName(lastName) }),
    })
    .where(eq(users.id, id))
  const { suspendedAt: _, suspensionReason: __, ...member } = await requireMember(db, id)
  return member
}

/**
 * Sets a new password for the member, ends other access to the account except for this browser, and mails a notice.
 * Throws `invalid` for a wrong current password or a weak new one, `conflict` if the member has none, `throttled`, and
 * `sign_in_required` if the session has ended in the meantime.
 */
export async function changePassword(
  { db, ...services }: Pick<Services, 'db' | 'env' | 'secrets'>,
  id: string,
  { currentPassword, newPassword }: PasswordChange,
  browser: RetainedBrowser,
): Promise<{ ended: Ended; isStillOpen: SQL }> {
  if (!(await hasPassword(db, id)))
    throw new AppError('conflict', 'You sign in without a password here, so there is none to change.')
  const verified = await requirePassword(db, id, currentPassword, 'currentPassword')
  const password = await hashPassword(newPassword, 'newPassword')
  return transactionEndingAccess(db, async (tx) => {
    await lockMember(tx, { id, sid: browser.sid })
    // Both hashes take time. If somebody changes or recovers the password meanwhile, which ends this session, that
    // change wins.
    const changed = await tx
      .update(users)
      .set({ password })
      .where(and(eq(users.id, id), hasHash(verified)))
      .returning({ id: users.id })
    if (changed.length === 0) throw sessionHasEnded()
    const ended = await endAccess(tx, id, 'password-change', browser)
    await writeNotice({ ...services, db: tx }, id, 'password', { ended })
    return { ended, isStillOpen: hasHash(password) }
  })
}

/** Whether the member signs in with a password. Others use a provider. */
export async function hasPassword(db: Executor, id: string): Promise<boolean> {
  return (await hashOf(db, id)) !== null
}

/**
 * Ends access to the member's account, except for the requesting browser: "sign out elsewhere". Throws
 * `sign_in_required` if its own session has ended in the meantime, as by another browser that does the same.
 */
export async function signOutElsewhere(
  db: Database,
  member: SignedIn,
  browser: RetainedBrowser,
): Promise<Ended> {
  return transactionEndingAccess(db, async (tx) => {
    await lockMember(tx, member)
    return endAccess(tx, member.id, 'sign-out', browser)
  })
}

/** Exports the member's own data, a few times an hour, since each export reads everything. Throws `throttled`. */
export async function exportOwn(services: Pick<Services, 'db' | 'storage' | 'env'>, id: string) {
  const message = 'You downloaded your data several times just now. Wait a moment and try again.'
  await consumeRateLimit(services.db, [{ key: `export:${id}`, max: 10, windowSeconds: 3_600, message }])
  return exportMember(services, id)
}

/**
 * Deletes the member's own account, confirmed by the password or the typed email. Throws `invalid`, `throttled`, and
 * `sign_in_required` if the session has ended in the meantime.
 */
export async function deleteOwnAccount(
  services: Pick<Services, 'db' | 'storage' | 'log'>,
  member: SignedIn,
  { password, email }: AccountProof,
): Promise<void> {
  const { id } = member
  if (password !== undefined) await requirePassword(services.db, id, password, 'password')
  else await requireEmail(services.db, id, email ?? '')
  await transactionEndingAccess(services.db, async (tx) => {
    await lockMember(tx, member)
    await endAccess(tx, id, 'sign-out')
  })
  await deleteMember(services, id, null)
}

/**
 * Verifies a password and returns the hash that it matched. Throws `invalid` about `path` for a wrong one, and
 * `throttled`.
 */
export async function requirePassword(
  db: Executor,
  id: string,
  password: string,
  path: string,
): Promise<string> {
  const message = 'Too many attempts. Wait a moment and try again.'
  const quarter = { windowSeconds: 15 * 60, message }
  const limits: Limit[] = [
    { key: `password:${id}`, max: 10, ...quarter },
    { key: `password-all:${id}`, max: passwordChecksMax, ...quarter, countsRight: true },
  ]
  return rateLimitGuess(db, limits, async () => {
    const hash = await hashOf(db, id)
    if (hash === null || !(await isPassword(password, hash)))
      throw refusedField(path, 'This is not your password.')
    return hash
  })
}

async function requireEmail(db: Executor, id: string, typed: string): Promise<void> {
  const { email } = await requireMember(db, id)
  if (email === null || normaliseEmail(typed) !== email)
    throw refusedField('email', 'This is not your email. Type it exactly as shown above.')
}

async function hashOf(db: Executor, id: string): Promise<string | null> {
  const [row] = await db.select({ password: users.password }).from(users).where(eq(users.id, id))
  return row?.password ?? null
}
