import type { RequestContext } from '#src/request/context'
import { cookieNames, readCookie, writeCookie } from '#src/request/cookies'

/** A visit ends after this many hours without a request for the page. */
const visitHours = 3
const cookieSeconds = 365 * 24 * 3_600

/**
 * Records the visit in a cookie, and returns when the previous one ended; null on the first visit. Times of visits are
 * private, so the server does not store them.
 */
export function noteVisit(context: RequestContext, now: Date): Date | null {
  const stored = readCookie(context, cookieNames.evening)?.match(/^(\d{13})\.(\d{13})$/)
  const [before, latest] = [Number(stored?.[1] ?? 0), Number(stored?.[2] ?? 0)]
  const isSameVisit = now.getTime() - latest < visitHours * 3_600_000
  const ended = isSameVisit ? before : latest
  const value = `${String(ended).padStart(13, '0')}.${now.getTime()}`
  writeCookie(context, cookieNames.evening, value, { maxAgeSeconds: cookieSeconds })
  return ended > 0 && ended <= now.getTime() ? new Date(ended) : null
}
