import { type FoundPage, fetchPage } from '#islands/navigation/fetch-page'
import { addressOfLink } from '#islands/navigation/followed-address'

/** A page that was requested before the press on its link was complete. */
export type EarlyPage = Promise<FoundPage | null> | null
let early: { href: string; found: EarlyPage; requestedAt: number } | null = null

/** The maximum age of a prefetched page: an older one may have changed. */
const freshMs = 3_000
/** How long a pointer must rest on a link before its page is fetched. A pointer that only passes fetches nothing. */
const hoverMs = 100

/**
 * Links that are prefetched: those in navigations and filters, and the next and previous page of a list. Pages of items
 * are not, because fetching one counts as reading it.
 */
const prefetched = 'nav a:not([data-auth]), a[rel=next], a[rel=prev]'

/** Fetches a page when its link is pressed down, before the release, or when a mouse rests on the link. */
export function startPrefetch(): void {
  let rest: ReturnType<typeof setTimeout>
  document.addEventListener('pointerdown', ({ target }) => {
    // Otherwise the timer would fetch the page a second time after the press has taken it.
    clearTimeout(rest)
    prefetch(target)
  })
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    clearTimeout(rest)
    if (pointerType === 'mouse') rest = setTimeout(() => prefetch(target), hoverMs)
  })
}

/** Returns the prefetched page of an address and removes it, or null if there is none. */
export function takePrefetched(url: URL): EarlyPage {
  const found = isPrefetched(url) ? early?.found : null
  early = null
  return found ?? null
}

function prefetch(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>(prefetched) : null
  const url = link && addressOfLink(link)
  if (!url || url.href === location.href || isPrefetched(url)) return
  const found = fetchPage(url)
  // The press that follows shows the error.
  found.catch(() => {})
  early = { href: url.href, found, requestedAt: performance.now() }
}

function isPrefetched({ href }: URL): boolean {
  return early?.href === href && performance.now() - early.requestedAt < freshMs
}
