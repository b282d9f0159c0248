import { AppError } from '#src/app-error'
import { isUnchanged, notModified } from './audio-answer'
import type { AudioFile, StoredAudio } from './audio-file'
import { respondRange } from './range-blocks'
import { type ReadyFile, recentFiles } from './recent-files'

/**
 * Answers GET and HEAD with files of this machine. Bun handles HEAD, Range, If-Range and 416 for a file under our own
 * headers, without copying it; 304 is ours. Rejects with `not_found` where there is no such file.
 */
export function fileResponder<File extends AudioFile>(
  pathOf: (file: AudioFile) => string,
  look: (file: File) => Promise<StoredAudio | null>,
  headersOfAll: readonly [string, string][] = [],
) {
  const recent = recentFiles(pathOf, look, headersOfAll)
  return {
    respond(file: File, request: Request): Response | Promise<Response> {
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
  throw new AppError('not_found', 'This narration is missing. An operator can upload it again.', {
    cause: new Error(`There is a row for the audio ${file.hash}.${file.extension}, but no file.`),
  })
}
