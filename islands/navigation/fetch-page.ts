import { parsePage } from '#islands/navigation/parse-page'
import { isAnothers } from '#islands/runtime/browser-storage'

/** A fetched page, and the address where it was found. */
export type FoundPage = { page: Document; url: URL }

/**
 * A page of this build and of the same member, fetched and parsed; null where the browser has to load the address
 * itself.
 */
export async function fetchPage(url: URL, signal?: AbortSignal): Promise<FoundPage | null> {
  const response = await fetch(url, { signal, headers: { accept: 'text/html' } })
  if (!response.headers.get('content-type')?.startsWith('text/html')) return null
  const page = parsePage(await response.text())
  if (buildOf(page) !== buildOf(document) || isAnothers(page)) return null
  const finalUrl = new URL(response.url)
  finalUrl.hash = url.hash
  return { page, url: finalUrl }
}

function buildOf(page: Document): string | null {
  return page.querySelector('meta[name="nocturne-build"]')?.getAttribute('content') ?? null
}
