import { type AnyElysia, Elysia } from 'elysia'
import { analyticsApi } from '#src/analytics/api'
import { analyticsConsole } from '#src/analytics/console'
import { betaApi } from '#src/beta/api'
import { betaPages } from '#src/beta/pages'
import { challengeApi } from '#src/challenge/api'
import { challengeConsole } from '#src/challenge/console'
import { challengePages } from '#src/challenge/pages'
import { creationApi } from '#src/creation/api'
import { creationPages } from '#src/creation/pages'
import { exampleApi } from '#src/example/api'
import { feedApi } from '#src/feed/api'
import { feedPages } from '#src/feed/pages'
import { flagApi } from '#src/flag/api'
import { flagConsole } from '#src/flag/console'
import { guidelineApi } from '#src/guideline/api'
import { guidelineConsole } from '#src/guideline/console'
import { homePages } from '#src/home/pages'
import { ageGate, agePages } from '#src/http/age'
import { apiDocs } from '#src/http/api-docs'
import { addressReader, type Caller, cookieNames, findCaller, requireAccess } from '#src/http/caller'
import { contextOf, type RequestContext, rememberContext } from '#src/http/context'
import { cookieName, readCookies } from '#src/http/cookies'
import { answerOf, errorResponse } from '#src/http/errors'
import { findRoute } from '#src/http/find-route'
import { guardContentType, guardCrossSite, hostGuard, limitBody } from '#src/http/guards'
import { securityHeaders } from '#src/http/headers'
import { healthRoutes } from '#src/http/health'
import { createHotPages } from '#src/http/hot-pages'
import { countRequest } from '#src/http/metrics'
import { createPageCache } from '#src/http/page-cache'
import { errorPage, keepForVisitors } from '#src/http/render'
import { type Route, routes } from '#src/http/routes'
import { keepMemberCookie } from '#src/http/sign-in-cookies'
import { importApi } from '#src/import/api'
import { importDraftApi } from '#src/import/draft/api'
import { jobApi } from '#src/job/api'
import { jobConsole } from '#src/job/console'
import { listeningApi } from '#src/listening/api'
import { accountApi } from '#src/member/account-api'
import { memberApi } from '#src/member/api'
import { memberConsole } from '#src/member/console'
import { keepOpen } from '#src/member/open-cookie'
import { memberOperatorApi } from '#src/member/operator-api'
import { memberPages } from '#src/member/pages'
import { pinGate, pinPages } from '#src/member/pin-pages'
import { recoveryApi } from '#src/member/recovery-api'
import { recoveryPages } from '#src/member/recovery-pages'
import { settingsPages } from '#src/member/settings-pages'
import { modelApi } from '#src/model/api'
import { modelConsole } from '#src/model/console'
import { moderationApi } from '#src/moderation/api'
import { moderationConsole } from '#src/moderation/console'
import { moderationPages } from '#src/moderation/pages'
import { narrationApi } from '#src/narration/api'
import { voiceLab } from '#src/narration/console'
import { respondKnownAudio } from '#src/narration/respond-audio'
import { voiceApi } from '#src/narration/voice-api'
import { offlineApi } from '#src/offline/api'
import { offlinePages } from '#src/offline/pages'
import { operatorApi } from '#src/operator/api'
import { auditApi } from '#src/operator/audit-api'
import { auditConsole } from '#src/operator/audit-console'
import { operatorConsole } from '#src/operator/console'
import type { Parts } from '#src/parts'
import { passkeyApi } from '#src/passkey/api'
import { Refusal } from '#src/refusal'
import { scriptApi } from '#src/script/api'
import { studioConsole } from '#src/script/console'
import { shelfApi } from '#src/shelf/api'
import { shelfPages } from '#src/shelf/pages'
import { sitePages } from '#src/site/pages'
import { socialApi } from '#src/social/api'
import { storyApi } from '#src/story/api'
import { libraryConsole } from '#src/story/console'
import { onLibraryChange } from '#src/story/library-changed'
import { operatorStoryApi } from '#src/story/operator-api'
import { storyPages } from '#src/story/pages'
import { trendingApi } from '#src/trending/api'
import { trendingPages } from '#src/trending/pages'
import { voteApi } from '#src/vote/api'
import { votePages } from '#src/vote/pages'

