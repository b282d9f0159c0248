import { emit, type VisitRequest } from '#islands/runtime/events'

/** Goes to a page of ours without ending playback. Resolves when the page is shown. */
export function visit(url: string): Promise<void> {
  return request({ url })
}

/** Fetches this page again and puts it in place: after signing in, after a change. Keeps the scroll position. */
export function reload(): Promise<void> {
  return request({ url: location.href, isReload: true })
}

/** By an event to the loader: islands are bundles of their own and share no variables with it. */
function request(request: VisitRequest): Promise<void> {
  emit('nocturne:visit', request)
  if (!request.done) location.assign(request.url)
  return request.done ?? Promise.resolve()
}
