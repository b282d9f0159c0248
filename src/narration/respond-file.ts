import { isUnchanged, notModified } from './audio-answer'
import { respondRange } from './range-blocks'
import { recentFiles } from './recent-files'
import type { AudioFile, StoredAudio } from './storage'

/**
 * Answers GET and HEAD with files of this machine. Bun does HEAD, Range, If-Range and 416 for a file under
 * our own headers, without copying it; 304 is ours. Null where there is no such file.
 */
export function fileResponder(
  pathOf: (file: AudioFile) => string,
  look: (file: AudioFile) => Promise<StoredAudio | null>,
  headersOfAll: readonly [string, string][] = [],
) {
  const recent = recentFiles(pathOf, look, headersOfAll)
  return {
    async respond(file: AudioFile, request: Request): Promise<Response | null> {
      const remembered = recent.find(file)
      const ready = remembered instanceof Promise ? await remembered : remembered
      if (!ready) return null
      if (isUnchanged(file, request)) return notModified(ready.headers)
      const isRange = request.method === 'GET' && request.headers.has('range')
      const cut = isRange ? await respondRange(ready, request) : null
      if (cut) return cut
      return new Response(ready.content, { headers: isRange ? ready.rangeHeaders : ready.headers })
    },
    forget: recent.forget,
  }
}