export type App = {
  /** Answers a request. `peer` is the address at the other end of the connection. */
  fetch(request: Request, peer?: string): Response | Promise<Response>
}

/**
 * Puts the program together: every noun is mounted here, and every request passes the steps of `answer`
 * below. Tests call it with a `Request`.
 */
export function createApp(parts: Parts): App {
  // Elysia's own way of dropping unknown fields copies whatever has a length as a list: {"length": 4e9} kept it
  // busy for a minute (measured).
  const router: AnyElysia = new Elysia({ aot: true, normalize: 'typebox' })
    .onError(({ error, request }) => answerError(parts, error, request, contextOf(request)))
    .use(storyApi(parts))
    .use(operatorStoryApi(parts))
    .use(narrationApi(parts))
    .use(scriptApi(parts))
    .use(studioConsole(parts))
    .use(voiceApi(parts))
    .use(voiceLab(parts))
    .use(jobApi(parts))
    .use(jobConsole(parts))
    .use(challengeConsole(parts))
    .use(memberApi(parts))
    .use(recoveryApi(parts))
    .use(socialApi(parts))
    .use(passkeyApi(parts))
    .use(offlineApi(parts))
    .use(memberOperatorApi(parts))
    .use(accountApi(parts))
    .use(shelfApi(parts))
    .use(creationApi(parts))
    .use(listeningApi(parts))
    .use(analyticsApi(parts))
    .use(betaApi(parts))
    .use(operatorApi(parts))
    .use(auditApi(parts))
    .use(auditConsole(parts))
    .use(operatorConsole(parts))
    .use(libraryConsole(parts))
    .use(analyticsConsole(parts))
    .use(importApi(parts))
    .use(trendingApi(parts))
    .use(voteApi(parts))
    .use(votePages(parts))
    .use(flagApi(parts))
    .use(flagConsole(parts))
    .use(importDraftApi(parts))
    .use(guidelineApi(parts))
    .use(guidelineConsole(parts))
    .use(moderationApi(parts))
    .use(moderationPages(parts))
    .use(moderationConsole(parts))
    .use(modelApi(parts))
    .use(modelConsole(parts))
    .use(exampleApi(parts))
    .use(feedApi(parts))
    .use(feedPages(parts))
    .use(challengeApi(parts))
    .use(storyPages(parts))
    .use(trendingPages(parts))
    .use(homePages(parts))
    .use(memberPages(parts))
    .use(pinPages(parts))
    .use(recoveryPages(parts))
    .use(memberConsole(parts))
    .use(settingsPages(parts))
    .use(betaPages(parts))
    .use(shelfPages(parts))
    .use(challengePages(parts))
    .use(creationPages(parts))
    .use(sitePages(parts))
    .use(offlinePages(parts))
    .use(agePages(parts))
    .use(healthRoutes(parts))
    .use(apiDocs(parts, () => router))
  checkMounted(router.routes)

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

async function answerError(
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

/** The table of routes and what is mounted are the same, or the program does not start. */
function checkMounted(mounted: readonly { method: string; path: string }[]): void {
  const names = new Set(mounted.map(({ method, path }) => `${method} ${path}`))
  const missing = Object.keys(routes).filter((name) => !names.has(name))
  const unlisted = [...names].filter((name) => !(name in routes))
  if (missing.length + unlisted.length > 0) {
    throw new Error(
      `src/http/routes.ts and the mounted routes differ. Not mounted: ${missing.join(', ') || 'none'}. Not in the table: ${unlisted.join(', ') || 'none'}.`,
    )
  }
}

const bootId = Math.random().toString(36).slice(2, 8)
let requests = 0

function nextRequestId(): string {
  requests += 1
  return `${bootId}-${requests.toString(36)}`
}
