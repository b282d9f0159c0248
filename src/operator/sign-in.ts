import { AppError } from '#src/app-error'
import type { Services } from '#src/services'
import { openSession } from '#src/session/session'
import { tidyLine } from '#src/text/tidy-text'
import { recordChange } from './audit'
import { isOperatorToken, tokenFingerprint } from './token'

/**
 * Opens an operator session with the secret token and returns the session's token. `name` is recorded in the audit log.
 * Throws `wrong_credentials`, and `throttled` after too many wrong tokens.
 */
export async function signInOperator(
  services: Pick<Services, 'db' | 'secrets'>,
  claim: { token: string; name?: string },
  device: { userAgent: string; addressHash: string },
): Promise<string> {
  const { db } = services
  if (!(await isOperatorToken(services, claim.token.trim(), device.addressHash)))
    throw new AppError('wrong_credentials', 'Invalid admin token')
  const name = tidyLine(claim.name ?? '') || 'operator'
  const session = await openSession(db, {
    kind: 'operator',
    operatorName: name,
    tokenFingerprint: tokenFingerprint(services),
    ...device,
  })
  await recordChange(db, name, { action: 'login', subjectType: 'operator' })
  return session
}
