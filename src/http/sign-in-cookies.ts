import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { cookieName, writeCookie } from '#src/http/cookies'
import { memberSessionSeconds, operatorSessionSeconds } from '#src/member/rules'
import { closeSession, type SessionKind } from '#src/member/session'
import { forgetPermissions } from '#src/narration/permissions'
import type { Parts } from '#src/parts'
import { moveDevice } from '#src/push/move-device'

const kinds = {
  member: { name: cookieNames.member, sameSite: 'Lax', maxAgeSeconds: memberSessionSeconds },
  operator: { name: cookieNames.operator, sameSite: 'Strict', maxAgeSeconds: operatorSessionSeconds },
} as const

/** Gives the browser a new session and ends the one it brought: a planted session is never signed in. */
export async function giveSession(
  parts: Parts,
  context: RequestContext,
  kind: SessionKind,
  token: string,
): Promise<void> {
  const brought = tokenOf(parts, context, kind)
  if (brought) {
    if (kind === 'member') await moveDevice(parts.db, brought, token)
    await closeSession(parts.db, brought)
  }
  setCookie(parts, context, kind, token, kinds[kind].maxAgeSeconds)
}

/** Ends the session that the browser brought, in the database, and takes its cookie away. */
export async function endSession(parts: Parts, context: RequestContext, kind: SessionKind): Promise<void> {
  const brought = tokenOf(parts, context, kind)
  if (!brought) return
  await closeSession(parts.db, brought)
  forgetPermissions()
  setCookie(parts, context, kind, '', 0)
}

/** The browser keeps a member's cookie as long as the database keeps the session: both move on with its use. */
export function keepMemberCookie(parts: Parts, context: RequestContext): void {
  const brought = tokenOf(parts, context, 'member')
  if (brought) setCookie(parts, context, 'member', brought, kinds.member.maxAgeSeconds)
}

function tokenOf({ env }: Parts, { cookies }: RequestContext, kind: SessionKind): string | undefined {
  return cookies.get(cookieName(kinds[kind].name, env.isSecure))
}

/** The last word on a cookie counts: one that was kept a moment ago may be taken away after all. */
function setCookie(
  { env }: Parts,
  context: RequestContext,
  kind: SessionKind,
  value: string,
  maxAgeSeconds: number,
): void {
  const { name, sameSite } = kinds[kind]
  const isOther = (cookie: string) => !cookie.startsWith(`${cookieName(name, env.isSecure)}=`)
  context.setCookies = context.setCookies.filter(isOther)
  context.setCookies.push(writeCookie(name, value, { isSecure: env.isSecure, sameSite, maxAgeSeconds }))
}
