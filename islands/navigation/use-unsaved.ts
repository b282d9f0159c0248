import { useEffect } from 'react'
import { listen } from '#islands/runtime/events'

/** While there is unsaved work in an island, a link, Back and the browser ask before its page is left. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const stop = listen('nocturne:leave', (leave, event) => {
      if (leave.isAsked) return
      leave.isAsked = true
      if (!confirm('Discard your changes? They have not been saved.')) event.preventDefault()
    })
    const onUnload = (event: BeforeUnloadEvent) => {
      // Leaving quickly has hidden the page by now, and never asks.
      if (!document.documentElement.hidden) event.preventDefault()
    }
    addEventListener('beforeunload', onUnload)
    return () => {
      stop()
      removeEventListener('beforeunload', onUnload)
    }
  }, [isUnsaved])
}
