import { newId } from '#db/columns'
import { isCrawler } from '#src/http/crawler'
import type { RequestContext } from '#src/request/context'
import { clearCookie, cookieNames, readSignedCookie, writeSignedCookie } from '#src/request/cookies'
import { isId } from '#src/shape/id'
import type { EventSender } from './ingest'
import type { DropReason } from './rules'
import { hashForToday } from './salt'

const trackingCookieSeconds = 365 * 24 * 3_600
const declined = 'no'

/** Identifies the sender of events, and why they are dropped, if they are. */
export async function senderOf(context: RequestContext, sessionId: string | null): Promise<EventSender> {
  const trackingId = readTrackingId(context)
  const userId = context.caller.member?.id ?? null
  const refused = refusalOf(context)
  const isKnown = refused !== null || trackingId !== null || userId !== null
  // Without a cookie a visitor is identified only for a day, by a hash whose salt is destroyed afterwards.
  const anonId = isKnown
    ? (trackingId ?? userId ?? '')
    : `day:${await hashForToday(context.services.db, `${context.sender.address} ${context.request.headers.get('user-agent') ?? ''}`)}`
  return { anonId, userId, sessionId, refused }
}

/** Why events of a request are dropped. Null if they may be stored. */
export function refusalOf(context: RequestContext): DropReason | null {
  const { request } = context
  if (asksNotToBeTracked(request)) return request.headers.get('dnt') === '1' ? 'dnt' : 'gpc'
  const answer = readAnswer(context)
  if (answer === declined || (answer === null && context.services.env.consentDefault === 'ask'))
    return 'consent'
  // Operators are not the audience, whatever page they look at.
  if (context.caller.operator) return 'operator'
  return isBot(request) ? 'bot' : null
}

export function asksNotToBeTracked(request: Request): boolean {
  return request.headers.get('dnt') === '1' || request.headers.get('sec-gpc') === '1'
}

/**
 * Whether the user agent identifies itself as a bot. Scripts of integrators, which do not pretend to be people either,
 * may report. CUBOT is a maker of phones.
 */
export function isBot(request: Request): boolean {
  const userAgent = request.headers.get('user-agent') ?? ''
  return (
    isCrawler(request) ||
    /(?<!cu)bot\b|crawl|spider|slurp|lighthouse|phantomjs|pingdom|uptime|archiver|preview/i.test(userAgent)
  )
}

export function readTrackingId(context: RequestContext): string | null {
  const answer = readAnswer(context)
  return answer && isId(answer) ? answer : null
}

/** Returns the tracking id of a visitor who consents. A new visitor gets one with the answer. */
export function giveTrackingId(context: RequestContext): string {
  const known = readTrackingId(context)
  if (known) return known
  const id = newId()
  writeAnswer(context, id)
  return id
}

/** Records that the visitor wants no tracking, so that the server can respect that without asking the browser. */
export function declineTracking(context: RequestContext): void {
  writeAnswer(context, declined)
}

/** Forgets the tracking id, because the next person at this browser may be somebody else. */
export function forgetTrackingId(context: RequestContext): void {
  if (readTrackingId(context)) clearCookie(context, cookieNames.tracking)
}

/**
 * The visitor's tracking id, or the answer that no tracking is wanted. Unlike the functional id, it is set only with
 * consent.
 */
function readAnswer(context: RequestContext): string | null {
  return readSignedCookie(context, cookieNames.tracking)
}

function writeAnswer(context: RequestContext, value: string): void {
  writeSignedCookie(context, cookieNames.tracking, value, { maxAgeSeconds: trackingCookieSeconds })
}
