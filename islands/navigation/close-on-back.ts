import { randomName } from '#islands/runtime/random-name'

/**
 * Adds a history entry for an open dialog, so that Back closes the dialog instead of leaving the page. Returns a
 * function to call when the dialog is closed in another way: it removes the entry again.
 */
export function closeOnBack(close: () => void): () => void {
  const entry = randomName()
  history.pushState({ nocturne: entry }, '')
  const isHere = () => history.state?.nocturne === entry
  const onTraverse = () => {
    if (!isHere()) close()
  }
  addEventListener('popstate', onTraverse)
  return () => {
    removeEventListener('popstate', onTraverse)
    if (isHere()) history.back()
  }
}
