import { newId } from '#db/columns'
import type { RequestContext } from '#src/http/context'
import { cookieName, sign, unsign, writeCookie } from '#src/http/cookies'
import { isCrawler } from '#src/http/visitor'
import type { Parts } from '#src/parts'
import { isId } from '#src/story/rules'
import type { Sender } from './ingest'
import type { DropReason } from './rules'
import { hashForToday } from './salt'

/** The visitor's tracking id, or that no tracking was wanted. Given only with consent, unlike the functional id. */
export const trackingCookie = 'nocturne_tracking'
const trackingCookieSeconds = 365 * 24 * 3_600
const declined = 'no'

/** Who sends events, and whether they may be kept. */
export async function senderOf(
  parts: Parts,
  request: Request,
  context: RequestContext,
  sessionId: string | null,
): Promise<Sender> {
  const trackingId = readTrackingId(parts, context)
  const userId = context.caller.member?.id ?? null
  const refused = refusalOf(parts, request, context)
  const isKnown = refused !== null || trackingId !== null || userId !== null
  // Without a cookie one is told from others for a day, by a hash whose salt is then destroyed.
  const anonId = isKnown
    ? (trackingId ?? userId ?? '')
    : `day:${await hashForToday(parts.db, `${context.address} ${request.headers.get('user-agent') ?? ''}`)}`
  return { anonId, userId, sessionId, refused }
}

/** Why nothing is kept of who asks; null where everything may be. */
export function refusalOf(parts: Parts, request: Request, context: RequestContext): DropReason | null {
  if (asksNotToBeTracked(request)) return request.headers.get('dnt') === '1' ? 'dnt' : 'gpc'
  const answer = readAnswer(parts, context)
  if (answer === declined || (answer === null && parts.env.consentDefault === 'ask')) return 'consent'
  return isBot(request) ? 'bot' : null
}

export function asksNotToBeTracked(request: Request): boolean {
  return request.headers.get('dnt') === '1' || request.headers.get('sec-gpc') === '1'
}

/** Machines that say what they are. Scripts of an integrator's, which do not pretend to be people either, may report. */
export function isBot(request: Request): boolean {
  const userAgent = request.headers.get('user-agent') ?? ''
  return (
    isCrawler(request) ||
    /bot\b|crawl|spider|slurp|lighthouse|phantomjs|pingdom|uptime|archiver|preview/i.test(userAgent)
  )
}

export function readTrackingId(parts: Parts, context: RequestContext): string | null {
  const answer = readAnswer(parts, context)
  return answer && isId(answer) ? answer : null
}

/** The tracking id of a visitor who consents; a newcomer is given one with the answer. */
export function giveTrackingId(parts: Parts, context: RequestContext): string {
  const known = readTrackingId(parts, context)
  if (known) return known
  const id = newId()
  setTracking(parts, context, id, trackingCookieSeconds)
  return id
}

/** No tracking is wanted: it is remembered, so that the server can keep to it without asking the browser. */
export function declineTracking(parts: Parts, context: RequestContext): void {
  setTracking(parts, context, declined, trackingCookieSeconds)
}

/** Whoever comes after a member at this browser is somebody else. */
export function forgetTrackingId(parts: Parts, context: RequestContext): void {
  if (readTrackingId(parts, context)) setTracking(parts, context, '', 0)
}

function readAnswer(parts: Parts, { cookies }: RequestContext): string | null {
  return unsign(
    parts.secrets.session,
    trackingCookie,
    cookies.get(cookieName(trackingCookie, parts.env.isSecure)),
  )
}

function setTracking(parts: Parts, context: RequestContext, value: string, maxAgeSeconds: number): void {
  const { isSecure } = parts.env
  const signed = value && sign(parts.secrets.session, trackingCookie, value)
  context.setCookies = context.setCookies.filter(
    (cookie) => !cookie.startsWith(`${cookieName(trackingCookie, isSecure)}=`),
  )
  context.setCookies.push(writeCookie(trackingCookie, signed, { isSecure, maxAgeSeconds }))
}
