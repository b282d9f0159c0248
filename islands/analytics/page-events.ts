import { track } from '#islands/listening/track-event'
import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { listen } from '#islands/runtime/events'

const searchName = 'nocturne.search'

/** Reports each page view, after a load or a soft navigation, and the search whose results the page shows. */
export function startPageEvents(): void {
  trackPage()
  listen('nocturne:navigated', ({ isTyped }) => isTyped || trackPage())
  listen('nocturne:searched', trackSearch)
}

function trackPage(): void {
  track('page_view', { contentType: 'page', data: { path: location.pathname } })
  trackSearch()
}

function trackSearch(): void {
  const found = document.querySelector<HTMLElement>('main [data-results]')
  const query = found?.dataset.search ?? ''
  // The same search in another category, or on a reload, is not counted twice.
  if (query && query !== readStored('sessionStorage', searchName)) {
    const resultsCount = Number(found?.dataset.results ?? 0)
    track('search_performed', { contentType: 'search', data: { query: query.slice(0, 200), resultsCount } })
  }
  if (found) writeStored('sessionStorage', searchName, query || null)
}
