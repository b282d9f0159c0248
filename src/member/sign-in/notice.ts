import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { users } from '#db/schema'
import { emailMember } from '#src/mail/email-member'
import { type Ended, endedWords } from '#src/member/data/ended-rules'
import { type AccountChange, noticeEmail } from '#src/member/email/email-templates'
import type { Services } from '#src/services'
import { urls } from '#src/urls'

/**
 * Queues the mail that notifies a member of a change to the account's sign-in methods, in the transaction of the
 * change. It is always sent, whatever mails the member has turned off. `email` is its recipient if that is not the
 * account's own address. `ended` is other access that has ended with the change.
 */
export async function writeNotice(
  { db, env, secrets }: Pick<Services, 'env' | 'secrets'> & { db: Executor },
  userId: string,
  change: AccountChange,
  { email, ended = {} }: { email?: string | null; ended?: Ended } = {},
): Promise<void> {
  const to = email === undefined ? await findEmail(db, userId) : email
  if (to === null) return
  const mail = noticeEmail(change, {
    ended: endedWords(ended, ''),
    siteName: env.siteName,
    resetLink: env.publicUrl + urls.resetPassword(),
    contactLink: env.publicUrl + urls.contact(),
  })
  await emailMember({ db, secrets }, { userId, email: to }, mail)
}

async function findEmail(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return row?.email ?? null
}
