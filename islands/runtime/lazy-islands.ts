import { isPlainPress } from '#islands/navigation/plain-press'
import { readStored } from '#islands/runtime/browser-storage'
import { type AuthRequest, type EventDetails, type EventName, emit, listen } from '#islands/runtime/events'
import { importIsland, importPressed } from '#islands/runtime/import-island'
import type { LazyIsland } from '#islands/runtime/lazy-island-names'
import { hydrateWaiting } from '#islands/runtime/page-islands'
import { toastNoAnswer } from '#islands/runtime/toast-no-answer'
import { trackKey } from '#islands/runtime/track-key'

/**
 * Loads the islands outside of the page at the first request for each. The island receives that request as the prop
 * `request`, and listens for later ones itself. Soft navigation does not touch these islands.
 */
export function startLazyIslands(): void {
  const startPlayer = startOnEvent('player', 'nocturne:play', 'player-host', toastNoAnswer)
  startOnEvent('toasts', 'nocturne:toast', 'toast-host', ({ kind, title, description }) => {
    if (kind === 'bad') alert(`${title} ${description ?? ''}`)
  })
  startOnEvent('auth-dialog', 'nocturne:auth', 'dialog-host', ({ mode, next }) =>
    location.assign(`/sign-in?${new URLSearchParams({ mode, next })}`),
  )
  startOnEvent('reader-dialog', 'nocturne:read', 'dialog-host', ({ url }) => location.assign(url))
  startOnEvent('report-dialog', 'nocturne:report', 'dialog-host', ({ link }) => location.assign(link.href))
  document.addEventListener('click', openDialog)
  addEventListener('click', allowSound, true)
  if (readStored('sessionStorage', trackKey) !== null) void showStoredBar(startPlayer)
}

/**
 * Safari plays an audio element only within five seconds of a press, and the player's code or the server's answer may
 * take longer. An element that was loaded within that time plays whenever it is asked to.
 */
function allowSound(): void {
  document.querySelector<HTMLAudioElement>('audio:not([src])')?.load()
}

/** Shows the bar of the stored track without the player, which is loaded when the bar is touched. */
async function showStoredBar(start: () => void): Promise<void> {
  const place = document.createElement('div')
  place.dataset.stored = ''
  document.getElementById('player-host')?.append(place)
  const bar = await importIsland('restored-bar' satisfies LazyIsland).catch(() => null)
  if (bar) bar.mount(place, { start }, '')
  else start()
}

function startOnEvent<Name extends EventName>(
  island: LazyIsland,
  event: Name,
  hostId: string,
  fallback: (request: EventDetails[Name]) => void,
): () => void {
  let request: EventDetails[Name] | null = null
  let askedFrom = ''
  let isStarting = false

  // Without a request, the stored bar was pressed. The request is dropped, so that the next press does not repeat it. A
  // dialog's page is opened only if the person has not gone to another page since.
  const runFallback = () => {
    if (!request) toastNoAnswer()
    else if (hostId !== 'dialog-host' || location.href === askedFrom) fallback(request)
    request = null
  }

  const start = async () => {
    if (isStarting) return
    isStarting = true
    try {
      const found = await importPressed(island)
      const host = document.getElementById(hostId)
      if (!host) return runFallback()
      const place = document.createElement('div')
      host.append(place)
      // `request` is the latest one: two presses while the code is loading count as one.
      found.mount(place, { request }, `${island}-`)
      stop()
      hydrateWaiting()
    } catch (error) {
      console.error(error)
      runFallback()
    } finally {
      isStarting = false
    }
  }
  const stop = listen(event, (detail, event) => {
    event.preventDefault()
    request = detail
    askedFrom = location.href
    void start()
  })
  return () => void start()
}

/** Opens a dialog over this page at a plain press on a link. The link itself leads to the dialog's own page. */
function openDialog(event: MouseEvent): void {
  if (!(event.target instanceof Element) || !isPlainPress(event)) return
  const link = event.target.closest<HTMLAnchorElement>('a[data-auth], a[data-report]')
  if (!link) return
  event.preventDefault()
  if (link.dataset.report) emit('nocturne:report', { link })
  else emit('nocturne:auth', authRequestOf(link))
}

function authRequestOf(link: HTMLAnchorElement): AuthRequest {
  const next = new URL(link.href).searchParams.get('next')
  return {
    mode: link.dataset.auth === 'register' ? 'register' : 'sign-in',
    next: next ?? location.pathname + location.search,
  }
}
