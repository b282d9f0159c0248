import { announceArrival } from '#islands/navigation/arrival'
import { type FoundPage, fetchPage } from '#islands/navigation/fetch-page'
import { addressOfForm } from '#islands/navigation/followed-address'
import { whenLetGo } from '#islands/navigation/press-end'
import { addRest, holdRestBack } from '#islands/navigation/rest-of-list'
import { emit } from '#islands/runtime/events'
import { toastProblem } from '#islands/runtime/or-toast'
import { randomName } from '#islands/runtime/random-name'
import { giveToastsBack } from '#islands/site/show-dialog'

/**
 * The pause in typing, in milliseconds, after which the search runs. A shorter one would search for halves of words.
 */
const restMs = 300

/** A search is counted once its text has been unchanged for this many milliseconds, or when its page is left. */
const countedMs = 1_500

/**
 * Searches while a person types: the list and the address follow, the field keeps the focus, and one press on Back
 * undoes the whole search. `host` contains the search form; [data-found] contains the results.
 */
export function mount(host: Element): () => void {
  const form = host.querySelector('form')
  const input = form?.querySelector<HTMLInputElement>('input[type=search]')
  if (!form || !input) return () => {}
  const count = delayed(countedMs, () => emit('nocturne:searched', {}))
  const { search, drop, dropIfLeft, keepOnly } = startSearches(form, count)
  const onInput = (event: Event) => {
    search.never()
    count.never()
    if (!(event instanceof InputEvent && event.isComposing)) search.later()
  }
  const onSubmit = (event: Event) => {
    search.never()
    const url = addressOfForm(form, null)
    if (url && keepOnly(url.href)) event.preventDefault()
  }
  input.addEventListener('input', onInput)
  input.addEventListener('compositionend', onInput)
  form.addEventListener('submit', onSubmit)
  // In the capture phase, before the page that Back or Forward leads to is fetched.
  addEventListener('popstate', dropIfLeft, true)
  addEventListener('pagehide', count.now)
  // The text was typed before this code was loaded.
  if (input.value !== input.defaultValue) search.later()
  return () => {
    drop()
    removeEventListener('popstate', dropIfLeft, true)
    removeEventListener('pagehide', count.now)
    count.now()
  }
}

/** Returns the delayed search of a form, which fetches and shows the results, and what prevents or repeats it. */
function startSearches(form: HTMLFormElement, count: Delayed) {
  let shown = location.href
  /** The history entry of this search. Further typing replaces it. */
  let entry: string | null = null
  let underWay: { href: string; abort: AbortController } | null = null

  const search = delayed(restMs, () => {
    const url = addressOfForm(form, null)
    if (url && !keepOnly(url.href)) void show(url)
  })

  async function show(url: URL): Promise<void> {
    const abort = new AbortController()
    underWay = { href: url.href, abort }
    const found = await findResults(url, abort.signal)
    if (found) await whenLetGo()
    if (abort.signal.aborted) return
    underWay = null
    if (!found) return
    shown = url.href
    // The person who types sees the field, and so the top of the list.
    holdRestBack(found.page)
    entry = enterHistory(entry, url)
    replaceAround(form, found.page)
    replaceFound(found.page)
    announceArrival({ keepsScroll: true })
    emit('nocturne:navigated', { url: url.href, askedAt: found.askedAt, isTyped: true })
    void addRest()
    count.later()
  }

  /** Drops the search that is due or under way. */
  function drop(): void {
    search.never()
    if (!underWay) return
    underWay.abort.abort()
    underWay = null
    delete document.documentElement.dataset.visiting
  }

  /** Back also closes the reader, for example, and then leaves the list as it is. */
  const dropIfLeft = () => {
    if (location.href !== shown) drop()
  }

  /** Drops all searches but that of an address. Returns whether its results are shown or under way. */
  function keepOnly(href: string): boolean {
    if (href === underWay?.href) return true
    drop()
    // A text that was changed and changed back has been unchanged from now on.
    if (href === shown) count.later()
    else count.never()
    return href === shown
  }

  return { search, drop, dropIfLeft, keepOnly }
}

/** Replaces the history entry of a search, or adds one. Returns its name. */
function enterHistory(entry: string | null, url: URL): string {
  if (entry !== null && history.state?.nocturne === entry) {
    history.replaceState({ nocturne: entry }, '', url)
    return entry
  }
  const added = randomName()
  history.pushState({ nocturne: added }, '', url)
  return added
}

/**
 * Returns the page with the results. Returns null if a later search has replaced this one, or, with a toast, on
 * failure.
 */
async function findResults(url: URL, signal: AbortSignal): Promise<FoundPage | null> {
  document.documentElement.dataset.visiting = ''
  const found = await fetchPage(url, signal).catch(() => null)
  if (signal.aborted) return null
  delete document.documentElement.dataset.visiting
  if (found?.page.querySelector('main [data-found]')) return found
  // An error, or a page that the browser has to load itself. Typing is no request to leave this page and its playback.
  toastProblem('Search failed', 'Press Enter to try again.')
  return null
}

type Delayed = { later: () => void; now: () => void; never: () => void }

/**
 * Debounces `work`: it runs `ms` milliseconds after the last call of `later`. `now` runs pending work at once, `never`
 * drops it.
 */
function delayed(ms: number, work: () => void): Delayed {
  let due: Timer | undefined
  const never = () => {
    clearTimeout(due)
    due = undefined
  }
  const now = () => {
    if (due === undefined) return
    never()
    work()
  }
  const later = () => {
    never()
    due = setTimeout(now, ms)
  }
  return { later, now, never }
}

/** Replaces the form's siblings, such as "Clear Filters", which is there only while there is something to clear. */
function replaceAround(form: HTMLFormElement, page: Document): void {
  const fresh = page.querySelector(`form[action="${form.getAttribute('action')}"]:has(input[type=search])`)
  for (const each of [...(form.parentElement?.children ?? [])]) if (each !== form) each.remove()
  for (const each of [...(fresh?.parentElement?.children ?? [])])
    if (each !== fresh) form.parentElement?.append(document.adoptNode(each))
}

function replaceFound(page: Document): void {
  const old = document.querySelector('main [data-found]')
  const fresh = page.querySelector('main [data-found]')
  if (!old || !fresh) return
  if (old.querySelector('#toast-host')) giveToastsBack(old)
  emit('nocturne:islands', { under: old, isLeaving: true })
  old.replaceWith(document.adoptNode(fresh))
  emit('nocturne:islands', { under: fresh })
}
