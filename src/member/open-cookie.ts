import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { cookieName, sign, unsign, writeCookie } from '#src/http/cookies'
import { sha256 } from '#src/keyed-hash'
import type { Parts } from '#src/parts'
import { pinIdleSeconds, pinTouchSeconds } from './rules'
import type { Session } from './session'

type Open = Pick<Session, 'sid' | 'data' | 'hasPin'>

/**
 * Whether a session is open: no PIN is asked for, it was used a moment ago by a browser that knew the PIN, or who
 * it belongs to has only just signed in.
 */
export function isOpen(parts: Parts, cookies: Map<string, string>, session: Open): boolean {
  if (!session.hasPin) return true
  const ageSeconds = (Date.now() - Date.parse(session.data.startedAt)) / 1_000
  return ageSeconds < pinIdleSeconds || usedAgoSeconds(parts, cookies, session.sid) < pinIdleSeconds
}

/** Moves the time of an open session on. */
export function keepOpen(parts: Parts, context: RequestContext): void {
  const { caller, cookies } = context
  if (!caller.member || !caller.hasPin || !caller.sid) return
  if (usedAgoSeconds(parts, cookies, caller.sid) > pinTouchSeconds) open(parts, context, caller.sid)
}

/** Until the browser is closed, or nothing is asked for a while. */
export function open({ env, secrets }: Parts, context: RequestContext, sid: string): void {
  const value = sign(secrets.session, cookieNames.open, `${Math.floor(Date.now() / 1_000)}~${sha256(sid)}`)
  context.setCookies.push(writeCookie(cookieNames.open, value, { isSecure: env.isSecure }))
}

function usedAgoSeconds({ env, secrets }: Parts, cookies: Map<string, string>, sid: string): number {
  const cookie = cookies.get(cookieName(cookieNames.open, env.isSecure))
  const [usedAt = '', of] = unsign(secrets.session, cookieNames.open, cookie)?.split('~') ?? []
  return of === sha256(sid) ? Date.now() / 1_000 - Number(usedAt) : Number.POSITIVE_INFINITY
}
