import {
  announceArrival,
  arriveAt,
  noteTyping,
  rememberFocus,
  type ScrollAndFocus,
  scrollAndFocusOf,
} from '#islands/navigation/arrival'
import { fetchPage } from '#islands/navigation/fetch-page'
import { addressOfForm, addressOfLink } from '#islands/navigation/followed-address'
import { completePage, swapPage } from '#islands/navigation/page-swap'
import { parsePage } from '#islands/navigation/parse-page'
import { isPlainPress } from '#islands/navigation/plain-press'
import { type EarlyPage, startPrefetch, takePrefetched } from '#islands/navigation/prefetch'
import { whenAnswered, whenLetGo } from '#islands/navigation/press-end'
import { addRest, holdRestBack } from '#islands/navigation/rest-of-list'
import { scrollMemory } from '#islands/navigation/scroll-memory'
import { emit, listen, type VisitRequest } from '#islands/runtime/events'
import { forgetPresses, holdPresses } from '#islands/runtime/press-replay'
import { announce } from '#islands/site/show-dialog'

/**
 * push: adds an entry. reload: shows this entry again. traverse: Back or Forward, which have changed the address
 * already.
 */
type Kind = 'push' | 'reload' | 'traverse'

/** Returns an id for a history entry, unique within this tab. */
const newEntry = () => String(Math.random())

let entry = ''
/** Path and query of the shown page. Fragments and open dialogs change the address without changing the page. */
let shown = ''
let underWay: AbortController | null = null
/** Whether the navigation under way leads to another page, so that reloading this one is pointless. */
let isLeaving = false

/**
 * Follows our own links and GET forms by fetching the page and swapping its content, so that playback continues. Any
 * response that is not an HTML page of this build is loaded by the browser instead.
 */
export function startSoftNavigation(): void {
  history.scrollRestoration = 'manual'
  noteAddress()
  // This does not save the scroll position, because reading it would force a layout now.
  adoptEntry()
  listen('nocturne:navigated', noteShown)
  scrollMemory.restore(entry)
  addEventListener('pagehide', () => {
    scrollMemory.save(entry)
    scrollMemory.store()
  })
  addEventListener('popstate', onTraverse)
  document.addEventListener('click', onClick)
  document.addEventListener('submit', onSubmit)
  startPrefetch()
  listen('nocturne:visit', (request) => {
    request.done = visit(request)
  })
}

/** Goes to an address, or fetches the current page again. Resolves when the page is shown. */
async function visit({ url, isReload = false }: VisitRequest): Promise<void> {
  if (isReload && isLeaving) return
  const target = new URL(url, location.href)
  return go(target, isReload || target.href === location.href ? 'reload' : 'push', { keepsScroll: isReload })
}

function onClick(event: MouseEvent): void {
  if (!(event.target instanceof Element) || !isPlainPress(event)) return
  const link = event.target.closest('a')
  const url = link && addressOfLink(link)
  if (!link || !url) return
  event.preventDefault()
  if (link.dataset.reader !== undefined && !emit('nocturne:read', { url: url.href, trigger: link })) {
    // The last press wins: a navigation under way is aborted, and the story opens in a reader over this page.
    underWay?.abort()
    isLeaving = false
    hideSkeleton()
    return
  }
  if (!emit('nocturne:leave', {})) return
  void go(url, url.href === location.href ? 'reload' : 'push', {
    ...scrollAndFocusOf(link),
    early: takePrefetched(url),
  })
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
  const url = addressOfForm(form, event.submitter)
  if (!url) return
  event.preventDefault()
  if (emit('nocturne:leave', {})) void go(url, 'push', scrollAndFocusOf(form))
}

function onTraverse(): void {
  const isShown = location.pathname + location.search === shown
  if (!isShown && !emit('nocturne:leave', {})) {
    // Back has changed the address already, so a new entry for the page that stays is pushed.
    history.pushState({ nocturne: entry }, '', shown)
    return
  }
  scrollMemory.save(entry)
  adoptEntry()
  if (isShown) scrollMemory.restore(entry)
  else void go(new URL(location.href), 'traverse', {})
}

