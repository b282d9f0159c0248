import { useEffect } from 'react'
import { listen } from '#islands/runtime/events'

/** While an island has unsaved work, asks for confirmation before a link, Back or the browser leaves the page. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => (isUnsaved ? guardLeaving(() => true) : undefined), [isUnsaved])
}

/** Like `useUnsaved`, but checks for unsaved work when the page is being left. Returns a function that stops it. */
export function guardLeaving(isUnsaved: () => boolean): () => void {
  const stop = listen('nocturne:leave', (leave, event) => {
    if (leave.isAsked || !isUnsaved()) return
    leave.isAsked = true
    if (!confirm('Discard your changes? They have not been saved.')) event.preventDefault()
  })
  const onUnload = (event: BeforeUnloadEvent) => {
    // The quick exit has hidden the page by now, and never asks.
    if (!document.documentElement.hidden && isUnsaved()) event.preventDefault()
  }
  addEventListener('beforeunload', onUnload)
  return () => {
    stop()
    removeEventListener('beforeunload', onUnload)
  }
}
