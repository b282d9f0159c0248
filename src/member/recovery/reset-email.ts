import { eq } from 'drizzle-orm'
import { newId } from '#db/columns'
import { users } from '#db/schema'
import { enqueue } from '#src/job/enqueue'
import type { JobHandler } from '#src/job/run-job'
import { emailMember } from '#src/mail/email-member'
import { resetEmail } from '#src/member/email/email-templates'
import { makeMailToken } from '#src/member/email/mail-token'
import { resetLinkSeconds } from '#src/member/rules'
import { seal, unseal } from '#src/security/encryption'
import type { Services } from '#src/services'
import { urls } from '#src/urls'

export const resetKind = 'password-reset'

/** Queues a job that looks up the address, whether it is known or not, so that the response time reveals nothing. */
export async function queueResetEmail(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  email: string,
): Promise<void> {
  const key = newId()
  const sealed = seal(secrets.encryption, placeOf(key), email)
  await enqueue(db, { kind: resetKind, dedupeKey: key, payload: { key, sealed } })
}

/** Writes the mail if the address belongs to a member. */
export function resetEmailHandler({
  db,
  env,
  secrets,
}: Pick<Services, 'db' | 'env' | 'secrets'>): JobHandler {
  return async ({ payload }) => {
    const { key, sealed } = payload as { key: string; sealed: string }
    const email = unseal(secrets.encryption, placeOf(key), sealed)
    await db.transaction(async (tx) => {
      const [member] = await tx.select({ userId: users.id }).from(users).where(eq(users.email, email))
      if (!member) return
      const token = await makeMailToken(tx, 'reset', { ...member, email }, resetLinkSeconds)
      const link = env.publicUrl + urls.resetPassword({ token })
      await emailMember(
        { db: tx, secrets },
        { ...member, email },
        resetEmail({ siteName: env.siteName, link }),
      )
    })
  }
}

function placeOf(key: string) {
  return { table: 'jobs', row: key, column: 'payload' }
}
