import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { requireRoom } from '#src/disk/room'
import type { Env } from '#src/env'
import { securityHeaders } from '#src/http/headers'
import { type AudioExtension, audioBytesMax, audioTypes } from '#src/narration/rules'
import { openBucket } from './audio-bucket'
import { audioCache } from './audio-cache'
import { type AudioFile, keyOf, type StoredAudio } from './audio-file'
import { listFolder, moveIntoFolder, placeIn, removeFromFolder, statIn } from './audio-folder'
import { mayBeRedirected, redirectSeconds, redirectTo, sendByNginx } from './delivery'
import { previewResponder } from './previews'
import { respondFetching } from './respond-fetching'
import { fileResponder, refuseMissing } from './respond-file'
import { discardStaged, type StagedFile, stage, sweepStaged } from './staging'

/** The storage of narrations: a folder or an S3-compatible store, behind one interface. */
export type AudioStorage = {
  /** Throws `unavailable` if the receiving disk has no room for so many bytes. Called before any are received. */
  requireRoom(bytes: number): Promise<void>
  /**
   * Writes a stream, or the file at a path, to a temporary file on this machine. Throws `too_large` past `bytesMax` (by
   * default a gibibyte). A failure leaves nothing behind.
   */
  receive(source: AsyncIterable<Uint8Array> | string, bytesMax?: number): Promise<StagedFile>
  /** Moves a staged file to its final place. Harmless if the same audio is stored already. */
  commit(staged: StagedFile, extension: AudioExtension): Promise<AudioFile>
  /** Deletes a staged file; does nothing once it has been committed. */
  discard(staged: Pick<StagedFile, 'path'>): Promise<void>
  /**
   * Responds to GET or HEAD: whole, a range (206, 416) or "not modified" (304). Throws `not_found` if the file is
   * missing. The caller checks who may hear it.
   */
  respond(file: AudioFile, request: Request): Response | Promise<Response>
  /** Like `respond`, for the first seconds only, cut at a frame. */
  respondPreview(file: AudioFile, seconds: number, request: Request): Response | Promise<Response>
  /** The bytes of a file, for a backup or an export. Throws `not_found`. */
  read(file: AudioFile): Promise<ReadableStream<Uint8Array>>
  /** Size and time of a file; null if it is missing. */
  find(file: AudioFile): Promise<StoredAudio | null>
  remove(file: AudioFile): Promise<void>
  /** All stored files, in no order; or those of a folder, which is the first two characters of their hashes. */
  list(folder?: string): AsyncIterable<StoredAudio>
  /** Removes the temporary files of killed programs; returns how many. */
  sweepStaged(): Promise<number>
}

/** Opens the storage that the environment configures: an S3-compatible store, or a folder under DATA_DIR. */
export function openStorage(env: Pick<Env, 's3' | 'dataDir' | 'isSecure' | 'audioDelivery'>): AudioStorage {
  const dir = join(env.dataDir, 'audio')
  // Built once: building the headers for each small range costs as much as finding its bytes (measured).
  const headers = securityHeaders(env)
  return env.s3
    ? s3Storage(env.s3, dir, headers, env.audioDelivery)
    : folderStorage(dir, headers, env.audioDelivery)
}

