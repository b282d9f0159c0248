import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { cutAudio } from '#src/audio-format/cut-audio'
import { sha256 } from '#src/security/keyed-hash'
import { audioCache } from './audio-cache'
import type { AudioFile } from './audio-file'
import { type FileWindow, withFileWindow } from './file-window'
import { fileResponder } from './respond-file'

/** Maximum size of all previews: about 2,000 of half a minute. */
const previewBytesMax = 1024 * 1024 * 1024

/** A preview, with the file it is cut from and its length in seconds. Its name is a hash of both. */
type Preview = AudioFile & { of: AudioFile; seconds: number }

/**
 * Responds with the first seconds of stored audio. A preview is cut once, at a frame, into a file below `dir`, and then
 * served like any file. `pathOf` returns the path of the whole audio on this machine, and rejects with `not_found` if
 * it is missing.
 */
export function previewResponder(
  dir: string,
  pathOf: (file: AudioFile) => Promise<string>,
  headers: readonly [string, string][],
) {
  const cache = audioCache<Preview>(
    { cache: join(dir, 'previews'), staging: join(dir, 'incoming') },
    async ({ of, seconds }) => cut(await pathOf(of), of, seconds),
    { bytesMax: previewBytesMax, isNamedByContent: false },
  )
  const responder = fileResponder<Preview>({ pathOf: cache.pathOf, look: cache.find, headers })
  return (of: AudioFile, seconds: number, request: Request) =>
    responder.respond(
      { hash: sha256(`${of.hash} ${seconds}`), extension: of.extension, of, seconds },
      request,
    )
}

async function cut(path: string, { extension }: AudioFile, seconds: number) {
  const bytes = await withFileWindow(path, (window: FileWindow) => cutAudio(window, extension, seconds))
  if (!bytes) throw new AppError('not_found', 'There is no preview of this narration.')
  return {
    sizeBytes: bytes.byteLength,
    modifiedAt: new Date(),
    chunks: new Blob([new Uint8Array(bytes)]).stream(),
  }
}
