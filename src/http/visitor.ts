import { newId } from '#db/columns'
import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { sign, writeCookie } from '#src/http/cookies'
import type { Parts } from '#src/parts'

const visitorCookieSeconds = 365 * 24 * 3_600

/** The visitor's functional id; a newcomer is given one with the answer. It follows nobody elsewhere. */
export function giveVisitorId(parts: Parts, context: RequestContext): string {
  if (context.caller.visitorId) return context.caller.visitorId
  const id = newId()
  context.caller = { ...context.caller, visitorId: id }
  const value = sign(parts.secrets.session, cookieNames.visitor, id)
  context.setCookies.push(
    writeCookie(cookieNames.visitor, value, {
      isSecure: parts.env.isSecure,
      maxAgeSeconds: visitorCookieSeconds,
    }),
  )
  return id
}

/** Search engines and link previews that say who they are: they get previews, and no gate. */
export function isCrawler(request: Request): boolean {
  return /googlebot|bingbot|duckduckbot|applebot|yandexbot|baiduspider|slurp|facebookexternalhit|twitterbot|linkedinbot|whatsapp|telegrambot|discordbot|slackbot|mastodon|bluesky/i.test(
    request.headers.get('user-agent') ?? '',
  )
}
