import type { RequestContext } from '#src/request/context'
import { seal, unseal } from '#src/security/encryption'
import { consumeRateLimit } from '#src/security/rate-limit'
import { type AuthChallenge, beginAuthChallenge } from '#src/session/auth-challenge'
import type { Provider } from './rules'

/**
 * `userId` is the member who adds the provider to their sign-in methods, null for a sign-in. `unsent` is the form that
 * is carried.
 */
export type Beginning = { userId: string | null; next: string; unsent?: string }

/**
 * Stores the challenge that the provider's answer has to match, and returns the provider's address. A carried form is
 * stored in the challenge, sealed, until it expires. Throws `throttled`.
 */
export async function beginWithProvider(
  context: RequestContext,
  provider: Provider,
  { userId, next, unsent }: Beginning,
): Promise<URL> {
  const { askProvider } = await import('./person')
  const { url, checks } = await askProvider(context.services.env, provider)
  const sealed = unsent === undefined ? {} : await sealUnsent(context, checks.state, unsent)
  const attempt = { userId, secret: { ...checks, next, ...sealed } }
  await beginAuthChallenge(context, provider, attempt, provider === 'apple' ? 'none' : 'lax')
  return url
}

/** Returns the form that a challenge carries. */
export function unsentOf({ services }: RequestContext, { secret }: AuthChallenge): string | undefined {
  const { state = '', unsent } = secret
  return unsent && unseal(services.secrets.encryption, placeOf(state), unsent)
}

/** Seals a form. Forms are large and anyone may send one, so fewer challenges with a form are allowed than without. */
async function sealUnsent({ services, caller }: RequestContext, state: string, unsent: string) {
  const message = 'Too many attempts. Wait a moment and try again.'
  const key = `carried:${caller.addressHash}`
  await consumeRateLimit(services.db, [{ key, max: 20, windowSeconds: 15 * 60, message }])
  return { unsent: seal(services.secrets.encryption, placeOf(state), unsent) }
}

const placeOf = (state: string) => ({ table: 'sign_in_attempts', row: state, column: 'secret' })
