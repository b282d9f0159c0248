import { isCrawler } from '#src/http/crawler'
import type { NamedRoute } from '#src/http/route'
import type { RequestContext } from '#src/request/context'
import { cookieName, cookieNames, preferenceNames } from '#src/request/cookies'

/** Whether every sender without these cookies gets the same page. */
export function isSharedPage(route: NamedRoute, { request }: RequestContext): boolean {
  if (!route.isCached || request.headers.has('authorization')) return false
  const cookies = request.headers.get('cookie')
  return cookies === null || !personalCookies[route.isCached].some((name) => cookies.includes(name))
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
