import { useEffect } from 'react'
import { listen, type ReadRequest } from '#islands/events'
import { openReader } from '#islands/reading/open-reader'

/** Stories open over the list they are found in. Fetched at the first press; without it each link opens the story's own page. */
export default function ReaderDialog({ request }: { request: ReadRequest | null }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the press that fetched this code; the next ones are heard
  useEffect(() => {
    if (request) void openReader(request)
    return listen('nocturne:read', (next, event) => {
      event.preventDefault()
      void openReader(next)
    })
  }, [])
  return null
}
