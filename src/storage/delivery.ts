import { type AudioFile, keyOf } from './audio-file'
import type { ReadyFile } from './recent-files'

/**
 * Lifetime of a presigned address. Browsers use it for all later ranges of a play. Anyone with the address can hear
 * this one file, without a check of permissions.
 */
export const redirectSeconds = 3_600

/** The internal location of nginx, which only our responses can lead to (docs/deploy/audio.md). */
const nginxLocation = '/nocturne-audio/'

/** A response that nginx replaces with the file in the folder, with support for ranges. */
export function sendByNginx({ hash, extension, headers }: ReadyFile): Response {
  const response = new Response(null, { headers })
  // nginx adds its own `accept-ranges`.
  response.headers.delete('accept-ranges')
  response.headers.set('x-accel-redirect', nginxLocation + keyOf({ hash, extension }))
  return response
}

/**
 * Whether a request may be answered with a redirect to the store. An audio element follows one. A script could not read
 * the response of another origin, so it is answered here. A HEAD request only asks whether the file may be played.
 */
export function mayBeRedirected({ method, headers }: Request): boolean {
  return method === 'HEAD' || !['cors', 'same-origin'].includes(headers.get('sec-fetch-mode') ?? '')
}

/** Returns a function that redirects to the presigned address of a file. */
export function redirectTo(presign: (file: AudioFile) => Promise<string>) {
  return async ({ sizeBytes, headers, ...file }: ReadyFile, { method }: Request): Promise<Response> => {
    const answer = new Headers(headers)
    if (method === 'HEAD') {
      answer.set('content-length', String(sizeBytes))
      return new Response(null, { headers: answer })
    }
    for (const name of ['etag', 'last-modified', 'content-type', 'accept-ranges']) answer.delete(name)
    answer.set('location', await presign(file))
    answer.set('cache-control', 'private, no-store')
    return new Response(null, { status: 302, headers: answer })
  }
}
