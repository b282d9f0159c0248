import { eq } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { isUniqueViolation } from '#db/failures'
import { users } from '#db/schema'
import { AppError } from '#src/app-error'
import { emailMember } from '#src/mail/email-member'
import { isMailAddress } from '#src/mail/rules'
import { suspensionWords } from '#src/member/console/suspend'
import { endAccess, transactionEndingAccess } from '#src/member/data/access'
import type { Ended } from '#src/member/data/ended-rules'
import { requireMember } from '#src/member/find-member'
import { emailLinkSeconds } from '#src/member/rules'
import { hasPassword, requirePassword } from '#src/member/settings/account'
import type { EmailChange } from '#src/member/settings/account-schema'
import { writeNotice } from '#src/member/sign-in/notice'
import { normaliseEmail } from '#src/member/sign-in/register'
import type { RetainedBrowser } from '#src/personal-data/registry'
import { sha256 } from '#src/security/keyed-hash'
import { consumeRateLimit } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { isFreshSession } from '#src/session/fresh-session'
import type { SignedIn } from '#src/session/schema'
import { lockMember } from '#src/session/session'
import { refusedField } from '#src/shape/invalid-field'
import { urls } from '#src/urls'
import { newAddressEmail } from './email-templates'
import { dropMailTokens, makeMailToken, takeMailToken } from './mail-token'

type MailServices = Pick<Services, 'db' | 'env' | 'secrets'>

/**
 * Mails a link to the requested new address and a notice to the current one. Nothing changes until the link is
 * followed, and nothing reveals whether the new address already has an account. Throws `invalid` about `password` or
 * `email`, `sign_in_required`, and `throttled`.
 */
export async function askForNewEmail(
  { db, env, secrets }: MailServices,
  member: SignedIn & { email: string | null },
  { email, password }: EmailChange,
): Promise<void> {
  const { id: userId } = member
  await requireProof(db, member, password)
  const wanted = normaliseEmail(email)
  if (!isMailAddress(wanted)) throw refusedField('email', 'Mail cannot be sent to this address.')
  if (wanted === member.email) throw refusedField('email', 'This is already your email.')
  await countMails(db, userId, wanted)
  await db.transaction(async (tx) => {
    await lockMember(tx, member)
    // Only the latest request is valid, so that a link to a mistyped address becomes void.
    await dropMailTokens(tx, userId, 'email')
    const to = { userId, email: wanted }
    const token = await makeMailToken(tx, 'email', to, emailLinkSeconds)
    const link = env.publicUrl + urls.changeEmail({ token })
    await emailMember({ db: tx, secrets }, to, newAddressEmail({ siteName: env.siteName, link }))
    await writeNotice({ db: tx, env, secrets }, userId, 'email-asked')
  })
}

/**
 * Sets the address of a link as the member's and mails a notice to the old address. Other access to the account ends,
 * except for this browser if the same member is signed in on it. Throws `invalid` for an expired link, `already_exists`
 * if another account has that address, and `suspended`.
 */
export async function confirmNewEmail(
  { db, ...services }: MailServices,
  token: string,
  caller: { member: { id: string } | null; browser: RetainedBrowser },
): Promise<Ended> {
  try {
    return await transactionEndingAccess(db, async (tx) => {
      const proof = await takeMailToken(tx, 'email', token)
      if (!proof) throw linkIsOver()
      const { id, email, suspendedAt, suspensionReason } = await requireMember(tx, proof.userId)
      if (suspendedAt) throw new AppError('suspended', suspensionWords(suspensionReason))
      await tx.update(users).set({ email: proof.email, emailVerifiedAt: new Date() }).where(eq(users.id, id))
      // The requester may not be the owner of the account: feeds and devices end too.
      const ended = await endAccess(
        tx,
        id,
        'email-change',
        caller.member?.id === id ? caller.browser : undefined,
      )
      await writeNotice({ ...services, db: tx }, id, 'email-changed', { email, ended })
      return ended
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Revealed only to somebody who reads the mail of that address.
    throw new AppError('already_exists', 'There is already an account with this email: sign in to that one.')
  }
}

/** Verifies the password. A member without one must have signed in within the last minutes. */
async function requireProof(
  db: Database,
  { id, sid }: SignedIn,
  password: string | undefined,
): Promise<void> {
  if (await hasPassword(db, id)) await requirePassword(db, id, password ?? '', 'password')
  else if (!(await isFreshSession(db, sid)))
    throw refusedField('password', 'Sign in again, then change it within ten minutes.')
}

async function countMails(db: Executor, userId: string, email: string): Promise<void> {
  const message = 'Several mails are already on their way. Check your inbox, or wait a while.'
  await consumeRateLimit(db, [
    { key: `new-email:${userId}`, max: 5, windowSeconds: 3_600, message },
    { key: `new-email:${sha256(email)}`, max: 5, windowSeconds: 3_600, message },
  ])
}

export const emailLinkOver = 'This link was already used or has expired. Ask for a new one in Settings.'

function linkIsOver(): AppError {
  return refusedField('token', emailLinkOver)
}
