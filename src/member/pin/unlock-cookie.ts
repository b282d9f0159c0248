import { pinIdleSeconds, pinTouchSeconds } from '#src/member/rules'
import type { RequestContext } from '#src/request/context'
import { cookieNames, readSignedCookie, writeSignedCookie } from '#src/request/cookies'
import { sha256 } from '#src/security/keyed-hash'
import type { Session } from '#src/session/session'

/**
 * Whether a session is unlocked: it has no PIN, its browser entered the PIN and has been used recently, or its member
 * has just signed in.
 */
export function isUnlocked(
  context: RequestContext,
  session: Pick<Session, 'sid' | 'data' | 'hasPin'>,
): boolean {
  if (!session.hasPin) return true
  const startedAgoSeconds = (Date.now() - Date.parse(session.data.startedAt)) / 1_000
  return isRecent(startedAgoSeconds) || isRecent(usedAgoSeconds(context, session.sid))
}

/**
 * A time in the future comes from a clock that ran ahead. If it is far ahead it does not count, or the session would
 * stay unlocked until then.
 */
function isRecent(agoSeconds: number): boolean {
  return Math.abs(agoSeconds) < pinIdleSeconds
}

/** Renews the cookie of an unlocked session. */
export function extendUnlockCookie(context: RequestContext): void {
  const { caller } = context
  if (!caller.member || !caller.hasPin || !caller.sid) return
  if (usedAgoSeconds(context, caller.sid) > pinTouchSeconds) setUnlockCookie(context, caller.sid)
}

/** Unlocks a session until the browser is closed, or is idle for a while. */
export function setUnlockCookie(context: RequestContext, sid: string): void {
  writeSignedCookie(context, cookieNames.unlock, `${Math.floor(Date.now() / 1_000)}~${sha256(sid)}`)
}

function usedAgoSeconds(context: RequestContext, sid: string): number {
  const [usedAt = '', of] = readSignedCookie(context, cookieNames.unlock)?.split('~') ?? []
  return of === sha256(sid) ? Date.now() / 1_000 - Number(usedAt) : Number.POSITIVE_INFINITY
}
