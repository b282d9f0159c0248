import { finderOf } from '#islands/runtime/find-again'
import { announce } from '#islands/site/show-dialog'

/**
 * Elements that keep their state when a page arrives: for filters, which change a list and not the position in it.
 */
export type ScrollAndFocus = {
  keepsScroll?: boolean
  /** Finds the element of the new page that corresponds to the focused one of the old. */
  focus?: string
}

/** Links and forms inside of [data-keep] keep the scroll and the focus. */
export function placeOf(trigger: HTMLElement): ScrollAndFocus {
  if (!trigger.closest('[data-keep]')) return {}
  const focused = document.activeElement
  if (focused?.id) return { keepsScroll: true, focus: `#${CSS.escape(focused.id)}` }
  const href = trigger.getAttribute('href')
  return { keepsScroll: true, focus: href ? `#main a[href="${CSS.escape(href)}"]` : undefined }
}

/** Sets scroll and focus as a reader of the new page expects. `returnFocus` is tried first, where there is one. */
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
 * Returns a function that gives the focus back to what has it now, or stands in its place by then. It returns false where
 * nothing had the focus, or what had it is gone, or takes it from scripts alone, as headings do. A button of the same id
 * stands for what is undone, or done, by then.
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
 * Notes what is typed into a search from here on, while a page is on its way. Returns a function that puts it into the
 * same search of that page, and itself returns one that gives it the focus; null where the search does not have it.
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
 * Announces what has come, when it has been laid out, since the words are a change too: of a list that was filtered,
 * how much it has now; of another page, its title. A discreet title is the same everywhere: then it is the heading, with
 * the tab below it.
 */
export function announceArrival({ keepsScroll }: ScrollAndFocus): void {
  const count = keepsScroll && document.querySelector('[data-count]')
  const shown = count
    ? [count]
    : document.querySelectorAll('[data-discreet] #main :is(h1, .tabs [aria-current])')
  announce([...shown].map(({ textContent }) => textContent).join(', ') || document.title)
}

/** Where reading goes on: the heading, or the part that the address names, from which the Tab key goes on. */
function focusOn(place: HTMLElement | null): void {
  if (!place) return
  // What takes the focus by itself stays where it is in the order.
  if (place.tabIndex < 0) place.tabIndex = -1
  place.focus({ preventScroll: true })
}
