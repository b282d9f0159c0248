import { memberSessionSeconds } from '#src/member/rules'
import type { RequestContext } from '#src/request/context'
import { clearCookie, cookieNames, readCookie, writeCookie } from '#src/request/cookies'

/**
 * Whether the pages of this request use neutral titles and icons: by the member's setting, or by this browser's cookie
 * where the setting cannot be read (the database is away).
 */
export function isDiscreet(context: RequestContext): boolean {
  if (context.caller.sid) return context.caller.isDiscreet
  return isMarked(context) && readCookie(context, cookieNames.member) !== null
}

/** The cookie mirrors the setting: it is deleted with the session, and for a visitor who sends it. */
export function syncDiscreetCookie(context: RequestContext): void {
  const { caller } = context
  const isWished = caller.sid !== null && caller.isDiscreet
  if (isMarked(context) === isWished) return
  if (isWished) writeCookie(context, cookieNames.discreet, 'on', { maxAgeSeconds: memberSessionSeconds })
  else clearCookie(context, cookieNames.discreet)
}

function isMarked(context: RequestContext): boolean {
  return readCookie(context, cookieNames.discreet) !== null
}
