import { randomName } from '#islands/runtime/random-name'

/**
 * Enters an open dialog into the history, so that Back closes it instead of leaving the page. Returns the function to
 * call when it is closed otherwise: it takes the entry away again.
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
