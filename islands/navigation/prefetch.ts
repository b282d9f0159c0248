import { type FoundPage, fetchPage } from '#islands/navigation/fetch-page'
import { addressOfLink } from '#islands/navigation/followed-address'

/** A page that was asked for before the press on its link was done. */
export type EarlyPage = Promise<FoundPage | null> | null
let early: { href: string; found: EarlyPage; askedAt: number } | null = null

/** Longer ago, the page may have changed. */
const freshMs = 3_000
/** A pointer that only passes by asks for nothing. */
const hoverMs = 100

/**
 * Links whose pages are asked for as soon as somebody means to press them: of navigations, filters and lists' further
 * pages. An item's page is none of them, since asking for it counts as reading it.
 */
const prefetched = 'nav a:not([data-auth]), a[rel=next], a[rel=prev]'

/** Asks for a page when its link is pressed down, before it is let go, or when a mouse rests on it. */
export function startPrefetch(): void {
  let rest: ReturnType<typeof setTimeout>
  document.addEventListener('pointerdown', ({ target }) => askFor(target))
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    clearTimeout(rest)
    if (pointerType === 'mouse') rest = setTimeout(() => askFor(target), hoverMs)
  })
}

/** The page of an address that was asked for a moment ago; it is given away once. */
export function takeEarly(url: URL): EarlyPage {
  const found = isAskedFor(url) ? early?.found : null
  early = null
  return found ?? null
}

function askFor(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>(prefetched) : null
  const url = link && addressOfLink(link)
  if (!url || url.href === location.href || isAskedFor(url)) return
  const found = fetchPage(url)
  // The press itself says what went wrong, if there is one.
  found.catch(() => {})
  early = { href: url.href, found, askedAt: performance.now() }
}

function isAskedFor({ href }: URL): boolean {
  return early?.href === href && performance.now() - early.askedAt < freshMs
}
