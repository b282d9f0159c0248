import { newId } from '#db/columns'
import type { Caller } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { cookieNames, readSignedCookie, writeSignedCookie } from '#src/request/cookies'
import { type Limit, tryConsumeRateLimit } from '#src/security/rate-limit'
import { isId } from '#src/shape/id'
import { newVisitorsADay } from '#src/story/meter-rules'

/** The signature's purpose for a counted id; an uncounted id is signed for the cookie's own name. */
const countedPurpose = 'counted visitor'
/** The lifetime of the cookie. It is not renewed, so after this time nobody can reach what belongs to the id. */
export const visitorCookieSeconds = 365 * 24 * 3_600

/**
 * Returns the visitor's functional id; a newcomer is issued one. It is not used for tracking. Only this function
 * creates ids, and it counts each against the address that it is issued to. An id past the day's budget stores
 * positions once its browser has sent it back. Until a later use counts it, the stories it opens also use up the free
 * stories of its address.
 */
export async function giveVisitorId(context: RequestContext): Promise<string> {
  const { visitorId, isVisitorCounted, addressHash } = context.caller
  if (visitorId !== null && isVisitorCounted) return visitorId
  const isCounted = await tryConsumeRateLimit(context.services.db, newVisitorLimit(addressHash))
  if (visitorId !== null && !isCounted) return visitorId
  const id = visitorId ?? newId()
  context.caller = { ...context.caller, visitorId: id, isVisitorCounted: isCounted }
  writeSignedCookie(context, cookieNames.visitor, id, {
    purpose: isCounted ? countedPurpose : undefined,
    maxAgeSeconds: visitorCookieSeconds,
  })
  return id
}

function newVisitorLimit(addressHash: string): Limit {
  return {
    key: `visitors:${addressHash}`,
    max: newVisitorsADay,
    windowSeconds: 24 * 3_600,
    message: 'Too many visitors from your network today.',
  }
}

/** The browser's id, and whether it was counted. */
export function readVisitorId(context: RequestContext): Pick<Caller, 'visitorId' | 'isVisitorCounted'> {
  const counted = readSignedCookie(context, cookieNames.visitor, countedPurpose)
  const value = counted ?? readSignedCookie(context, cookieNames.visitor)
  const visitorId = value && isId(value) ? value : null
  return { visitorId, isVisitorCounted: visitorId !== null && counted !== null }
}
