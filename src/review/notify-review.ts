import type { Executor } from '#db/db'
import { senderOf } from '#src/mail/deliver'
import { notifyMember } from '#src/notification/notify-member'
import type { Services } from '#src/services'
import { urls } from '#src/urls'

type Reviewed = { title: string; userId: string | null; isShared: boolean }

/**
 * Notifies a member of the decision on their item, in the transaction of the decision. A refusal is always sent by
 * mail, since the member is owed its reasons.
 */
export async function notifyReview(
  services: Pick<Services, 'env' | 'secrets'> & { db: Executor },
  { title, userId, isShared }: Reviewed,
  { decision, note }: { decision: 'approved' | 'removed'; note: string | null },
): Promise<void> {
  if (userId === null) return
  const { env } = services
  const became =
    decision === 'approved'
      ? `“${title}” was reviewed, and it is ${isShared ? 'shared: others can read it now.' : 'yours as before.'}`
      : `“${title}” was reviewed, and it ${isShared ? 'is not shared. It stays yours.' : 'cannot stay. Your text is kept.'}`
  const lines = [
    'Hello,',
    became,
    note && `The reason: ${note}`,
    decision === 'removed' &&
      `If you disagree, write to ${env.contactEmail ?? senderOf(env).address}. It will be reviewed again.`,
    `My Content: ${env.publicUrl}${urls.myContent()}`,
    env.siteName,
  ]
  await notifyMember(services, userId, {
    notice: { topic: 'sharing', path: urls.myContent() },
    mail: { subject: 'About something you made', text: lines.filter(Boolean).join('\n\n') },
    mailIs: decision === 'removed' ? 'owed' : 'wanted',
  })
}
