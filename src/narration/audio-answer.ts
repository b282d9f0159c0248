import { audioTypes } from './rules'
import type { AudioFile, StoredAudio } from './storage'

/**
 * The headers of a narration's answer. It is private and asked about again each time, since a permission
 * to hear can end; its hash is its ETag, so that asking costs nothing.
 */
export function audioHeaders(file: AudioFile, found: StoredAudio, request: Request): Headers {
  const headers = new Headers({
    etag: `"${file.hash}"`,
    'last-modified': found.modifiedAt.toUTCString(),
    'content-type': audioTypes[file.extension],
    'cache-control': 'private, no-cache',
    vary: 'cookie',
  })
  // Bun adds its own where it answers a range, and not where it answers HEAD.
  if (request.method === 'HEAD' || !request.headers.has('range')) headers.set('accept-ranges', 'bytes')
  return headers
}

/** Whether the asker has this very file. If-Modified-Since is not needed beside an ETag (RFC 9110, 13.1.3). */
export function isUnchanged(file: AudioFile, request: Request): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known.split(',').some((each) => {
    const tag = each.trim()
    return tag === '*' || tag.replace(/^W\//, '') === `"${file.hash}"`
  })
}

export function notModified(headers: Headers): Response {
  headers.delete('content-type')
  return new Response(null, { status: 304, headers })
}
