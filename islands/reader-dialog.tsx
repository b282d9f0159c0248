import { useEffect } from 'react'
import { listen } from '#islands/events'
import { visit } from '#islands/visit'

/**
 * On a list's page: its stories open over it. Without this island each link opens the story's own page. What
 * shows them is fetched with the first one.
 */
export default function ReaderDialog() {
  useEffect(() => {
    const closing = new AbortController()
    const stop = listen('nocturne:read', (request, event) => {
      event.preventDefault()
      import('#islands/reading/open-reader').then(
        ({ openReader }) => openReader(request, closing.signal),
        () => visit(request.url),
      )
    })
    return () => {
      stop()
      closing.abort()
    }
  }, [])
  return null
}
