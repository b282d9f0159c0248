import { fetchPage } from '#islands/navigation/fetch-page'
import { whenLetGo } from '#islands/navigation/press-end'
import { emit, listen } from '#islands/runtime/events'

/** Acts that follow each other at once are one change of the figures. */
const quietMs = 250

/**
 * After every act of an operator the regions of the page that its figures and lists stand in (`data-figures`) are
 * fetched again and put in place; forms and what is typed into them stay. Returns a function that ends it.
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
  // Without an answer the old figures stay; the act itself has succeeded.
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
