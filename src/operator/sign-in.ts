import { operatorLimits, operatorToken } from '#src/http/caller'
import { isSameSecret } from '#src/keyed-hash'
import { openSession } from '#src/member/session'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { countAttempt, forgetAttempts } from '#src/throttle'
import { recordChange } from './audit'

/**
 * Opens an operator session with the token and answers the session's own; `name` stands in the audit log.
 * Throws `wrong_credentials`, and `throttled` after too many wrong tokens.
 */
export async function signInOperator(
  { db, secrets }: Pick<Parts, 'db' | 'secrets'>,
  claim: { token: string; name?: string },
  device: { userAgent: string; addressHash: string },
): Promise<string> {
  const limits = operatorLimits(device.addressHash)
  await countAttempt(db, limits)
  const token = claim.token.trim()
  if (!token || !isSameSecret(token, operatorToken(secrets)))
    throw new Refusal('wrong_credentials', 'Invalid admin token')
  await forgetAttempts(db, limits)
  const name = claim.name?.trim() || 'operator'
  const session = await openSession(db, { kind: 'operator', operatorName: name, ...device })
  await recordChange(db, name, { action: 'login', subjectType: 'operator' })
  return session
}
