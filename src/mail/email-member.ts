import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { userSettings } from '#db/schema'
import { isMailAddress } from '#src/mail/rules'
import { type Mail, sendMail } from '#src/mail/send-mail'
import type { Services } from '#src/services'

/**
 * Queues a mail about a member's account; a discreet one if the member has chosen it. Members without a mailable
 * address get none.
 */
export async function emailMember(
  services: Pick<Services, 'secrets'> & { db: Executor },
  { userId, email }: { userId: string; email: string },
  mail: Pick<Mail, 'subject' | 'text'>,
): Promise<void> {
  if (!isMailAddress(email)) return
  const [settings] = await services.db
    .select({ isDiscreet: userSettings.discreetMode })
    .from(userSettings)
    .where(eq(userSettings.userId, userId))
  await sendMail(services, { to: email, look: settings?.isDiscreet ? 'discreet' : 'plain', ...mail })
}
