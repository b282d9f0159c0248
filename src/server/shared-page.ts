import { isCrawler } from '#src/http/crawler'
import type { NamedRoute } from '#src/http/route'
import type { Caller } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { cookieName, cookieNames, preferenceNames } from '#src/request/cookies'

/** Whether every sender without these cookies gets the same page. */
export function isSharedPage(route: NamedRoute, { request }: RequestContext): boolean {
  if (!route.isCached || request.headers.has('authorization')) return false
  const cookies = request.headers.get('cookie')
  return cookies === null || !personalCookies[route.isCached].some((name) => cookies.includes(name))
}

/**
 * Whether the caller of a shared page is one who gets the same page as everybody. `isSharedPage` searches the header,
 * and the caller is found by the parsed cookies, whose names a runtime may decode.
 */
export function isSharedCaller(
  { isCached }: Pick<NamedRoute, 'isCached'>,
  { sid, operator, visitorId }: Pick<Caller, 'sid' | 'operator' | 'visitorId'>,
): boolean {
  return sid === null && operator === null && (isCached === 'visitors' || visitorId === null)
}

/** The key of a shared page: its address, the sender's preferences, and whether a crawler reads it. */
export function cacheKey({ request, cookies }: RequestContext, url: URL): string {
  const variant = variantCookies.map((name) => cookies.get(name) ?? '').join('|')
  return `${url.pathname}${url.search}\n${variant}\n${isCrawler(request)}`
}

/**
 * Cookies whose sender gets a personal page. They are searched for in the header, so that names match with and without
 * a prefix.
 */
const personalCookies = {
  visitors: [cookieNames.member, cookieNames.operator],
  newcomers: [cookieNames.member, cookieNames.operator, cookieNames.visitor],
}

/** Cookies that change a visitor's page. */
const variantCookies = [
  ...Object.values(preferenceNames),
  ...[true, false].map((isSecure) => cookieName(cookieNames.age, { isSecure })),
]
