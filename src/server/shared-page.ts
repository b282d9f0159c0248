import { isCrawler } from '#src/http/crawler'
import type { NamedRoute } from '#src/http/route'
import type { RequestContext } from '#src/request/context'
import { cookieName, cookieNames, preferenceNames } from '#src/request/cookies'

/** Whether the page is the same for every sender without these cookies. */
export function isSharedPage(route: NamedRoute, { request }: RequestContext): boolean {
  if (!route.isCached || request.headers.has('authorization')) return false
  const cookies = request.headers.get('cookie')
  return cookies === null || !personalCookies[route.isCached].some((name) => cookies.includes(name))
}

/** What a shared page differs by: its address, the sender's preferences, and whether a crawler reads it. */
export function cacheKey({ request, cookies }: RequestContext, url: URL): string {
  const variant = variantCookies.map((name) => cookies.get(name) ?? '').join('|')
  return `${url.pathname}${url.search}\n${variant}\n${isCrawler(request)}`
}

/**
 * Cookies whose sender gets a page of their own. They are compared as parts of the header, so names match with and
 * without a prefix.
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
