import type { Sender } from '#src/http/address'
import type { NamedRoute } from '#src/http/route'
import type { Caller } from '#src/request/caller'
import type { Services } from '#src/services'
import type { Viewer } from '#src/ui/viewer'

/** A request, what the pipeline has found out about it, and the cookies that its response sets. */
export type RequestContext = {
  services: Services
  request: Request
  id: string
  readonly sender: Sender
  /** The cookies of the request, and those that the response sets; request/cookies.ts reads and writes them. */
  readonly cookies: Bun.CookieMap
  /** The Set-Cookie lines of the response. */
  setCookies(): string[]
  caller: Caller
  /** The route's name in the table, or the reason why there is none; for the metrics. */
  routeName: string
  /** Undefined until the route is found. */
  route?: NamedRoute
  /** The body, once it has been read and validated. */
  body?: unknown
  /** The versions in a write's If-Match header. Undefined if the write may overwrite any version. */
  seen?: readonly string[]
  /** The error that the response reports. */
  error?: unknown
  /** The viewer that a page is rendered for; looked up once per request. */
  viewer(): Promise<Viewer>
  /** The part of the viewer that needs no database, for pages that are shown while the database is unavailable. */
  viewerWithoutDatabase(): Viewer
}

const contexts = new WeakMap<Request, RequestContext>()

export function rememberContext(request: Request, context: RequestContext): void {
  contexts.set(request, context)
}

/** Returns the context that the pipeline made for a request. Throws for a request without one, which is a bug. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('This request did not pass the pipeline of createApp.')
  return context
}
