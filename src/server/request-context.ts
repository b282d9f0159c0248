import type { Sender } from '#src/http/address'
import { requestIdHeader } from '#src/http/headers'
import type { NamedRoute } from '#src/http/route'
import { Trace } from '#src/process/trace'
import { nobody } from '#src/request/caller'
import { type RequestContext, rememberContext } from '#src/request/context'
import type { Services } from '#src/services'
import type { Viewer } from '#src/ui/viewer'
import { findViewer, viewerWithoutDatabase } from './viewer'

/** Creates the context of a request. The sender and the cookies are read on first use. */
export function createContext(
  services: Services,
  request: Request,
  id: string,
  readSender: () => Sender,
): RequestContext {
  const context = new Context(services, request, id, readSender)
  rememberContext(request, context)
  return context
}

/**
 * A class, because a context is created for every request: an object literal would create its getters and methods each
 * time.
 */
class Context implements RequestContext {
  caller = nobody
  routeName = 'none'
  route?: NamedRoute
  body?: unknown
  seen?: readonly string[]
  #sender?: Sender
  #cookies?: Bun.CookieMap
  #viewer?: Promise<Viewer>

  constructor(
    readonly services: Services,
    readonly request: Request,
    readonly id: string,
    private readonly readSender: () => Sender,
  ) {}

  get sender() {
    this.#sender ??= this.readSender()
    return this.#sender
  }
  get cookies() {
    this.#cookies ??= new Bun.CookieMap(this.request.headers.get('cookie') ?? '')
    return this.#cookies
  }
  /** If cookies were never used, none was set either. */
  setCookies() {
    return this.#cookies?.toSetCookieHeaders() ?? []
  }
  viewer() {
    this.#viewer ??= findViewer(this)
    return this.#viewer
  }
  viewerWithoutDatabase() {
    return viewerWithoutDatabase(this)
  }
}

/** Opens the trace of a request. The sender may choose its id, in characters that are safe in a log. */
export function openTrace({ headers }: Request): Trace {
  const given = headers.get(requestIdHeader)
  const id = given !== null && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : nextRequestId()
  return new Trace(id, headers.get('traceparent'))
}

const bootId = Math.random().toString(36).slice(2, 8)
let requests = 0

/** An id that is unique within this process. Its first part identifies the start of the process. */
function nextRequestId(): string {
  requests += 1
  return `${bootId}-${requests.toString(36)}`
}
