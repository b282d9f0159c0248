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

/** The sender of events, and why they are dropped, if they are. */
export async function senderOf(context: RequestContext, sessionId: string | null): Promise<EventSender> {
  const trackingId = readTrackingId(context)
  const userId = context.caller.member?.id ?? null
  const refused = refusalOf(context)
  const isKnown = refused !== null || trackingId !== null || userId !== null
  // Without a cookie a visitor is identified for a day, by a hash whose salt is then destroyed.
  const anonId = isKnown
    ? (trackingId ?? userId ?? '')
    : `day:${await hashForToday(context.services.db, `${context.sender.address} ${context.request.headers.get('user-agent') ?? ''}`)}`
  return { anonId, userId, sessionId, refused }
}

/** Why events of a request are dropped; null where they may be stored. */
export function refusalOf(context: RequestContext): DropReason | null {
  const { request } = context
  if (asksNotToBeTracked(request)) return request.headers.get('dnt') === '1' ? 'dnt' : 'gpc'
  const answer = readAnswer(context)
  if (answer === declined || (answer === null && context.services.env.consentDefault === 'ask'))
    return 'consent'
  // Operators are not the audience, whichever page they look at.
  if (context.caller.operator) return 'operator'
  return isBot(request) ? 'bot' : null
}

export function asksNotToBeTracked(request: Request): boolean {
  return request.headers.get('dnt') === '1' || request.headers.get('sec-gpc') === '1'
}

/**
 * Machines that say what they are. Scripts of an integrator's, which do not pretend to be people either, may report.
 * CUBOT makes phones.
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

/** The tracking id of a visitor who consents; a newcomer is given one with the answer. */
export function giveTrackingId(context: RequestContext): string {
  const known = readTrackingId(context)
  if (known) return known
  const id = newId()
  writeAnswer(context, id)
  return id
}

/** No tracking is wanted: it is remembered, so that the server can keep to it without asking the browser. */
export function declineTracking(context: RequestContext): void {
  writeAnswer(context, declined)
}

/** Forgets the tracking id: the next person at this browser is somebody else. */
export function forgetTrackingId(context: RequestContext): void {
  if (readTrackingId(context)) clearCookie(context, cookieNames.tracking)
}

/** The visitor's tracking id, or that no tracking was wanted. Given only with consent, unlike the functional id. */
function readAnswer(context: RequestContext): string | null {
  return readSignedCookie(context, cookieNames.tracking)
}

function writeAnswer(context: RequestContext, value: string): void {
  writeSignedCookie(context, cookieNames.tracking, value, { maxAgeSeconds: trackingCookieSeconds })
}
