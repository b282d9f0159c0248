import * as t from 'typebox'
import type { RequestContext } from '#src/request/context'
import { hashForToday } from './salt'
import {
  asksNotToBeTracked,
  declineTracking,
  giveTrackingId,
  isBot,
  readTrackingId,
  refusalOf,
} from './sender'
import { endTracking, extendTrackingSession, openTrackingSession } from './session'

const short = t.Optional(t.Union([t.String({ maxLength: 300 }), t.Null()]))

export const SessionCall = t.Object({
  consent: t.Optional(t.Boolean({ description: 'False withdraws consent.' })),
  timestamp: t.Optional(t.Union([t.String({ maxLength: 40 }), t.Number()])),
  sessionId: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  lastSeen: t.Optional(t.Union([t.String({ maxLength: 40 }), t.Number()])),
  locale: short,
  referrer: short,
  utm: t.Optional(t.Record(t.String({ maxLength: 40 }), t.String({ maxLength: 200 }), { maxProperties: 10 })),
})
export type SessionCall = t.Static<typeof SessionCall>

/** Answers three calls of one endpoint: opens a session, extends it, or withdraws consent. */
export async function answerSession(
  context: RequestContext,
  call: SessionCall,
): Promise<{ sessionId: string | null; userId: string | null }> {
  const { services } = context
  const { request } = context
  const userId = context.caller.member?.id ?? null
  const nobody = { sessionId: null, userId }
  if (asksNotToBeTracked(request) || isBot(request)) return nobody
  if (call.consent === false) {
    const anonId = readTrackingId(context)
    if (anonId) await endTracking(services.db, anonId)
    declineTracking(context)
    return nobody
  }
  if (context.caller.operator) return nobody
  // Consent in this call overrides an earlier answer. A heartbeat states none.
  if (call.consent === undefined && refusalOf(context) !== null) return nobody
  const anonId = giveTrackingId(context)
  if (call.sessionId && (await extendTrackingSession(services.db, call.sessionId, anonId)))
    return { sessionId: call.sessionId, userId }
  const sessionId = await openTrackingSession(services.db, {
    anonId,
    userAgent: request.headers.get('user-agent')?.slice(0, 300) ?? null,
    locale: call.locale ?? request.headers.get('accept-language')?.split(',')[0]?.slice(0, 35) ?? null,
    referrer: originOf(call.referrer ?? null),
    utm: call.utm ?? null,
    ipHash: await hashForToday(services.db, context.sender.address),
  })
  return { sessionId, userId }
}

/** The origin of the referring page, without its path. */
function originOf(address: string | null): string | null {
  const url = address ? URL.parse(address) : null
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}
