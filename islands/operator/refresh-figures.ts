import { fetchPage } from '#islands/navigation/fetch-page'
import { whenLetGo } from '#islands/navigation/press-end'
import { emit, listen } from '#islands/runtime/events'

/** Actions in quick succession cause one refresh. */
const quietMs = 250

/**
 * After every action of an operator, fetches the page again and replaces its regions with figures and lists
 * (`data-figures`). Forms and typed text stay. Returns a function that stops it.
 */
export function startFigures(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay = new AbortController()
  const stop = listen('nocturne:operator-acted', () => {
    clearTimeout(timer)
    underWay.abort()
    underWay = new AbortController()
    timer = setTimeout(refreshFigures, quietMs, underWay.signal)
  })
  return () => {
    stop()
    clearTimeout(timer)
    underWay.abort()
  }
}

async function refreshFigures(signal: AbortSignal): Promise<void> {
  const shown = document.querySelectorAll<HTMLElement>('[data-figures]')
  if (shown.length === 0) return
  // Without a response the old figures stay. The action itself has succeeded.
  const found = await fetchPage(new URL(location.href), signal).catch(() => null)
  if (signal.aborted || !found) return
  await whenLetGo()
  if (signal.aborted) return
  for (const old of shown) {
    const fresh = found.page.querySelector(`[data-figures="${old.dataset.figures}"]`)
    if (!fresh || !old.isConnected || old.isEqualNode(fresh) || old.querySelector('dialog[open]')) continue
    emit('nocturne:islands', { under: old, isLeaving: true })
    old.replaceWith(document.adoptNode(fresh))
    emit('nocturne:islands', { under: fresh })
  }
}
