import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { cookieName, writeCookie } from '#src/http/cookies'
import { memberSessionSeconds, operatorSessionSeconds } from '#src/member/rules'
import { closeSession, type SessionKind } from '#src/member/session'
import type { Parts } from '#src/parts'

const kinds = {
  member: { name: cookieNames.member, sameSite: 'Lax', maxAgeSeconds: memberSessionSeconds },
  operator: { name: cookieNames.operator, sameSite: 'Strict', maxAgeSeconds: operatorSessionSeconds },
} as const

/** Gives the browser a new session and ends the one it brought: a planted session is never signed in. */
export async function giveSession(parts: Parts, context: RequestContext, kind: SessionKind, token: string): Promise<void> {
  await endSession(parts, context, kind)
  const { name, sameSite, maxAgeSeconds } = kinds[kind]
  context.setCookies.push(writeCookie(name, token, { isSecure: parts.env.isSecure, sameSite, maxAgeSeconds }))
}

/** Ends the session that the browser brought, in the database, and takes its cookie away. */
export async function endSession(parts: Parts, context: RequestContext, kind: SessionKind): Promise<void> {
  const { name, sameSite } = kinds[kind]
  const token = context.cookies.get(cookieName(name, parts.env.isSecure))
  if (!token) return
  await closeSession(parts.db, token)
  context.setCookies.push(writeCookie(name, '', { isSecure: parts.env.isSecure, sameSite, maxAgeSeconds: 0 }))
}
