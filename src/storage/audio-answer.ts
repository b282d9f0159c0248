import { isKnown } from '#src/http/entity-tag'
import { audioTypes } from '#src/narration/rules'
import type { StoredAudio } from './audio-file'

/**
 * The headers of a response with a narration. It is private and revalidated each time, since a permission to hear can
 * end. Its ETag is the hash of the file, so a revalidation transfers nothing.
 */
export function audioHeaders({ hash, extension, modifiedAt }: StoredAudio): Record<string, string> {
  return {
    etag: `"${hash}"`,
    'last-modified': modifiedAt.toUTCString(),
    'content-type': audioTypes[extension],
    'cache-control': 'private, no-cache',
    vary: 'cookie',
  }
}

/** The same headers with `accept-ranges`, which Bun adds only to responses to a range request. */
export function withRanges(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'accept-ranges': 'bytes' }
}

/** Whether the client has this version of the file. If-Modified-Since is ignored beside an ETag (RFC 9110, 13.1.3). */
export function isUnchanged(hash: string, request: Request): boolean {
  return isKnown(request, `"${hash}"`)
}

export function notModified(headers: Headers): Response {
  const common = new Headers(headers)
  common.delete('content-type')
  return new Response(null, { status: 304, headers: common })
}
