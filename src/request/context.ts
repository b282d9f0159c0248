import type { Sender } from '#src/http/address'
import type { NamedRoute } from '#src/http/route'
import type { Caller } from '#src/request/caller'
import type { Services } from '#src/services'
import type { Viewer } from '#src/ui/viewer'

/** A request, what the pipeline knows about it, and the cookies that its answer sets. */
export type RequestContext = {
  services: Services
  request: Request
  id: string
  readonly sender: Sender
  /** Cookies of the request, and those that the answer sets; request/cookies.ts reads and writes them. */
  readonly cookies: Bun.CookieMap
  /** The Set-Cookie lines of the answer. */
  setCookies(): string[]
  caller: Caller
  /** The route's line in the table, or the reason why there is none: for the metrics. */
  routeName: string
  /** Undefined until it is found. */
  route?: NamedRoute
  /** The body, once it is read and validated. */
  body?: unknown
  /** Of a write: the versions that its sender has seen (If-Match). Undefined where any may be overwritten. */
  seen?: readonly string[]
  /** The error that is answered. */
  error?: unknown
  /** For whom a page is drawn; looked up once a request. */
  viewer(): Promise<Viewer>
  /** The part of the viewer that needs no database, for pages that are shown while the database is away. */
  viewerWithoutDatabase(): Viewer
}

const contexts = new WeakMap<Request, RequestContext>()

export function rememberContext(request: Request, context: RequestContext): void {
  contexts.set(request, context)
}

/** The context of a request of the pipeline; a request from anywhere else is a bug. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('This request did not pass the pipeline of createApp.')
  return context
}
