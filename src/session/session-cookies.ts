import { memberSessionSeconds, operatorSessionSeconds } from '#src/member/rules'
import type { RequestContext } from '#src/request/context'
import { clearCookie, cookieNames, readCookie, writeCookie } from '#src/request/cookies'
import type { SessionKind } from './schema'
import { closeSession } from './session'

const kinds = {
  member: { name: cookieNames.member, sameSite: 'lax', maxAgeSeconds: memberSessionSeconds },
  operator: { name: cookieNames.operator, sameSite: 'strict', maxAgeSeconds: operatorSessionSeconds },
} as const

/** The session token in the request; null if there is none. */
export function readSessionToken(context: RequestContext, kind: SessionKind): string | null {
  return readCookie(context, kinds[kind].name)
}

/**
 * Sets a new session cookie and ends the browser's earlier session, so that a planted session is never signed in
 * (session fixation).
 */
export async function giveSession(context: RequestContext, kind: SessionKind, token: string): Promise<void> {
  const present = readSessionToken(context, kind)
  if (present) await closeSession(context.services.db, present)
  setSessionCookie(context, kind, token)
}

/** Ends the request's session in the database, and deletes its cookie. */
export async function endSession(context: RequestContext, kind: SessionKind): Promise<void> {
  const present = readSessionToken(context, kind)
  if (!present) return
  await closeSession(context.services.db, present)
  const { name, sameSite } = kinds[kind]
  clearCookie(context, name, { sameSite })
}

/** Extends a member's cookie by as much as use has extended the session in the database. */
export function extendSessionCookie(context: RequestContext): void {
  const present = readSessionToken(context, 'member')
  if (present) setSessionCookie(context, 'member', present)
}

function setSessionCookie(context: RequestContext, kind: SessionKind, token: string): void {
  const { name, ...options } = kinds[kind]
  writeCookie(context, name, token, options)
}
