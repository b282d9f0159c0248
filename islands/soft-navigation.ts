import { arriveAt, type Place, placeOf } from '#islands/arrival'
import { emit, listen, type VisitRequest } from '#islands/events'
import { addressOfForm, addressOfLink } from '#islands/followed-address'
import { stopIslands } from '#islands/page-islands'
import { fetchPage, swapPage } from '#islands/page-swap'
import { isPlainPress } from '#islands/plain-press'
import { randomName } from '#islands/random-name'
import { scrollMemory } from '#islands/scroll-memory'

/** push: a new entry · reload: this one again · traverse: Back or Forward, the address is changed already. */
type Kind = 'push' | 'reload' | 'traverse'

let entry = ''
/** Path and query of what is on screen: fragments and open dialogs change the address without changing it. */
let shown = ''
let underWay: AbortController | null = null

/**
 * Follows links and GET forms of ours by fetching the page and swapping its content: the player plays on.
 * Whatever is not an HTML page of this build is loaded in full.
 */
export function startSoftNavigation(): void {
  history.scrollRestoration = 'manual'
  shown = location.pathname + location.search
  adoptEntry()
  scrollMemory.restore(entry)
  addEventListener('pagehide', () => {
    scrollMemory.keep(entry)
    scrollMemory.store()
  })
  addEventListener('popstate', onTraverse)
  document.addEventListener('click', onClick)
  document.addEventListener('submit', onSubmit)
  listen('nocturne:visit', (request) => {
    request.done = visit(request)
  })
}

/** Goes to an address, or fetches this page again. Resolves when the page is there. */
export function visit({ url, isReload = false }: VisitRequest): Promise<void> {
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
    // The last press is the wish.
    underWay?.abort()
    return
  }
  void go(url, url.href === location.href ? 'reload' : 'push', placeOf(link))
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return
  const url = addressOfForm(form, event.submitter)
  if (!url) return
  event.preventDefault()
  void go(url, 'push', placeOf(form))
}

function onTraverse(): void {
  scrollMemory.keep(entry)
  adoptEntry()
  if (location.pathname + location.search === shown) {
    scrollMemory.restore(entry)
    return
  }
  void go(new URL(location.href), 'traverse', {})
}

async function go(url: URL, kind: Kind, place: Place): Promise<void> {
  underWay?.abort()
  underWay = new AbortController()
  const { signal } = underWay
  document.documentElement.dataset.visiting = ''
  const waiting = setTimeout(() => showSkeleton(url), skeletonMs)
  try {
    const found = await fetchPage(url, signal)
    if (signal.aborted) return
    if (!found) return loadInFull(url, kind)
    await swapPage(found.page, () => {
      enterHistory(found.url, kind)
      emit('nocturne:navigated', { url: found.url.href })
      arriveAt(found.url, kind === 'traverse' && scrollMemory.restore(entry) ? { keepsScroll: true } : place)
    })
  } catch (error) {
    if (!signal.aborted) loadInFull(url, kind, error)
  } finally {
    clearTimeout(waiting)
    if (!signal.aborted) delete document.documentElement.dataset.visiting
  }
}

/** Quicker answers come without a flicker. */
const skeletonMs = 300

/** Another choice of the same list that takes a moment: the shapes of what is coming stand in its place. */
function showSkeleton(url: URL): void {
  const list = document.querySelector('main [data-list]')
  const shapes = document.querySelector<HTMLTemplateElement>('main template[data-skeleton]')
  if (!list || !shapes || url.pathname !== location.pathname) return
  stopIslands(list)
  list.replaceChildren(shapes.content.cloneNode(true))
}

function enterHistory(url: URL, kind: Kind): void {
  if (kind === 'push') {
    scrollMemory.keep(entry)
    entry = randomName()
    history.pushState({ nocturne: entry }, '', url)
  } else {
    history.replaceState({ nocturne: entry }, '', url)
  }
  shown = url.pathname + url.search
}

/** The browser's own way: it also shows what is wrong, when the network is. */
function loadInFull(url: URL, kind: Kind, error?: unknown): void {
  if (error) console.warn('Soft navigation failed, loading in full.', error)
  if (kind === 'push') location.assign(url)
  else location.reload()
}

/** Names the entry that the browser is on. */
function adoptEntry(): void {
  const state: unknown = history.state
  if (
    typeof state === 'object' &&
    state !== null &&
    'nocturne' in state &&
    typeof state.nocturne === 'string'
  ) {
    entry = state.nocturne
    return
  }
  entry = randomName()
  history.replaceState({ ...(typeof state === 'object' ? state : null), nocturne: entry }, '')
}
