import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import SocialWelcome from '#islands/social-welcome'
import { findFreeStoryLimit } from '#src/flag/flags'
import { takeArrival } from '#src/http/arrival'
import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { type Answer, answerOf } from '#src/http/errors'
import type { HotPages } from '#src/http/hot-pages'
import { chooseEncoding, compress, encodedBody, type KeptPage, type PageCache } from '#src/http/page-cache'
import { isCrawler } from '#src/http/visitor'
import { ownerOf } from '#src/member/owner'
import type { Parts } from '#src/parts'
import { listProviders } from '#src/social/client'
import { countFreeStoriesLeft } from '#src/story/meter'
import { Document, type Frame, type PageMeta } from '#src/ui/document'
import { Island } from '#src/ui/island'
import type { Section } from '#src/ui/navigation'
import { ErrorPage } from '#src/ui/quiet-page'
import { Shell } from '#src/ui/shell'
import type { Viewer } from '#src/ui/viewer'

export type Page = {
  meta: PageMeta
  section?: Section | null
  frame?: Frame
  status?: number
  body: ReactNode
}

/** Smaller answers are sent as they are: compressing them costs more than it saves. */
const compressedBytesMin = 1_400

/** A page as an answer: rendered, compressed where the browser takes it, never kept by anyone. */
export async function renderPage(
  parts: Parts,
  request: Request,
  viewer: Viewer,
  page: Page,
): Promise<Response> {
  const html = new TextEncoder().encode(renderDocument(parts, viewer, page))
  const encoding =
    html.byteLength < compressedBytesMin ? 'identity' : chooseEncoding(request.headers.get('accept-encoding'))
  return new Response(await compress(html, encoding), {
    status: page.status ?? 200,
    headers: pageHeaders(encoding),
  })
}

function renderDocument(parts: Parts, viewer: Viewer, page: Page): string {
  const frame = page.frame ?? 'shell'
  const inner =
    frame === 'shell' || frame === 'console' ? (
      <Shell viewer={viewer} section={page.section ?? null}>
        {page.body}
      </Shell>
    ) : (
      page.body
    )
  return `<!doctype html>${renderToString(
    <Document
      siteName={viewer.siteName}
      theme={viewer.theme}
      isDiscreet={viewer.isDiscreet}
      owner={viewer.owner}
      isApp={parts.env.keepsOffline}
      asksConsent={parts.env.consentDefault === 'ask'}
      manifest={parts.assets.manifest}
      frame={frame}
      meta={page.meta}
      providers={viewer.providers}
    >
      {inner}
      {viewer.arrival && <Island name="social-welcome" of={SocialWelcome} props={viewer.arrival} />}
    </Document>,
  )}`
}

/** Who looks at the page, as the page needs to know it. */
export async function viewerOf(parts: Parts, context: RequestContext): Promise<Viewer> {
  const { env, assets } = parts
  const { caller } = context
  return {
    siteName: env.siteName,
    marketingUrl: env.marketingUrl,
    theme: readTheme(context),
    member: caller.member && { ...caller.member, email: caller.member.email ?? '' },
    owner: pageOwner(parts, caller),
    isOperator: caller.operator !== null,
    isDiscreet: caller.isDiscreet,
    freeStoriesLeft: caller.member || caller.operator ? null : await freeStoriesLeft(parts, context),
    manifest: assets.manifest,
    providers: listProviders(env),
    arrival: takeArrival(parts, context),
  }
}

async function freeStoriesLeft(parts: Parts, { caller }: RequestContext): Promise<number> {
  const limit = await findFreeStoryLimit(parts)
  return caller.visitorId ? countFreeStoriesLeft(parts.db, caller.visitorId, limit) : limit
}

function readTheme({ cookies }: RequestContext): Viewer['theme'] {
  const theme = cookies.get(cookieNames.theme)
  return theme === 'dark' || theme === 'paper' ? theme : null
}

