import type { RequestContext } from '#src/request/context'
import { clearCookie, cookieNames, readCookie, writeCookie } from '#src/request/cookies'
import { type Provider, providers } from '#src/social/rules'
import type { AuthMode } from '#src/ui/auth-form'

/**
 * A sign-in at a provider's page or by a plain form. The next page greets the member and counts the sign-in, as the
 * dialog would have done.
 */
export type SignInArrival = { mode: AuthMode; method: Provider | 'email' }

const methods = [...providers, 'email'] as const

const arrivalSeconds = 60

export function rememberArrival(context: RequestContext, { mode, method }: SignInArrival): void {
  writeCookie(context, cookieNames.arrival, `${mode}.${method}`, { maxAgeSeconds: arrivalSeconds })
}

/** The sign-in that this page greets. Returned once; null for every other page. */
export function takeArrival(context: RequestContext): SignInArrival | null {
  const value = readCookie(context, cookieNames.arrival)
  if (value === null) return null
  clearCookie(context, cookieNames.arrival)
  const [mode, name] = value.split('.')
  const method = methods.find((each) => each === name)
  return method && (mode === 'sign-in' || mode === 'register') ? { mode, method } : null
}
