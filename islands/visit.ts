import { emit, type VisitRequest } from '#islands/events'

/** Goes to a page of ours and keeps the player. Resolves when the page is there. */
export function visit(url: string): Promise<void> {
  return ask({ url })
}

/** Fetches this page again and puts it in place: after signing in, after a change. Keeps the scroll position. */
export function reload(): Promise<void> {
  return ask({ url: location.href, isReload: true })
}

/** The loader does it: islands are bundles of their own and share no variables with it. */
function ask(request: VisitRequest): Promise<void> {
  emit('nocturne:visit', request)
  if (!request.done) location.assign(request.url)
  return request.done ?? Promise.resolve()
}
