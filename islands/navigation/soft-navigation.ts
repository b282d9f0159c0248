import {
  announceArrival,
  arriveAt,
  noteTyping,
  placeOf,
  rememberFocus,
  type ScrollAndFocus,
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

/** push: a new entry · reload: this one again · traverse: Back or Forward, the address is changed already. */
type Kind = 'push' | 'reload' | 'traverse'

/** Names one history entry among those of this tab. */
const newEntry = () => String(Math.random())

let entry = ''
/** Path and query of the shown page: fragments and open dialogs change the address without changing it. */
let shown = ''
let underWay: AbortController | null = null
/** What is under way leads to another page, so that this one need not be fetched again. */
let isLeaving = false

/**
 * Follows links and GET forms of ours by fetching the page and swapping its content, so that playback continues. Any
 * other answer than an HTML page of this build is loaded in full.
 */
export function startSoftNavigation(): void {
  history.scrollRestoration = 'manual'
  noteAddress()
  // To save its position would have the page laid out now.
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

/** Goes to an address, or fetches this page again. Resolves when the page is shown. */
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
    // The last press wins: this page stays, and a story is read over it.
    underWay?.abort()
    isLeaving = false
    hideSkeleton()
    return
  }
  if (!emit('nocturne:leave', {})) return
  void go(url, url.href === location.href ? 'reload' : 'push', {
    ...placeOf(link),
    early: takePrefetched(url),
  })
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
  const url = addressOfForm(form, event.submitter)
  if (!url) return
  event.preventDefault()
  if (emit('nocturne:leave', {})) void go(url, 'push', placeOf(form))
}

function onTraverse(): void {
  const isShown = location.pathname + location.search === shown
  if (!isShown && !emit('nocturne:leave', {})) {
    // The address has changed already: the page that stays is entered anew.
    history.pushState({ nocturne: entry }, '', shown)
    return
  }
  scrollMemory.save(entry)
  adoptEntry()
  if (isShown) scrollMemory.restore(entry)
  else void go(new URL(location.href), 'traverse', {})
}

/** With `early`, the page has been asked for already. */
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
  // A page that is fetched again is read, and pressed, meanwhile.
  const waiting = kind === 'reload' ? undefined : setTimeout(() => showSkeleton(url), skeletonMs)
  const releasePresses = kind === 'reload' ? holdPresses(signal) : null
  try {
    const found = await (early ?? fetchPage(url, signal))
    if (signal.aborted) return
    if (!found) return loadInFull(url, kind)
    // The next page may be shorter, and the browser scroll up.
    if (kind === 'push') scrollMemory.save(entry)
    await answered
    await whenLetGo()
    if (signal.aborted) return
    if (!releasePresses) forgetPresses()
    // Who walks along a list by the keyboard goes on from the same row.
    const isSamePlace = kind === 'reload' && place.keepsScroll
    const returnFocus = keepTyped(found.page) ?? (isSamePlace ? rememberFocus() : null)
    await swapPage(found.page, () => {
      // An anchor, or a position that is kept, may be far down.
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
    if (whole && !signal.aborted) completePage(parsePage(whole))
  } catch (error) {
    if (!signal.aborted) loadInFull(url, kind, error)
  } finally {
    clearTimeout(waiting)
    if (underWay.signal === signal) isLeaving = false
    if (!signal.aborted) {
      delete document.documentElement.dataset.visiting
      // Where no page has come, this one stays.
      hideSkeleton()
      releasePresses?.()
    }
  }
}

/** Faster answers are shown without a skeleton, which would flicker. */
const skeletonMs = 300

/** Another filter of the same list that takes a moment: a skeleton stands in its place. */
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

/** After every change of the page, also one by a search that is being typed (typed-search.ts). */
function noteShown(): void {
  noteAddress()
  if (history.state?.nocturne === entry) return
  scrollMemory.save(entry)
  adoptEntry()
}

function noteAddress(): void {
  shown = location.pathname + location.search
}

/** A full load: the browser also shows network errors. What plays may prevent that. */
function loadInFull(url: URL, kind: Kind, error?: unknown): void {
  if (error) console.warn(error)
  if (!emit('nocturne:leave', { isAsked: true, inFull: url })) {
    // The address has changed already: the page that stays is entered anew.
    if (kind === 'traverse') enterHistory(new URL(shown, location.href), 'push')
  } else if (kind === 'push') location.assign(url)
  else location.reload()
}

/** Gives the present history entry an id. */
function adoptEntry(): void {
  entry = history.state?.nocturne ?? newEntry()
  history.replaceState({ ...history.state, nocturne: entry }, '')
}
