import { keepStored, readStored } from '#islands/browser-storage'
import { listen } from '#islands/events'
import { track } from '#islands/track-event'

const searchName = 'nocturne.search'

/** Tells of each page that comes, in full or softly, and of the search that it answers. */
export function startPageEvents(): void {
  tellOfPage()
  listen('nocturne:navigated', tellOfPage)
}

function tellOfPage(): void {
  track('page_view', { contentType: 'page', data: { path: location.pathname } })
  const found = document.querySelector<HTMLElement>('main [data-results]')
  const query = found?.dataset.search ?? ''
  // The same search with another category, or its page loaded again, is no second one.
  if (query && query !== readStored('sessionStorage', searchName)) {
    const resultsCount = Number(found?.dataset.results ?? 0)
    track('search_performed', { contentType: 'search', data: { query: query.slice(0, 200), resultsCount } })
  }
  if (found) keepStored('sessionStorage', searchName, query || null)
}
