import { AppError } from '#src/app-error'
import { countAudioBytes } from '#src/process/metrics'
import { isUnchanged, notModified } from './audio-answer'
import type { AudioFile, StoredAudio } from './audio-file'
import { byteRangeOf, sizeOf } from './byte-range'
import { respondRange } from './range-blocks'
import { type ReadyFile, recentFiles } from './recent-files'

export type FileResponder<File extends AudioFile> = {
  pathOf(file: AudioFile): string
  /** Finds the file on this machine; null if it is missing. */
  look(file: File): Promise<StoredAudio | null>
  headers: readonly [string, string][]
  /** Responds with an existing file in place of Bun. */
  send?(file: ReadyFile, request: Request): Response | Promise<Response>
  /** Responds for a missing file; without it `not_found` is thrown. */
  respondMissing?(file: File, request: Request): Promise<Response>
}

/**
 * Responds to GET and HEAD with files of this machine. Bun handles HEAD, Range, If-Range and 416 under our own headers,
 * without copying the file; 304 is handled here.
 */
export function fileResponder<File extends AudioFile>({
  pathOf,
  look,
  headers,
  send = sendFile,
  respondMissing = async (file) => refuseMissing(file),
}: FileResponder<File>) {
  const recent = recentFiles(pathOf, look, headers)
  const respondReady = (ready: ReadyFile, request: Request) =>
    isUnchanged(ready.hash, request) ? notModified(ready.headers) : send(ready, request)
  return {
    respond(file: File, request: Request): Response | Promise<Response> {
      const ready = recent.find(file)
      return ready instanceof Promise
        ? ready.then((found) => (found ? respondReady(found, request) : respondMissing(file, request)))
        : respondReady(ready, request)
    },
    forget: recent.forget,
  }
}

function sendFile(ready: ReadyFile, request: Request): Response | Promise<Response> {
  const range = byteRangeOf(request, ready)
  if (request.method === 'GET') countAudioBytes({}, sizeOf(range, ready))
  if (request.method !== 'GET' || !request.headers.has('range'))
    return new Response(ready.content, { headers: ready.headers })
  const byBun = () => new Response(ready.content, { headers: ready.rangeHeaders })
  const piece = range === null || range === 'outside' ? null : respondRange(ready, range)
  return piece instanceof Promise ? piece.then((found) => found ?? byBun()) : (piece ?? byBun())
}

export function refuseMissing(file: AudioFile): never {
  throw new AppError('not_found', 'This narration is missing. An operator can upload it again.', {
    cause: new Error(`There is a row for the audio ${file.hash}.${file.extension}, but no file.`),
  })
}
