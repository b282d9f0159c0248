import type { Executor } from '#db/db'
import { senderOf } from '#src/mail/deliver'
import { tellMember } from '#src/member/tell-member'
import type { Parts } from '#src/parts'
import { urls } from '#src/urls'

type Reviewed = { title: string; userId: string | null; isShared: boolean }

/**
 * Tells a member what was decided of something of theirs that an operator looked at, in the transaction of the
 * decision. What was refused is always said by mail: reasons are owed.
 */
export async function tellReview(
  parts: Pick<Parts, 'env' | 'secrets'> & { db: Executor },
  { title, userId, isShared }: Reviewed,
  { decision, note }: { decision: 'approved' | 'removed'; note: string | null },
): Promise<void> {
  if (userId === null) return
  const { env } = parts
  const became =
    decision === 'approved'
      ? `“${title}” was looked at, and it is ${isShared ? 'shared: others can read it now.' : 'yours as before.'}`
      : `“${title}” was looked at, and it ${isShared ? 'is not shared. It stays yours.' : 'cannot stay. Your text is kept.'}`
  const lines = [
    'Hello,',
    became,
    note && `The reason: ${note}`,
    decision === 'removed' &&
      `If you see it differently, write to ${env.contactEmail ?? senderOf(env).address}. It is then read again.`,
    `My Content: ${env.publicUrl}${urls.myContent()}`,
    env.siteName,
  ]
  await tellMember(parts, userId, {
    notice: { topic: 'sharing', path: urls.myContent() },
    letter: { subject: 'About something you made', text: lines.filter(Boolean).join('\n\n') },
    letterIs: decision === 'removed' ? 'owed' : 'wanted',
  })
}
