import { visit } from '#islands/navigation/visit'
import { fetchReader, type ReaderParts } from '#islands/reading/fetch-reader'
import { emit, listen, type ReadRequest } from '#islands/runtime/events'
import { randomName } from '#islands/runtime/random-name'

let underWay: AbortController | null = null
let close: (() => void) | null = null

/**
 * Opens a story over the list that it was found in. The address is the item's, so that Back closes the reader and the
 * address can be shared. Leaving the list closes the reader too.
 */
export async function openReader({ url, trigger }: ReadRequest): Promise<void> {
  // The person has left the list before this code was loaded.
  if (!trigger.isConnected) return
  underWay?.abort()
  const opening = new AbortController()
  const { signal } = opening
  underWay = opening
  document.documentElement.dataset.visiting = ''
  const turnAway = () => opening.abort()
  const stopWaiting = listen('nocturne:navigated', turnAway)
  addEventListener('popstate', turnAway)
  const fetched = await fetchReader(url, signal).catch(() => null)
  stopWaiting()
  removeEventListener('popstate', turnAway)
  if (signal.aborted) return
  delete document.documentElement.dataset.visiting
  close?.()
  close = fetched && showReader(fetched, trigger)
  // An item that cannot be shown here is opened as a page, which also shows errors.
  if (!close) await visit(url)
}

/** Shows a reader over the page and adds its address to the history. Returns a function that closes it. */
function showReader({ url, title, bar, grid }: ReaderParts, trigger: HTMLElement): () => void {
  const entry = randomName()
  const listTitle = document.title
  const dialog = document.createElement('dialog')
  dialog.className = 'reader'
  dialog.setAttribute('aria-label', grid.querySelector('h1')?.textContent ?? title)
  dialog.append(bar, grid)
  nameTheWayBack(bar)
  document.getElementById('dialog-host')?.append(dialog)

  history.pushState({ nocturne: entry }, '', url)
  document.title = title
  setPageInert(true)
  // Not modal, because the player and the toasts must stay usable. Only the page behind is inert.
  dialog.show()
  focusTitle(grid)
  emit('nocturne:islands', { under: dialog })

  const onPress = (event: MouseEvent) => {
    if (!(event.target instanceof Element) || !event.target.closest(closers)) return
    event.preventDefault()
    leave()
  }
  const onKey = (event: KeyboardEvent) => {
    const isElsewhere = event.defaultPrevented || document.querySelector('dialog:modal, [data-open]')
    if (event.key === 'Escape' && !isElsewhere) leave()
  }
  const onTraverse = () => {
    if (location.href !== url) hide()
  }
  dialog.addEventListener('click', onPress)
  document.addEventListener('keydown', onKey)
  addEventListener('popstate', onTraverse)
  const stopListening = listen('nocturne:navigated', hide)

  function leave(): void {
    hide()
    if (history.state?.nocturne === entry) history.back()
  }

  function hide(): void {
    if (!dialog.isConnected) return
    stopListening()
    document.removeEventListener('keydown', onKey)
    removeEventListener('popstate', onTraverse)
    emit('nocturne:islands', { under: dialog, isLeaving: true })
    dialog.remove()
    setPageInert(false)
    if (document.title === title) document.title = listTitle
    trigger.focus({ preventScroll: true })
  }
  return hide
}

/** Elements that close the reader: Close, the back link and "Continue Browsing". */
const closers = '.reader-bar a:not([data-leave]), [data-close-reader]'

/** Renames the bar's link, which leads to Read Stories on the item's own page. Here it leads back to the list. */
function nameTheWayBack(bar: Element): void {
  const link = bar.querySelector('a')
  const words = link?.querySelector('.reader-bar-back')
  if (!link || !words) return
  link.ariaLabel = 'Back'
  words.textContent = 'Back'
}

function focusTitle(grid: Element): void {
  const heading = grid.querySelector('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function setPageInert(isInert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>('#page, .skip-link')) element.inert = isInert
  document.body.toggleAttribute('data-reading', isInert)
}
