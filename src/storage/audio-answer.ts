import { isKnown } from '#src/http/entity-tag'
import { audioTypes } from '#src/narration/rules'
import type { StoredAudio } from './audio-file'

/**
 * The headers of a narration's answer. It is private and revalidated each time, since a permission to hear can end;
 * its hash is its ETag, so that revalidation costs nothing.
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

/** The same with `accept-ranges`, which Bun adds only to answers with a range. */
export function withRanges(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'accept-ranges': 'bytes' }
}

/** Whether the client has this very file. If-Modified-Since is not needed beside an ETag (RFC 9110, 13.1.3). */
export function isUnchanged(hash: string, request: Request): boolean {
  return isKnown(request, `"${hash}"`)
}

export function notModified(headers: Headers): Response {
  const common = new Headers(headers)
  common.delete('content-type')
  return new Response(null, { status: 304, headers: common })
}
