import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { users } from '#db/schema'
import { AppError } from '#src/app-error'
import { suspensionWords } from '#src/member/console/suspend'
import { endAccess, transactionEndingAccess } from '#src/member/data/access'
import type { Ended } from '#src/member/data/ended-rules'
import { findMailToken, takeMailToken } from '#src/member/email/mail-token'
import { requireMember } from '#src/member/find-member'
import { writeNotice } from '#src/member/sign-in/notice'
import { hashPassword } from '#src/member/sign-in/password'
import { normaliseEmail } from '#src/member/sign-in/register'
import { hasHash, type Verified } from '#src/member/sign-in/sign-in'
import { sha256 } from '#src/security/keyed-hash'
import { consumeRateLimit, rateLimitGuess } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { queueResetEmail } from './reset-email'

/** Requests a mail with a link. An unknown address gets the same answer. Throws `throttled`. */
export async function askForReset(
  services: Pick<Services, 'db' | 'secrets'>,
  email: string,
  addressHash: string,
): Promise<void> {
  const account = normaliseEmail(email)
  const message = 'Several mails were requested just now. Check your inbox, or wait a while.'
  await consumeRateLimit(services.db, [
    { key: `reset:${addressHash}`, max: 20, windowSeconds: 3_600, message },
    { key: `reset:${sha256(account)}`, max: 5, windowSeconds: 3_600, message },
  ])
  await queueResetEmail(services, account)
}

type Recovery = Verified & { ended: Ended }

/**
 * Sets a new password for the member of a link, ends other access to the account, and mails a notice. A member who had
 * only a provider's account has a password from then on. Throws `invalid` for an expired link or a weak password,
 * `suspended`, and `throttled`.
 */
export async function choosePassword(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  choice: { token: string; password: string },
  addressHash: string,
): Promise<Recovery> {
  const message = 'Too many attempts. Wait a moment and try again.'
  const limits = [{ key: `reset-choose:${addressHash}`, max: 20, windowSeconds: 15 * 60, message }]
  return rateLimitGuess(services.db, limits, () => takeLink(services, choice))
}

async function takeLink(
  { db, ...services }: Pick<Services, 'db' | 'env' | 'secrets'>,
  { token, password }: { token: string; password: string },
): Promise<Recovery> {
  // Checked before the hash, which is slow, and again after it.
  if (!(await findMailToken(db, 'reset', token))) throw linkIsOver()
  const hash = await hashPassword(password)
  return transactionEndingAccess(db, async (tx) => {
    const proof = await takeMailToken(tx, 'reset', token)
    if (!proof) throw linkIsOver()
    const { suspendedAt, suspensionReason, ...member } = await requireMember(tx, proof.userId)
    if (suspendedAt) throw new AppError('suspended', suspensionWords(suspensionReason))
    if (member.email !== proof.email) throw linkIsOver()
    const isProven = await isProvenAddress(tx, member.id)
    await tx
      .update(users)
      .set({
        password: hash,
        emailVerifiedAt: new Date(),
        ...(!isProven && { oauthProvider: null, oauthSub: null }),
      })
      .where(eq(users.id, member.id))
    // An account that was created with somebody else's address becomes that person's once they prove the address.
    const ended = await endAccess(tx, member.id, isProven ? 'recovery' : 'unproven-recovery')
    await writeNotice({ ...services, db: tx }, member.id, 'password', { ended })
    return { member, isStillOpen: hasHash(hash), ended }
  })
}

/** Whether the member has confirmed this address before. */
async function isProvenAddress(db: Executor, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, userId))
  return Boolean(row?.emailVerifiedAt)
}

/** Also shown to a member who saved a password, lost the answer (on a train), and submits the form again. */
export const resetLinkOver =
  'This link was already used or has expired. If you saved a password with it, sign in with that. If not, ask for a new link.'

function linkIsOver(): AppError {
  const fields = [{ path: 'token', message: resetLinkOver }]
  return new AppError('invalid', resetLinkOver, { fields })
}
