import type { AnyElysia } from 'elysia'
import type { TObject, TSchema } from 'typebox'
import { ageGate } from '#src/age/pages'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { senderReader } from '#src/http/address'
import { openToAnyOrigin, respondPreflight } from '#src/http/any-origin'
import { encodeAnswer, isData, isPage } from '#src/http/encoding'
import { readSeen } from '#src/http/entity-tag'
import { guardContentType, guardCrossSite, guardQuery, hostGuard } from '#src/http/guards'
import { requestIdHeader, securityHeaders } from '#src/http/headers'
import { createPageCache } from '#src/http/page-cache'
import { guardBodyLength, readBody } from '#src/http/read-body'
import type { NamedRoute } from '#src/http/route'
import { pinGate } from '#src/member/pin/pin-pages'
import { extendUnlockCookie } from '#src/member/pin/unlock-cookie'
import { respondKnownAudio } from '#src/narration/playback/respond-audio'
import { noteRequest } from '#src/process/request-activity'
import { withTrace } from '#src/process/trace'
import { requireAccess } from '#src/request/caller'
import { type RequestContext, rememberContext } from '#src/request/context'
import { syncDiscreetCookie } from '#src/request/discreet-cookie'
import type { Services } from '#src/services'
import { clearPermissions } from '#src/session/audio-permissions'
import { extendSessionCookie } from '#src/session/session-cookies'
import { onLibraryChange } from '#src/story/library-changed'
import { answerError } from './answer-error'
import { encodeData } from './encode-data'
import { findCaller } from './find-caller'
import { audioRoute, findRoute } from './find-route'
import { answerOnce } from './idempotent-call'
import { type Answered, answerNotes } from './note-answer'
import { createContext, openTrace } from './request-context'
import { cacheKey, isSharedCaller, isSharedPage } from './shared-page'
import { untrustedProxyNotes } from './untrusted-proxy'

export type App = {
  /** Answers a request. `peer` is the address of the other end of the connection. */
  fetch(request: Request, peer?: string): Response | Promise<Response>
}

/**
 * The steps of every request. `fetch` assigns an id, a log line and a measured time, and answers at once what it has
 * just answered the same sender: a cached page, or a narration whose permission is cached. `dispatch` answers assets
 * and cached pages. `guard` refuses requests that nobody may send. `handle` finds the caller, applies access and gates,
 * reads the body and calls the router. `finish` adds encoding, headers and cookies.
 */
export function createPipeline(services: Services, router: AnyElysia): App {
  const { env } = services
  const pageCache = createPageCache()
  onLibraryChange(services.db, pageCache.clear)
  onLibraryChange(services.db, clearPermissions)
  const guardHost = hostGuard(env)
  const readSender = senderReader(env)
  const noteUntrustedProxy = untrustedProxyNotes(services)
  const noteAnswer = answerNotes(services)
  const handle = routeHandler(router)
  const secured = securer(env)

  return {
    fetch(request, peer = '127.0.0.1') {
      noteRequest(request.url)
      const startedAt = performance.now()
      const trace = openTrace(request)
      return withTrace(trace, () => {
        const id = trace.requestId ?? ''
        const noted = (answered: Answered) => noteAnswer({ trace, request, startedAt }, answered)
        const recalled = pageCache.recall(request, id)
        if (recalled) return noted({ response: recalled, route: 'page cache' })
        const known = respondKnownAudio(services.storage, request)
        if (known instanceof Response) return noted(knownAudio(known, id))
        const answered = async () => {
          const audio = await known
          return audio ? knownAudio(audio, id) : respond(request, id, peer)
        }
        return answered().then(noted)
      })
    },
  }

  function knownAudio(audio: Response, id: string): Answered {
    const response = secured(audio)
    response.headers.set(requestIdHeader, id)
    return { response, route: audioRoute }
  }

  async function respond(request: Request, id: string, peer: string): Promise<Answered> {
    const context = createContext(services, request, id, () => readSender(request, peer))
    const answer = await dispatch(context).catch((error) => answerError(context, error))
    return { response: await finish(context, answer, secured), route: context.routeName }
  }

  async function dispatch(context: RequestContext): Promise<Response> {
    const { request } = context
    guardHost(request)
    const { untrustedProxy } = context.sender
    if (untrustedProxy !== null) noteUntrustedProxy(untrustedProxy)
    const url = new URL(request.url)
    const asset = respondAsset(context, url)
    if (asset) return asset
    const route = guard(request, url, env)
    context.routeName = route.name
    context.route = route
    if (route.isForAnyOrigin)
      return request.method === 'OPTIONS' ? respondPreflight() : router.handle(asRouted(context))
    return isSharedPage(route, context) ? respondCached(context, route, url) : handle(context, route)
  }

  function respondCached(context: RequestContext, route: NamedRoute, url: URL): Promise<Response> {
    return pageCache.answer(context.request, cacheKey(context, url), async () => {
      const response = await handle(context, route)
      const isShared = isSharedCaller(route, context.caller) && context.setCookies().length === 0
      const isCacheable = isShared && response.status === 200 && isPage(response)
      return { response: isCacheable ? secured(response) : response, isCacheable }
    })
  }
}

