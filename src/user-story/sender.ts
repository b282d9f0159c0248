import type { TextSender } from '#src/guideline/decide'
import type { TextSource } from '#src/guideline/rules'
import { actorOf } from '#src/personal-data/existing-member'

/** A member as the sender of a text, for the guidelines. */
export function senderOf(memberId: string, source: TextSource): TextSender {
  return { actor: actorOf(memberId), role: 'member', source }
}
