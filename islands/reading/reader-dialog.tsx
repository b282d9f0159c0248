import { useEffect } from 'react'
import { openReader } from '#islands/reading/open-reader'
import { listen, type ReadRequest } from '#islands/runtime/events'

/**
 * Opens stories over the list that they are found in. It is loaded at the first press; without it each link opens the
 * story's own page.
 */
export default function ReaderDialog({ request }: { request: ReadRequest | null }) {
  useEffect(() => {
    if (request) void openReader(request)
    return listen('nocturne:read', (next, event) => {
      event.preventDefault()
      void openReader(next)
    })
  }, [request])
  return null
}