/** Audio in a folder of this machine. Temporary files are in the same folder, so that a commit is a rename. */
export function folderStorage(
  dir: string,
  headers: [string, string][] = [],
  delivery: Env['audioDelivery'] = 'proxy',
): AudioStorage {
  const staging = join(dir, 'incoming')
  const responder = fileResponder({
    pathOf: (file) => placeIn(dir, file),
    look: (file) => statIn(dir, file),
    headers,
    ...(delivery === 'accel' && { send: sendByNginx }),
  })
  return {
    requireRoom: (bytes) => requireRoom(staging, bytes),
    receive: (source, bytesMax = audioBytesMax) => stage(staging, streamOf(source), bytesMax),
    commit: (staged, extension) => moveIntoFolder(dir, staged, extension),
    discard: discardStaged,
    respond: responder.respond,
    respondPreview: previewResponder(
      dir,
      async (file) => ((await statIn(dir, file)) ? placeIn(dir, file) : refuseMissing(file)),
      headers,
    ),
    async read(file) {
      if (!(await statIn(dir, file))) refuseMissing(file)
      return Bun.file(placeIn(dir, file)).stream()
    },
    find: (file) => statIn(dir, file),
    async remove(file) {
      responder.forget(file)
      await removeFromFolder(dir, file)
    },
    list: (folder) => listFolder(dir, folder),
    sweepStaged: () => sweepStaged(staging),
  }
}

/**
 * Audio in an S3-compatible store. It is served by us, from a copy on this machine, unless the operator chose
 * redirects: a presigned address outlives the permission to hear, and browsers have to reach the store. Audio without a
 * copy can be played while it is copied. `dir` holds the copies and the files being received.
 */
export function s3Storage(
  settings: NonNullable<Env['s3']>,
  dir: string,
  headers: [string, string][] = [],
  delivery: Env['audioDelivery'] = 'proxy',
): AudioStorage {
  const bucket = openBucket(settings)
  const staging = join(dir, 'incoming')
  const cache = audioCache({ cache: join(dir, 'cache'), staging }, (file, range) =>
    bucket.open(keyOf(file), range),
  )
  const responder = fileResponder({
    pathOf: cache.pathOf,
    look: cache.findCopy,
    headers,
    async respondMissing(file, request) {
      const answer = await cache
        .fetch(file)
        .then((fetching) => respondFetching(fetching, request, headers))
        .catch(absent)
      return answer ?? refuseMissing(file)
    },
  })
  async function find(file: AudioFile): Promise<StoredAudio | null> {
    const found = await bucket.find(keyOf(file)).catch(absent)
    return found && { ...file, ...found }
  }
  const redirector = fileResponder({
    pathOf: cache.pathOf,
    look: find,
    headers,
    send: redirectTo((file) => bucket.presign(keyOf(file), redirectSeconds)),
  })
  return {
    respondPreview: previewResponder(
      dir,
      async (file) => ((await cache.find(file).catch(absent)) ? cache.pathOf(file) : refuseMissing(file)),
      headers,
    ),
    requireRoom: (bytes) => requireRoom(staging, bytes),
    receive: (source, bytesMax = audioBytesMax) => stage(staging, streamOf(source), bytesMax),
    async commit(staged, extension) {
      const file = { hash: staged.hash, extension }
      // An existing object is replaced: only reading all of it would show whether it holds these bytes.
      await bucket.write(keyOf(file), staged.path, audioTypes[extension])
      await discardStaged(staged)
      return file
    },
    discard: discardStaged,
    respond: (file, request) =>
      delivery === 'redirect' && mayBeRedirected(request)
        ? redirector.respond(file, request)
        : responder.respond(file, request),
    async read(file) {
      if (!(await find(file))) refuseMissing(file)
      return (await bucket.open(keyOf(file))).chunks
    },
    find,
    async remove(file) {
      responder.forget(file)
      redirector.forget(file)
      await cache.remove(file)
      await bucket.remove(keyOf(file)).catch(absent)
    },
    list: bucket.list,
    sweepStaged: () => sweepStaged(staging),
  }
}

function streamOf(source: AsyncIterable<Uint8Array> | string): AsyncIterable<Uint8Array> {
  return typeof source === 'string' ? Bun.file(source).stream() : source
}

/**
 * Returns null for the store's error "no such key". Any other error means that the store is unreachable or wrongly
 * configured, and is thrown.
 */
function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'NoSuchKey') return null
  throw new AppError('unavailable', 'The audio cannot be reached for a moment. Please try again.', {
    cause: error,
    retryAfterSeconds: 5,
  })
}