/** An error as a page. It needs nothing of the database: that may be what is away. */
export function errorPage(
  parts: Parts,
  request: Request,
  context: RequestContext,
  answer: Answer,
): Promise<Response> {
  const title =
    answer.status === 404
      ? '404 Page Not Found'
      : answer.status === 503
        ? 'Back in a moment'
        : 'Something went wrong'
  const body = <ErrorPage status={answer.status} message={answer.message} requestId={context.id} />
  return renderRefusal(parts, request, context, answer, { meta: { title, isIndexed: false }, body })
}

/**
 * A list that cannot be loaded: its page with the state that the specification has for it, status 503.
 * Other errors go on to where all errors go.
 */
export async function orListError(
  parts: Parts,
  request: Request,
  context: RequestContext,
  page: Page,
  load: () => Promise<Response>,
): Promise<Response> {
  try {
    return await load()
  } catch (error) {
    const answer = answerOf(error, parts.log, context.id)
    if (answer.status < 500) throw error
    return renderRefusal(parts, request, context, { ...answer, status: 503, retryAfterSeconds: 5 }, page)
  }
}

async function renderRefusal(
  parts: Parts,
  request: Request,
  context: RequestContext,
  answer: Answer,
  page: Page,
): Promise<Response> {
  const { env, assets } = parts
  const viewer: Viewer = {
    siteName: env.siteName,
    marketingUrl: env.marketingUrl,
    theme: readTheme(context),
    member: context.caller.member && { ...context.caller.member, email: context.caller.member.email ?? '' },
    owner: pageOwner(parts, context.caller),
    isOperator: context.caller.operator !== null,
    isDiscreet: context.caller.isDiscreet,
    freeStoriesLeft: null,
    manifest: assets.manifest,
  }
  const response = await renderPage(parts, request, viewer, { ...page, status: answer.status })
  if (answer.retryAfterSeconds !== undefined)
    response.headers.set('retry-after', String(Math.ceil(answer.retryAfterSeconds)))
  return response
}

/**
 * Answers from the kept pages, or has the page made and keeps it. A page that sets a cookie or fails is
 * never kept.
 */
export async function keepForVisitors(
  cache: PageCache,
  request: Request,
  url: URL,
  context: RequestContext,
  /** Those of every answer: put on at once, since a kept page is mostly headers. */
  headers: readonly [string, string][],
  hot: HotPages,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  const variant = [cookieNames.theme, cookieNames.welcome, cookieNames.age, '__Host-nocturne_age']
    .map((name) => context.cookies.get(name) ?? '')
    .join('|')
  let made: Response | null = null
  const page = await cache.find(
    `${url.pathname}${url.search}\n${variant}\n${isCrawler(request)}`,
    async () => {
      const plain = new Request(request.url, { headers: withoutEncoding(request.headers) })
      const response = await handle(plain)
      if (response.status !== 200 || context.setCookies.length > 0) {
        made = response
        return null
      }
      return { html: new Uint8Array(await response.arrayBuffer()), bodies: {} } satisfies KeptPage
    },
  )
  if (!page) return made ?? handle(request)
  const encoding = chooseEncoding(request.headers.get('accept-encoding'))
  const body = await encodedBody(page, encoding)
  const kept = keptHeaders(headers, encoding)
  hot.keep(request, body, kept)
  return new Response(body, { headers: kept })
}

/** Made once for each encoding: writing a dozen headers takes longer than finding the page. */
const headersOfEncoding = new WeakMap<object, Map<string, Headers>>()

function keptHeaders(headers: readonly [string, string][], encoding: string): Headers {
  const known = headersOfEncoding.get(headers) ?? new Map<string, Headers>()
  headersOfEncoding.set(headers, known)
  const made = known.get(encoding) ?? new Headers([...headers, ...Object.entries(pageHeaders(encoding))])
  known.set(encoding, made)
  return made
}

function withoutEncoding(headers: Headers): Headers {
  const copy = new Headers(headers)
  copy.delete('accept-encoding')
  return copy
}

function pageHeaders(encoding: string): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'cookie, accept-encoding',
  }
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  return headers
}

/** Behind a PIN a page says neither whose it is nor that it is a visitor's: what this browser keeps would be deleted. */
function pageOwner({ secrets }: Parts, { member, locked }: RequestContext['caller']): Viewer['owner'] {
  return locked ? undefined : ownerOf(secrets, member)
}
