import { readFileSync } from 'node:fs'
import { isSameSecret, keyedHash } from '#src/security/keyed-hash'
import { consumeRateLimit } from '#src/security/rate-limit'
import type { Secrets } from '#src/security/secrets'
import type { Services } from '#src/services'

/** Reads the present operator token, so that `token rotate` takes effect without a restart. */
function presentToken({ operatorTokenFile, operatorToken }: Secrets): string {
  return operatorTokenFile ? readFileSync(operatorTokenFile, 'utf8').trim() : operatorToken
}

/**
 * The fingerprint of the token that a session was opened with. A session is void once it differs from the present
 * token's. It is keyed, so that a stolen dump does not help to guess a token that a person chose.
 */
export function tokenFingerprint({ secrets }: Pick<Services, 'secrets'>): string {
  return keyedHash(secrets.session, 'operator token', presentToken(secrets)).slice(0, 22)
}

/**
 * Whether the caller has the operator's token, from a sign-in or in a header. The right one is always accepted,
 * whatever attempts were made before: it has at least 192 bits and cannot be guessed. Wrong ones are counted by
 * address. Throws `throttled` past the limit.
 */
export async function isOperatorToken(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  token: string,
  addressHash: string,
): Promise<boolean> {
  if (isSameSecret(token, presentToken(secrets))) return true
  const message = 'Too many wrong operator tokens. Wait a moment and try again.'
  await consumeRateLimit(db, [{ key: `operator:${addressHash}`, max: 5, windowSeconds: 15 * 60, message }])
  return false
}