/** Shows the page at `url`. `early` is the response of a prefetch, if there was one. */
async function go(
  url: URL,
  kind: Kind,
  { early, ...place }: ScrollAndFocus & { early?: EarlyPage },
): Promise<void> {
  underWay?.abort()
  underWay = new AbortController()
  isLeaving = kind !== 'reload'
  const { signal } = underWay
  const answered = whenAnswered()
  const keepTyped = noteTyping(signal)
  document.documentElement.dataset.visiting = ''
  // During a reload the page stays readable, without a skeleton, and presses on it wait for the new page.
  const waiting = kind === 'reload' ? undefined : setTimeout(() => showSkeleton(url), skeletonMs)
  const releasePresses = kind === 'reload' ? holdPresses(signal) : null
  try {
    const found = await (early ?? fetchPage(url, signal))
    if (signal.aborted) return
    if (!found) return loadInFull(url, kind)
    // Save before the swap: if the next page is shorter, the browser scrolls up.
    if (kind === 'push') scrollMemory.save(entry)
    await answered
    await whenLetGo()
    if (signal.aborted) return
    if (!releasePresses) forgetPresses()
    // A person who moves along a list by keyboard continues from the same row after a reload.
    const isSamePlace = kind === 'reload' && place.keepsScroll
    const returnFocus = keepTyped(found.page) ?? (isSamePlace ? rememberFocus() : null)
    await swapPage(found.page, () => {
      // A fragment or a preserved scroll position may be far down, so all cards are needed at once.
      const isAtTop = kind === 'push' && !found.url.hash && !(place.keepsScroll && scrollY > innerHeight / 4)
      if (isAtTop) holdRestBack(found.page)
      enterHistory(found.url, kind)
    })
    releasePresses?.()
    emit('nocturne:navigated', { url: found.url.href, askedAt: found.askedAt })
    const arrival = kind === 'traverse' && scrollMemory.restore(entry) ? { keepsScroll: true } : place
    arriveAt(found.url, arrival, returnFocus)
    void addRest()
    announceArrival(place)
    const whole = await found.whole
    if (whole) await whenLetGo()
    if (whole && !signal.aborted) completePage(parsePage(whole))
  } catch (error) {
    if (!signal.aborted) loadInFull(url, kind, error)
  } finally {
    clearTimeout(waiting)
    if (underWay.signal === signal) isLeaving = false
    if (!signal.aborted) {
      delete document.documentElement.dataset.visiting
      // If no page has arrived, the current one stays, so its list is shown again.
      hideSkeleton()
      releasePresses?.()
    }
  }
}

/** Responses faster than this are shown without a skeleton, which would only flicker. */
const skeletonMs = 300

/** Shows a skeleton in place of the list while another filter of the same list takes long to load. */
function showSkeleton(url: URL): void {
  const list = document.querySelector<HTMLElement>('main [data-list]')
  const shapes = document.querySelector<HTMLTemplateElement>('main template[data-skeleton]')
  if (!list || !shapes || list.hidden || url.pathname !== location.pathname) return
  list.hidden = true
  list.before(shapes.content.cloneNode(true))
  announce(shapes.content.textContent)
}

function hideSkeleton(): void {
  const list = document.querySelector<HTMLElement>('main [data-list][hidden]')
  if (!list) return
  list.previousElementSibling?.remove()
  list.hidden = false
}

function enterHistory(url: URL, kind: Kind): void {
  if (kind === 'push') {
    entry = newEntry()
    history.pushState({ nocturne: entry }, '', url)
  } else {
    history.replaceState({ nocturne: entry }, '', url)
  }
}

/** Runs after every change of the page, including one by a search as it is typed (typed-search.ts). */
function noteShown(): void {
  noteAddress()
  if (history.state?.nocturne === entry) return
  scrollMemory.save(entry)
  adoptEntry()
}

function noteAddress(): void {
  shown = location.pathname + location.search
}

/** Lets the browser load the page, which also shows network errors. The player may prevent this. */
function loadInFull(url: URL, kind: Kind, error?: unknown): void {
  if (error) console.warn(error)
  if (!emit('nocturne:leave', { isAsked: true, inFull: url })) {
    // Back has changed the address already, so a new entry for the page that stays is pushed.
    if (kind === 'traverse') enterHistory(new URL(shown, location.href), 'push')
  } else if (kind === 'push') location.assign(url)
  else location.reload()
}

/** Reads the id of the current history entry, or gives it one. */
function adoptEntry(): void {
  entry = history.state?.nocturne ?? newEntry()
  history.replaceState({ ...history.state, nocturne: entry }, '')
}
