import { finderOf } from '#islands/runtime/find-again'
import { announce } from '#islands/site/show-dialog'

/** State that survives a navigation. Filters use it: they change a list, and the reader stays where they are in it. */
export type ScrollAndFocus = {
  keepsScroll?: boolean
  /** A selector for the element of the new page that corresponds to the focused one of the old page. */
  focus?: string
}

/** Returns what a link or form preserves: scroll position and focus inside of [data-keep], nothing elsewhere. */
export function scrollAndFocusOf(trigger: HTMLElement): ScrollAndFocus {
  if (!trigger.closest('[data-keep]')) return {}
  const focused = document.activeElement
  if (focused?.id) return { keepsScroll: true, focus: `#${CSS.escape(focused.id)}` }
  const href = trigger.getAttribute('href')
  return { keepsScroll: true, focus: href ? `#main a[href="${CSS.escape(href)}"]` : undefined }
}

/** Sets scroll position and focus for a new page. If `returnFocus` is given, it gets the first try at the focus. */
export function arriveAt(url: URL, place: ScrollAndFocus, returnFocus: (() => boolean) | null): void {
  const fragment = url.hash && document.getElementById(decodeURIComponent(url.hash.slice(1)))
  if (fragment) fragment.scrollIntoView()
  else if (!place.keepsScroll) scrollTo(0, 0)

  if (returnFocus?.()) return
  const next = place.focus && document.querySelector<HTMLElement>(place.focus)
  if (next) {
    next.focus({ preventScroll: true })
    if (next instanceof HTMLInputElement) next.setSelectionRange(next.value.length, next.value.length)
  } else {
    focusOn(fragment || document.querySelector<HTMLElement>('#main h1') || document.getElementById('main'))
  }
}

/**
 * Returns a function that restores the focus to the element that has it now, or to the element that has replaced it. If
 * there is none with the same markup, a button with the same id counts as the replacement, since Undo replaces Do. The
 * function returns false if nothing had the focus, if the element is gone, or if it takes focus from scripts only, as
 * headings do.
 */
export function rememberFocus(): () => boolean {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return () => false
  const find = finderOf(focused)
  return () => {
    const again = find() ?? document.getElementById(focused.id)
    again?.focus({ preventScroll: true })
    return again !== null && again === document.activeElement
  }
}

/**
 * Records the search field that is typed into from now on, while a page is being fetched. Returns a function that
 * copies its text into the same search field of the new page. If the old field has the focus, that function returns
 * another one, which focuses the new field; otherwise null.
 */
export function noteTyping(signal: AbortSignal): (page: Document) => (() => boolean) | null {
  let field: HTMLInputElement | null = null
  const note = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.type === 'search') field = target
  }
  document.addEventListener('input', note, { signal })
  return (page) => {
    if (!field?.isConnected) return null
    const search = `form[action="${field.form?.getAttribute('action')}"] input[type=search]`
    const fresh = page.querySelector<HTMLInputElement>(search)
    if (!fresh) return null
    fresh.value = field.value
    if (field !== document.activeElement) return null
    return () => {
      fresh.focus({ preventScroll: true })
      fresh.setSelectionRange(fresh.value.length, fresh.value.length)
      return true
    }
  }
}

/**
 * Announces the new page to screen readers: the number of results after a filter, otherwise the page's title. A
 * discreet title is the same on every page, so the heading and the current tab are announced instead. Call it after
 * layout, because announcing changes the document too.
 */
export function announceArrival({ keepsScroll }: ScrollAndFocus): void {
  const count = keepsScroll && document.querySelector('[data-count]')
  const shown = count
    ? [count]
    : document.querySelectorAll('[data-discreet] #main :is(h1, .tabs [aria-current])')
  announce([...shown].map(({ textContent }) => textContent).join(', ') || document.title)
}

/** Focuses where reading continues, the heading or the target of the fragment, so that Tab continues from there. */
function focusOn(place: HTMLElement | null): void {
  if (!place) return
  // An element that is focusable already keeps its place in the tab order.
  if (place.tabIndex < 0) place.tabIndex = -1
  place.focus({ preventScroll: true })
}
