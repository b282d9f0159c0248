import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { userSettings, users } from '#db/schema'
import { emailMember } from '#src/mail/email-member'
import type { Mail } from '#src/mail/send-mail'
import { queuePush } from '#src/push/queue'
import type { PushTopic } from '#src/push/rules'
import type { Services } from '#src/services'

/** News for a member. */
export type News = {
  /** The push notification: its topic and its page. Null if no page shows the news. */
  notice: { topic: PushTopic; path: string } | null
  /** The mail about it; null if there is none. */
  mail: Pick<Mail, 'subject' | 'text'> | null
  /** An `owed` mail, such as a statement of reasons, is sent whatever the member has chosen. */
  mailIs?: 'wanted' | 'owed'
}

/**
 * Notifies a member by mail and push, each if they have chosen it. Both are queued, and sent after the caller's
 * transaction commits.
 */
export async function notifyMember(
  services: Pick<Services, 'secrets'> & { db: Executor },
  userId: string,
  { notice, mail, mailIs = 'wanted' }: News,
): Promise<void> {
  const [member] = await services.db
    .select({ email: users.email, wantsMail: userSettings.emailNotifications })
    .from(users)
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .where(eq(users.id, userId))
  if (!member) return
  const isWritten = mailIs === 'owed' || (member.wantsMail ?? true)
  if (mail && isWritten && member.email) await emailMember(services, { userId, email: member.email }, mail)
  if (notice) await queuePush(services.db, userId, notice)
}
