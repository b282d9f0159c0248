import type { Caller } from '#src/http/caller'

/** What the pipeline found out about a request before its handler runs. */
export type RequestContext = {
  id: string
  address: string
  cookies: Map<string, string>
  caller: Caller
  /** Set-Cookie values that the answer carries, whoever makes it. */
  setCookies: string[]
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
