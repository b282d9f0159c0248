import type { Sender } from '#src/http/address'
import { requestIdHeader } from '#src/http/headers'
import type { NamedRoute } from '#src/http/route'
import { Trace } from '#src/process/trace'
import { nobody } from '#src/request/caller'
import { type RequestContext, rememberContext } from '#src/request/context'
import type { Services } from '#src/services'
import type { Viewer } from '#src/ui/viewer'
import { findViewer, viewerWithoutDatabase } from './viewer'

/** Creates the context of a request. Its sender and its cookies are read on first use. */
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

/** A class, since one is made for every request: an object literal would make its getters and methods each time. */
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
  /** Without a first use nothing was set either. */
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

/** The trace of a request: whoever sent it may have named it, in characters that are safe in a log. */
export function openTrace({ headers }: Request): Trace {
  const given = headers.get(requestIdHeader)
  const id = given !== null && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : nextRequestId()
  return new Trace(id, headers.get('traceparent'))
}

const bootId = Math.random().toString(36).slice(2, 8)
let requests = 0

/** Unique to this process and, by its first part, to its start. */
function nextRequestId(): string {
  requests += 1
  return `${bootId}-${requests.toString(36)}`
}
