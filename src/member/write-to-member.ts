import { eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { userSettings } from '#db/schema'
import { isMailAddress } from '#src/mail/rules'
import { type Mail, sendMail } from '#src/mail/send-mail'
import type { Parts } from '#src/parts'

/** Queues a mail about a member's account, discreet where the member chose so. Who has no mailable address gets none. */
export async function writeToMember(
  parts: Pick<Parts, 'secrets'> & { db: Executor },
  { userId, email }: { userId: string; email: string },
  letter: Pick<Mail, 'subject' | 'text'>,
): Promise<void> {
  if (!isMailAddress(email)) return
  const [settings] = await parts.db
    .select({ isDiscreet: userSettings.discreetMode })
    .from(userSettings)
    .where(eq(userSettings.userId, userId))
  await sendMail(parts, { to: email, look: settings?.isDiscreet ? 'discreet' : 'plain', ...letter })
}
