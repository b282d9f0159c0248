import type { Env } from '#src/env'
import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { cookieName, writeCookie } from '#src/http/cookies'

/** A visit ends after so long without a look at this page. */
const visitHours = 3
const cookieSeconds = 365 * 24 * 3_600

/**
 * When the visit before this one ended, as this browser remembers it (the server does not: it is nobody's business
 * when somebody was here). Null on the first visit.
 */
export function noteVisit(env: Env, context: RequestContext, now: Date): Date | null {
  const kept = context.cookies
    .get(cookieName(cookieNames.evening, env.isSecure))
    ?.match(/^(\d{13})\.(\d{13})$/)
  const [before, latest] = [Number(kept?.[1] ?? 0), Number(kept?.[2] ?? 0)]
  const isSameVisit = now.getTime() - latest < visitHours * 3_600_000
  const ended = isSameVisit ? before : latest
  context.setCookies.push(
    writeCookie(cookieNames.evening, `${String(ended).padStart(13, '0')}.${now.getTime()}`, {
      isSecure: env.isSecure,
      maxAgeSeconds: cookieSeconds,
    }),
  )
  return ended > 0 && ended <= now.getTime() ? new Date(ended) : null
}
