import { memberSessionSeconds } from '#src/member/rules'
import type { RequestContext } from '#src/request/context'
import { clearCookie, cookieNames, readCookie, writeCookie } from '#src/request/cookies'

/**
 * Whether the pages of this request use neutral titles and icons: by the member's setting, or by this browser's cookie
 * if the setting cannot be read because the database is unavailable.
 */
export function isDiscreet(context: RequestContext): boolean {
  if (context.caller.sid) return context.caller.isDiscreet
  return isMarked(context) && readCookie(context, cookieNames.member) !== null
}

/** Makes the cookie mirror the setting. It is deleted with the session, and when a visitor sends it. */
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