/** Answers with a file of the build, or null if the address is not that of one. */
function respondAsset(context: RequestContext, { pathname }: URL): Response | null {
  if (!pathname.startsWith('/assets/')) return null
  const accepted = context.request.headers.get('accept-encoding')
  const asset = context.services.assets.respond(pathname.slice(8), accepted)
  if (asset) context.routeName = 'asset'
  return asset
}

/** Finds the route of a request. Throws for requests that are refused whoever sends them. */
function guard(request: Request, url: URL, env: Env): NamedRoute {
  const { route, isElsewhere } = findRoute(request.method, url.pathname)
  if (!route)
    throw isElsewhere
      ? new AppError('forbidden', `${request.method} is not allowed at this address.`)
      : new AppError('not_found', 'There is nothing at this address.')
  if (!route.isCrossSite) guardCrossSite(request, env)
  guardContentType(request, route)
  guardBodyLength(request, route)
  return route
}

/** Finds the caller, refuses callers that the route or a gate excludes, and passes the request to the router. */
function routeHandler(router: AnyElysia) {
  const shapes = new Map<string, { body?: TSchema; query?: TObject }>(
    router.routes.map(({ method, path, hooks }) => [`${method} ${path}`, hooks]),
  )
  return async (context: RequestContext, route: NamedRoute): Promise<Response> => {
    const { request } = context
    context.caller = await findCaller(context)
    if (context.caller.isExtended) extendSessionCookie(context)
    extendUnlockCookie(context)
    syncDiscreetCookie(context)
    requireAccess(route.access, context.caller)
    const shape = shapes.get(route.name)
    guardQuery(request, route, shape?.query)
    const gate = route.kind === 'page' && (pinGate(context) ?? ageGate(context))
    if (gate) return gate
    context.seen = readSeen(request, route)
    context.body = await readBody(request, route, shape?.body)
    const answer = async () => router.handle(asRouted(context))
    return route.isIdempotent ? answerOnce(context, answer) : answer()
  }
}

/** Adds what all answers share: encoding, the security headers, cookies. */
async function finish(
  context: RequestContext,
  answer: Response,
  secured: (response: Response) => Response,
): Promise<Response> {
  const accepted = context.request.headers.get('accept-encoding')
  // Only pages and data are awaited: every `await` of an answer costs a turn of the event loop.
  const response = secured(
    isPage(answer)
      ? await encodeAnswer(answer, accepted)
      : isData(answer)
        ? await encodeData(context, answer)
        : answer,
  )
  if (context.route?.isForAnyOrigin) openToAnyOrigin(response)
  response.headers.set(requestIdHeader, context.id)
  const cookies = context.setCookies()
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  // A shared cache may give a stored cookie to others: https://www.rfc-editor.org/rfc/rfc9111#section-7.3
  const isPrivate = response.headers.get('cache-control')?.startsWith('private')
  if (cookies.length > 0 && !isPrivate) response.headers.set('cache-control', unstored)
  return response
}

const unstored = 'private, no-store'

/** Sets the security headers. Pages of the page cache already have them. */
function securer(env: Env) {
  const headers = securityHeaders(env)
  return (response: Response): Response => {
    if (response.headers.has('content-security-policy')) return response
    for (const [name, value] of headers) response.headers.set(name, value)
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', unstored)
    return response
  }
}

/**
 * The request as the router receives it, which finds the body in the context. For the router and all later steps a HEAD
 * is a GET: length, encoding and entity tag are those of the body, which Bun then does not send.
 */
function asRouted(context: RequestContext): Request {
  const { url, method, headers } = context.request
  const isHead = method === 'HEAD'
  if (context.body === undefined && !isHead) return context.request
  const bare = new Request(url, { method: isHead ? 'GET' : method, headers })
  rememberContext(bare, context)
  return bare
}
