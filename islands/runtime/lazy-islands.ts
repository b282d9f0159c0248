import { isPlainPress } from '#islands/navigation/plain-press'
import { readStored } from '#islands/runtime/browser-storage'
import { type AuthRequest, type EventDetails, type EventName, emit, listen } from '#islands/runtime/events'
import { importIsland, importPressed } from '#islands/runtime/import-island'
import type { LazyIsland } from '#islands/runtime/lazy-island-names'
import { hydrateWaiting } from '#islands/runtime/page-islands'
import { toastNoAnswer } from '#islands/runtime/toast-no-answer'

/** The storage key of the loaded track: the player on a new page of the same tab resumes it. */
const trackKey = 'nocturne.track'

/**
 * Islands outside of the page, loaded at the first request for them: they get that request as the prop `request` and
 * listen for the next ones themselves. Soft navigation does not touch them.
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
  if (readStored('sessionStorage', trackKey) !== null) void showStoredBar(startPlayer)
}

/** Without the player, which comes when the bar is touched. */
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
  instead: (request: EventDetails[Name]) => void,
): () => void {
  let request: EventDetails[Name] | null = null
  let askedFrom = ''
  let isStarting = false

  // Without a request it is the stored bar that was pressed. What is given up is not done by the next press, and the
  // page of a dialog does not take the place of one that was gone to since.
  const insteadOfIt = () => {
    if (!request) toastNoAnswer()
    else if (hostId !== 'dialog-host' || location.href === askedFrom) instead(request)
    request = null
  }

  const start = async () => {
    if (isStarting) return
    isStarting = true
    try {
      const found = await importPressed(island)
      const host = document.getElementById(hostId)
      if (!host) return insteadOfIt()
      const place = document.createElement('div')
      host.append(place)
      // The last call wins: two presses while the code is loading are one request.
      found.mount(place, { request }, `${island}-`)
      stop()
      hydrateWaiting()
    } catch (error) {
      console.error(error)
      insteadOfIt()
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

/** Opens the dialog over this page at a plain press on a link; the link leads to a page of its own. */
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
