import { type AudioFile, keyOf } from './audio-file'
import type { ReadyFile } from './recent-files'

/**
 * How long an address of the store is good. Browsers ask it for all later ranges of a play; whoever has it hears the
 * one file without being asked for a permission again.
 */
export const redirectSeconds = 3_600

/** The location of nginx that only our answers lead to (docs/deploy/audio.md). */
const nginxLocation = '/nocturne-audio/'

/** An answer in whose place nginx sends the file of the folder, with ranges. */
export function sendByNginx({ hash, extension, headers }: ReadyFile): Response {
  const response = new Response(null, { headers })
  // nginx adds its own.
  response.headers.delete('accept-ranges')
  response.headers.set('x-accel-redirect', nginxLocation + keyOf({ hash, extension }))
  return response
}

/**
 * Leads to the store. An audio element follows; a script could not read what another origin answers, and a player that
 * asks by HEAD only wants to know whether it may play: both are answered here.
 */
export function mayBeRedirected({ method, headers }: Request): boolean {
  return method === 'HEAD' || !['cors', 'same-origin'].includes(headers.get('sec-fetch-mode') ?? '')
}

/** Redirects to the address that `presign` makes of a file. */
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
