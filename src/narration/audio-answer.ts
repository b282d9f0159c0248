import { audioTypes } from './rules'
import type { StoredAudio } from './storage'

/**
 * The headers of a narration's answer. It is private and asked about again each time, since a permission
 * to hear can end; its hash is its ETag, so that asking costs nothing.
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

/** The same with `accept-ranges`, which Bun adds by itself where it answers a range, and not elsewhere. */
export function withRanges(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'accept-ranges': 'bytes' }
}

/** Whether the asker has this very file. If-Modified-Since is not needed beside an ETag (RFC 9110, 13.1.3). */
export function isUnchanged(hash: string, request: Request): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known.split(',').some((each) => {
    const tag = each.trim()
    return tag === '*' || tag.replace(/^W\//, '') === `"${hash}"`
  })
}

export function notModified(headers: Headers): Response {
  const kept = new Headers(headers)
  kept.delete('content-type')
  return new Response(null, { status: 304, headers: kept })
}
