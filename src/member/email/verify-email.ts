import { and, eq } from 'drizzle-orm'
import type { Database } from '#db/db'
import { users } from '#db/schema'
import { AppError } from '#src/app-error'
import { emailMember } from '#src/mail/email-member'
import { verifyLinkSeconds } from '#src/member/rules'
import { consumeRateLimit } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { urls } from '#src/urls'
import { verificationEmail } from './email-templates'
import { makeMailToken, takeMailToken } from './mail-token'

type MailServices = Pick<Services, 'db' | 'env' | 'secrets'>

/** Queues the mail with the link that confirms the address. Nothing waits for the confirmation. */
export async function askToVerify(
  { db, env, secrets }: MailServices,
  { id, email }: { id: string; email: string | null },
): Promise<void> {
  if (email === null) return
  const to = { userId: id, email }
  await db.transaction(async (tx) => {
    const token = await makeMailToken(tx, 'verify', to, verifyLinkSeconds)
    const link = env.publicUrl + urls.verifyEmail({ token })
    await emailMember({ db: tx, secrets }, to, verificationEmail({ siteName: env.siteName, link }))
  })
}

/** Sends the mail again at the member's request. Throws `conflict` if there is nothing to confirm, and `throttled`. */
export async function askToVerifyAgain(
  services: MailServices,
  member: { id: string; email: string | null },
): Promise<void> {
  if (member.email === null) throw new AppError('conflict', 'There is no email on this account to confirm.')
  if (await isEmailVerified(services.db, member.id))
    throw new AppError('conflict', 'This email is already confirmed.')
  const message = 'Several mails are already on their way. Check your inbox, or wait a while.'
  await consumeRateLimit(services.db, [{ key: `verify:${member.id}`, max: 5, windowSeconds: 3_600, message }])
  await askToVerify(services, member)
}

/** Records that the address of a link is confirmed. Throws `invalid` for an expired link. */
export async function verifyEmail(db: Database, token: string): Promise<void> {
  await db.transaction(async (tx) => {
    const proof = await takeMailToken(tx, 'verify', token)
    const verified = proof
      ? await tx
          .update(users)
          .set({ emailVerifiedAt: new Date() })
          .where(and(eq(users.id, proof.userId), eq(users.email, proof.email)))
          .returning({ id: users.id })
      : []
    if (verified.length === 0) throw linkIsOver()
  })
}

export async function isEmailVerified(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ at: users.emailVerifiedAt }).from(users).where(eq(users.id, id))
  return Boolean(row?.at)
}

export const verifyLinkOver = 'This link was already used or has expired. Ask for a new one in Settings.'

function linkIsOver(): AppError {
  const fields = [{ path: 'token', message: verifyLinkOver }]
  return new AppError('invalid', verifyLinkOver, { fields })
}
