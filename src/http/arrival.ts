import type { RequestContext } from '#src/http/context'
import { cookieName, writeCookie } from '#src/http/cookies'
import type { Parts } from '#src/parts'
import { type Provider, providers } from '#src/social/rules'

/** Somebody came in by a provider's page: the next page greets them and counts it, as the dialog would have. */
export type Arrival = { mode: 'sign-in' | 'register'; method: Provider }

const cookie = 'nocturne_arrival'
const arrivalSeconds = 60

export function rememberArrival({ env }: Parts, context: RequestContext, { mode, method }: Arrival): void {
  const { isSecure } = env
  context.setCookies.push(
    writeCookie(cookie, `${mode}.${method}`, { isSecure, maxAgeSeconds: arrivalSeconds }),
  )
}

/** The arrival that this page greets, once; null for every other page. */
export function takeArrival({ env }: Pick<Parts, 'env'>, context: RequestContext): Arrival | null {
  const value = context.cookies.get(cookieName(cookie, env.isSecure))
  if (value === undefined) return null
  context.setCookies.push(writeCookie(cookie, '', { isSecure: env.isSecure, maxAgeSeconds: 0 }))
  const [mode, name] = value.split('.')
  const method = providers.find((each) => each === name)
  return method && (mode === 'sign-in' || mode === 'register') ? { mode, method } : null
}
