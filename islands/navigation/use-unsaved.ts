import { useEffect } from 'react'
import { listen } from '#islands/runtime/events'

/** While there is unsaved work in an island, a link, Back and the browser ask before its page is left. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => (isUnsaved ? guardLeaving(() => true) : undefined), [isUnsaved])
}

/** The same from here on, where it is found out as the page is left; returns a function that stops it. */
export function guardLeaving(isUnsaved: () => boolean): () => void {
  const stop = listen('nocturne:leave', (leave, event) => {
    if (leave.isAsked || !isUnsaved()) return
    leave.isAsked = true
    if (!confirm('Discard your changes? They have not been saved.')) event.preventDefault()
  })
  const onUnload = (event: BeforeUnloadEvent) => {
    // Leaving quickly has hidden the page by now, and never asks.
    if (!document.documentElement.hidden && isUnsaved()) event.preventDefault()
  }
  addEventListener('beforeunload', onUnload)
  return () => {
    stop()
    removeEventListener('beforeunload', onUnload)
  }
}
