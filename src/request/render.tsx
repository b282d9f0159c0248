import type { ReactNode } from 'react'
import type { Env } from '#src/env'
import { pageType, streamedHeader } from '#src/http/encoding'
import { answerOf, type ErrorAnswer } from '#src/http/errors'
import { toReadableStream } from '#src/http/readable-stream'
import { redirect } from '#src/http/redirect'
import { siteLinkPicture } from '#src/picture/rules'
import { isSignInCode } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { drawPart, renderInFrame } from '#src/request/frame'
import type { Services } from '#src/services'
import { contentPlace, frameEnd } from '#src/ui/awaited-marks'
import type { Frame, PageMeta } from '#src/ui/document'
import type { FormError } from '#src/ui/field-problem'
import { joinPieces, type Markup, type Piece, toPiece } from '#src/ui/markup'
import type { Section } from '#src/ui/navigation'
import { ErrorPage } from '#src/ui/quiet-page'
import type { Viewer } from '#src/ui/viewer'

export type Page = {
  meta: PageMeta
  section?: Section | null
  frame?: Frame
  status?: number
  body: ReactNode | Markup
}

/** Renders a page for the caller of a request. */
export async function renderPage(context: RequestContext, page: Page): Promise<Response> {
  return renderPageFor(context.services, await context.viewer(), page)
}

/** Renders a page for a viewer. Only the page cache may cache it. The pipeline encodes it. */
export function renderPageFor(
  services: Pick<Services, 'env' | 'assets'>,
  viewer: Viewer,
  page: Page,
): Response {
  return new Response(renderDocument(services, viewer, page), {
    status: page.status ?? 200,
    headers: pageHeaders,
  })
}

const pageHeaders = {
  'content-type': pageType,
  'cache-control': 'private, no-store',
  vary: 'cookie, accept-encoding',
}

/** Content that is read after the beginning of its page has been sent. */
export type AwaitedContent = {
  read: () => Promise<ReactNode>
  /** Rendered in place of the content if reading fails, since the status has been sent by then. */
  orElse: (message: string) => ReactNode
}

/** Sends a page up to its `<Awaited>` at once, and the rest when the content has been read. */
export async function streamPage(
  context: RequestContext,
  page: Page,
  { read, orElse }: AwaitedContent,
): Promise<Response> {
  const { services, id } = context
  const content = read().catch((error) => orElse(answerOf(error, services.log, id).message))
  const drawn = new TextDecoder().decode(renderDocument(services, await context.viewer(), page))
  const [frame = '', rest = ''] = drawn.split(contentPlace)
  async function* send(): AsyncGenerator<Piece> {
    yield toPiece(frame + frameEnd)
    yield joinPieces([...drawPart(services.assets.manifest, await content), toPiece(rest)])
  }
  return new Response(toReadableStream(send()), { headers: { ...pageHeaders, ...streamedHeader } })
}

function renderDocument(
  { env, assets }: Pick<Services, 'env' | 'assets'>,
  viewer: Viewer,
  page: Page,
): Piece {
  const { siteName, marketingUrl, isOperator, isDiscreet = false, hasPin = false, providers = [] } = viewer
  return renderInFrame(
    assets.manifest,
    {
      frame: page.frame ?? 'shell',
      section: page.section ?? null,
      viewer: { siteName, marketingUrl, isOperator, isMember: viewer.member !== null },
      theme: viewer.theme,
      isDiscreet,
      hasPin,
      previewSeconds: isVisitor(viewer) ? env.previewSeconds : null,
      isApp: env.keepsOffline,
      asksConsent: env.consentDefault === 'ask',
      providers,
    },
    {
      meta: withOpenGraph(env, page.meta),
      owner: viewer.owner,
      body: page.body,
      after: viewer.greeting,
    },
  )
}

/** Adds Open Graph metadata to a page for visitors that sets none itself. */
function withOpenGraph({ publicUrl, siteName }: Env, meta: PageMeta): PageMeta {
  if (meta.openGraph || meta.isIndexed === false) return meta
  const { path, alt } = siteLinkPicture(siteName)
  const image = { url: publicUrl + path, alt }
  return { ...meta, openGraph: { type: 'website', url: meta.canonicalUrl, image } }
}

/** Whether the viewer is known to be neither a member nor an operator. */
function isVisitor({ owner, isOperator }: Viewer): boolean {
  return owner === null && !isOperator
}

/**
 * Runs `work` for a posted form and redirects to the path that it returns, or sends the page that it returns. If `work`
 * refuses, `show` renders the form again, with the refusal's status. `not_found`, bugs and outages are rethrown; so is
 * the end of the caller's session, who must not see the page any more (server/sign-in-again.ts).
 */
export async function rerenderWithError(
  context: RequestContext,
  work: () => Promise<string | Response>,
  show: (error: FormError) => Promise<Response>,
): Promise<Response> {
  try {
    const done = await work()
    return typeof done === 'string' ? redirect(done) : done
  } catch (error) {
    const answer = answerOf(error, context.services.log, context.id)
    if (answer.status >= 500 || answer.status === 404 || isSignInCode(answer.code)) throw error
    const page = await show({ message: answer.message, field: answer.fields?.[0]?.path ?? null })
    return withStatusOf(answer, page)
  }
}

/** Renders an error as a page without the database, whose outage may be the cause. */
export function errorPage(context: RequestContext, answer: ErrorAnswer): Response {
  const title =
    answer.status === 404
      ? '404 Page Not Found'
      : answer.status === 503
        ? 'Back in a moment'
        : 'Something went wrong'
  const body = <ErrorPage status={answer.status} message={answer.message} requestId={context.id} />
  // The error page of an operator's route stays in the console.
  const frame = context.caller.operator && context.route?.access === 'operator' ? 'console' : 'shell'
  return refusalPage(context, answer, { meta: { title, isIndexed: false }, frame, body })
}

/**
 * Responds with a list's page; if the list cannot be loaded, with the page in its error state and status 503. Other
 * errors are rethrown.
 */
export async function orListError(
  context: RequestContext,
  page: Page,
  load: () => Promise<Response>,
): Promise<Response> {
  try {
    return await load()
  } catch (error) {
    const answer = answerOf(error, context.services.log, context.id)
    if (answer.status < 500) throw error
    return refusalPage(context, { ...answer, status: 503, retryAfterSeconds: 5 }, page)
  }
}

function refusalPage(context: RequestContext, answer: ErrorAnswer, page: Page): Response {
  return withStatusOf(answer, renderPageFor(context.services, context.viewerWithoutDatabase(), page))
}

/** Gives a page the status and the Retry-After of the refusal that it shows. */
export function withStatusOf({ status, retryAfterSeconds }: ErrorAnswer, page: Response): Response {
  if (retryAfterSeconds !== undefined) page.headers.set('retry-after', String(Math.ceil(retryAfterSeconds)))
  return new Response(page.body, { status, headers: page.headers })
}
