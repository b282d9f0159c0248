import type { TextSender } from '#src/guideline/decide'
import type { TextSource } from '#src/guideline/rules'

/** A member as the sender of a text, for the guidelines. */
export function senderOf(memberId: string, source: TextSource): TextSender {
  return { actor: `member:${memberId}`, role: 'member', source }
}
