import { emit, type VisitRequest } from '#islands/runtime/events'

/** Goes to a page of this site without ending playback. Resolves when the page is shown. */
export function visit(url: string): Promise<void> {
  return request({ url })
}

/** Fetches and shows the current page again, after signing in or after a change. Keeps the scroll position. */
export function reload(): Promise<void> {
  return request({ url: location.href, isReload: true })
}

/** Sends the request to the loader as an event, because islands are separate bundles and share no variables with it. */
function request(request: VisitRequest): Promise<void> {
  emit('nocturne:visit', request)
  if (!request.done) location.assign(request.url)
  return request.done ?? Promise.resolve()
}
