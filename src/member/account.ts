import { eq, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { users } from '#db/schema'
import { eraseFromAnalytics } from '#src/analytics/merge'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { tidyLine } from '#src/story/tidy-text'
import { countAttempt } from '#src/throttle'
import type { AccountProof, PasswordChange, ProfileChanges } from './account-schema'
import { deleteMember } from './delete'
import { exportMember } from './export'
import { requireMember } from './find-member'
import { dropMailTokens } from './mail-token'
import { writeNotice } from './notice'
import { hashPassword, isPassword } from './password'
import { normaliseEmail } from './register'
import { closeOtherSessions, type Member } from './session'

/** Changes the member's names; what is left out stays. */
export async function editProfile(db: Executor, id: string, changes: ProfileChanges): Promise<Member> {
  const { firstName, lastName } = changes
  await db
    .update(users)
    .set({
      updatedAt: new Date(),
      ...(firstName !== undefined && { firstName: nameOf(firstName) }),
      ...(lastName !== undefined && { lastName: nameOf(lastName) }),
    })
    .where(eq(users.id, id))
  const { suspendedAt: _, suspensionReason: __, ...member } = await requireMember(db, id)
  return member
}

function nameOf(text: string | null): string | null {
  return tidyLine(text ?? '') || null
}

/**
 * Gives the member a new password, ends all sessions but `sidKept`, and says so by mail. Throws `invalid` for a wrong present
 * password or a weak new one, `conflict` where there is none, and `throttled`.
 */
export async function changePassword(
  { db, ...parts }: Pick<Parts, 'db' | 'env' | 'secrets'>,
  id: string,
  { currentPassword, newPassword }: PasswordChange,
  sidKept: string | null,
): Promise<void> {
  if (!(await hasPassword(db, id)))
    throw new Refusal('conflict', 'You sign in without a password here, so there is none to change.')
  await requirePassword(db, id, currentPassword, 'currentPassword')
  const password = await hashPassword(newPassword, 'newPassword')
  await db.transaction(async (tx) => {
    await tx.update(users).set({ password }).where(eq(users.id, id))
    await closeOtherSessions(tx, id, sidKept)
    // Whoever asked for another email knew the old password.
    await dropMailTokens(tx, id, 'email')
    await writeNotice({ ...parts, db: tx }, id, 'password')
  })
}

/** Whether the member signs in with a password; others do so with a provider. */
export async function hasPassword(db: Executor, id: string): Promise<boolean> {
  return (await hashOf(db, id)) !== null
}

/** Forgets what the member heard and read, and where they stopped. What was counted stays counted, by nobody. */
export async function clearHistory(db: Database, id: string): Promise<void> {
  await eraseFromAnalytics(db, id)
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from content_progress where anon_id = ${id}`)
    await tx.execute(sql`delete from device_positions where anon_id = ${id}`)
    await tx.execute(sql`delete from openings where reader_id = ${id}`)
  })
}

/** The member's own export; some in an hour, since each reads everything. Throws `throttled`. */
export async function exportOwn(parts: Pick<Parts, 'db' | 'storage' | 'env'>, id: string) {
  const message = 'You have had your data several times just now. Wait a little and try again.'
  await countAttempt(parts.db, [{ key: `export:${id}`, max: 10, windowSeconds: 3_600, message }])
  return exportMember(parts, id)
}

/** Deletes the member's own account, proved by the password or the typed e-mail. Throws `invalid`, `throttled`. */
export async function deleteOwnAccount(
  parts: Pick<Parts, 'db' | 'storage' | 'log'>,
  id: string,
  { password, email }: AccountProof,
): Promise<void> {
  if (password !== undefined) await requirePassword(parts.db, id, password, 'password')
  else await requireEmail(parts.db, id, email ?? '')
  await deleteMember(parts, id, null)
}

/** Throws `invalid` about `path` for a password that is not the member's, and `throttled`. */
export async function requirePassword(
  db: Executor,
  id: string,
  password: string,
  path: string,
): Promise<void> {
  const message = 'Too many tries. Wait a little and try again.'
  await countAttempt(db, [{ key: `password:${id}`, max: 10, windowSeconds: 15 * 60, message }])
  if (!(await isPassword(password, await hashOf(db, id)))) throw invalid(path, 'This is not your password.')
}

async function requireEmail(db: Executor, id: string, typed: string): Promise<void> {
  const { email } = await requireMember(db, id)
  if (email === null || normaliseEmail(typed) !== email)
    throw invalid('email', 'This is not your email. Type it as it stands above.')
}

async function hashOf(db: Executor, id: string): Promise<string | null> {
  const [row] = await db.select({ password: users.password }).from(users).where(eq(users.id, id))
  return row?.password ?? null
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', message, { fields: [{ path, message }] })
}
