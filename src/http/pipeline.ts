import type { AnyElysia } from 'elysia'
import { ageGate } from '#src/http/age'
import { addressReader, type Caller, cookieNames, findCaller, requireAccess } from '#src/http/caller'
import { type RequestContext, rememberContext } from '#src/http/context'
import { cookieName, readCookies } from '#src/http/cookies'
import { answerOf, errorResponse } from '#src/http/errors'
import { findRoute } from '#src/http/find-route'
import { guardContentType, guardCrossSite, hostGuard, limitBody } from '#src/http/guards'
import { securityHeaders } from '#src/http/headers'
import { createHotPages } from '#src/http/hot-pages'
import { countRequest } from '#src/http/metrics'
import { createPageCache } from '#src/http/page-cache'
import { errorPage, keepForVisitors } from '#src/http/render'
import type { Route } from '#src/http/routes'
import { keepMemberCookie } from '#src/http/sign-in-cookies'
import { keepOpen } from '#src/member/open-cookie'
import { pinGate } from '#src/member/pin-pages'
import { respondKnownAudio } from '#src/narration/respond-audio'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { onLibraryChange } from '#src/story/library-changed'

export type App = {
  /** Answers a request. `peer` is the address at the other end of the connection. */
  fetch(request: Request, peer?: string): Response | Promise<Response>
}

/**
 * The way of a request through the program: its steps are those of `answer`, in their order. `router` answers what
 * has passed them.
 */
export function createPipeline(parts: Parts, router: AnyElysia): App {
  const cache = createPageCache()
  const hot = createHotPages()
  onLibraryChange(parts.db, () => {
    cache.clear()
    hot.clear()
  })
  const guardHost = hostGuard(parts.env)
  const readAddress = addressReader(parts.env)
  const headers = securityHeaders(parts.env)

  /** The steps of every request, in their order. */
  async function answer(request: Request, context: RequestContext): Promise<Response> {
    guardHost(request)
    const url = new URL(request.url)
    const asset = url.pathname.startsWith('/assets/')
      ? parts.assets.respond(url.pathname.slice(8), request.headers.get('accept-encoding'))
      : null
    if (asset) return asset

    const { route, isElsewhere } = findRoute(request.method, url.pathname)
    if (!route)
      throw isElsewhere
        ? new Refusal('forbidden', `${request.method} is not taken at this address.`)
        : new Refusal('not_found', 'There is nothing at this address.')
    if (!route.isCrossSite) guardCrossSite(request, parts.env)
    guardContentType(request, route)

    const handle = async (handled: Request) => {
      rememberContext(handled, context)
      context.caller = await findCaller(parts, handled, context.cookies, context.address)
      if (context.caller.isExtended) keepMemberCookie(parts, context)
      keepOpen(parts, context)
      requireAccess(route.access, context.caller)
      const gate =
        route.kind === 'page' && (pinGate(parts, handled, context) ?? ageGate(parts, handled, context))
      return gate || router.handle(handled)
    }
    if (isKept(route, request, context))
      return keepForVisitors(cache, request, url, context, headers, hot, handle)
    return handle(await limitBody(request, route))
  }

  /** A page that is the same for everyone who brings none of these cookies. */
  function isKept(route: Route, request: Request, context: RequestContext): boolean {
    if (!route.isKept || request.method !== 'GET' || request.headers.has('authorization')) return false
    const names = [
      cookieNames.member,
      cookieNames.operator,
      ...(route.isKept === 'newcomers' ? [cookieNames.visitor] : []),
    ]
    return names.every((name) => !context.cookies.has(cookieName(name, parts.env.isSecure)))
  }

  return {
    fetch(request, peer = '127.0.0.1') {
      const audio = respondKnownAudio(parts, request)
      if (audio instanceof Response) return count(secured(audio))
      if (audio)
        return audio.then(
          (response) => count(secured(response)),
          () => pass(request, peer),
        )
      const page = hot.find(request)
      return page ? count(page) : pass(request, peer)
    },
  }

  function count(response: Response): Response {
    countRequest('GET', response.status, 0)
    return response
  }

  /** What answers have in common; kept pages and audio were made with it. */
  function secured(response: Response): Response {
    if (response.headers.has('content-security-policy')) return response
    for (const [name, value] of headers) response.headers.set(name, value)
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store')
    return response
  }

  async function pass(request: Request, peer: string): Promise<Response> {
    const startedAt = performance.now()
    const context: RequestContext = {
      id: nextRequestId(),
      address: readAddress(request, peer),
      cookies: readCookies(request.headers.get('cookie')),
      caller: nobody,
      setCookies: [],
    }
    rememberContext(request, context)
    const response = await answer(request, context).catch((error) =>
      answerError(parts, error, request, context),
    )
    secured(response)
    response.headers.set('x-request-id', context.id)
    for (const cookie of context.setCookies) response.headers.append('set-cookie', cookie)
    const durationMs = performance.now() - startedAt
    countRequest(request.method, response.status, durationMs)
    parts.log.debug('request', {
      requestId: context.id,
      method: request.method,
      status: response.status,
      durationMs,
    })
    return response
  }
}

const nobody: Caller = {
  member: null,
  operator: null,
  sid: null,
  isExtended: false,
  visitorId: null,
  addressHash: '',
  neverShown: null,
  isDiscreet: false,
  locked: null,
  hasPin: false,
}

/** The page or the JSON of an error, wherever it came up. */
export async function answerError(
  parts: Parts,
  error: unknown,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const answer = answerOf(error, parts.log, context.id)
  const isPage =
    !URL.parse(request.url)?.pathname.startsWith('/api/') &&
    request.headers.get('accept')?.includes('text/html')
  return isPage ? errorPage(parts, request, context, answer) : errorResponse(answer, context.id)
}

const bootId = Math.random().toString(36).slice(2, 8)
let requests = 0

function nextRequestId(): string {
  requests += 1
  return `${bootId}-${requests.toString(36)}`
}
