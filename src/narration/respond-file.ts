import { Refusal } from '#src/refusal'
import { isUnchanged, notModified } from './audio-answer'
import { respondRange } from './range-blocks'
import { type ReadyFile, recentFiles } from './recent-files'
import type { AudioFile, StoredAudio } from './storage'

/**
 * Answers GET and HEAD with files of this machine. Bun does HEAD, Range, If-Range and 416 for a file under
 * our own headers, without copying it; 304 is ours. Rejects with `not_found` where there is no such file.
 */
export function fileResponder(
  pathOf: (file: AudioFile) => string,
  look: (file: AudioFile) => Promise<StoredAudio | null>,
  headersOfAll: readonly [string, string][] = [],
) {
  const recent = recentFiles(pathOf, look, headersOfAll)
  return {
    respond(file: AudioFile, request: Request): Response | Promise<Response> {
      const ready = recent.find(file)
      return ready instanceof Promise
        ? ready.then((found) => (found ? respondReady(found, request) : refuseMissing(file)))
        : respondReady(ready, request)
    },
    forget: recent.forget,
  }
}

function respondReady(ready: ReadyFile, request: Request): Response | Promise<Response> {
  if (isUnchanged(ready.hash, request)) return notModified(ready.headers)
  if (request.method !== 'GET' || !request.headers.has('range'))
    return new Response(ready.content, { headers: ready.headers })
  const byBun = () => new Response(ready.content, { headers: ready.rangeHeaders })
  const piece = respondRange(ready, request)
  return piece instanceof Promise ? piece.then((found) => found ?? byBun()) : (piece ?? byBun())
}

export function refuseMissing(file: AudioFile): never {
  throw new Refusal('not_found', 'This narration is missing. An operator can upload it again.', {
    cause: new Error(`There is a row for the audio ${file.hash}.${file.extension}, but no file.`),
  })
}
