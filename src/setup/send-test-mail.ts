import { isMailAddress } from '#src/mail/rules'
import { sendMail } from '#src/mail/send-mail'
import { recordChange } from '#src/operator/audit'
import type { Services } from '#src/services'
import { invalidField } from '#src/shape/invalid-field'

/**
 * Queues a mail to an address of the operator's in the same way as every other mail, so that its arrival shows that all
 * arrive. Throws `invalid` for an address that mail cannot be sent to.
 */
export async function sendTestMail(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  to: string,
  by: string,
): Promise<void> {
  const { db, env } = services
  if (!isMailAddress(to)) throw invalidField('email', 'Expected an email address such as mara@example.com')
  const text = `This is the test mail that ${by} asked for on ${env.siteName}.\n\nIf you can read it, mail works.`
  await db.transaction(async (tx) => {
    await sendMail({ ...services, db: tx }, { to, subject: `A test mail of ${env.siteName}`, text })
    // The address is not recorded, since the log outlives the mail.
    await recordChange(tx, by, { action: 'test', subjectType: 'mail' })
  })
}
