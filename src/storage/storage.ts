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

/** The storage of narrations: a folder, or an S3-compatible store. Both have the same interface. */
export type AudioStorage = {
  /** Throws `unavailable` where so many bytes do not fit on the disk that receives them, before any is received. */
  requireRoom(bytes: number): Promise<void>
  /**
   * Writes a stream or the file at a path under a temporary name on this machine. Throws `too_large` past `bytesMax`
   * (a gibibyte); a failure leaves nothing behind.
   */
  receive(source: AsyncIterable<Uint8Array> | string, bytesMax?: number): Promise<StagedFile>
  /** Moves a staged file to its place for good. Harmless where the same audio is there already. */
  commit(staged: StagedFile, extension: AudioExtension): Promise<AudioFile>
  /** Deletes a staged file; does nothing once it is stored. */
  discard(staged: Pick<StagedFile, 'path'>): Promise<void>
  /**
   * The answer to a GET or HEAD: whole, a range (206, 416) or "not modified" (304). Throws `not_found` where the file
   * is missing. The caller checks who may hear it.
   */
  respond(file: AudioFile, request: Request): Response | Promise<Response>
  /** The same for its first seconds alone, cut at a frame. */
  respondPreview(file: AudioFile, seconds: number, request: Request): Response | Promise<Response>
  /** Its bytes, for a backup or an export. Throws `not_found`. */
  read(file: AudioFile): Promise<ReadableStream<Uint8Array>>
  /** Size and time; null where it is missing. */
  find(file: AudioFile): Promise<StoredAudio | null>
  remove(file: AudioFile): Promise<void>
  /** All stored files, or those of a folder: whose hashes begin with these two characters. In no order. */
  list(folder?: string): AsyncIterable<StoredAudio>
  /** Removes a killed program's temporary files; returns how many. */
  sweepStaged(): Promise<number>
}

/** The storage that the environment configures: an S3-compatible store, or a folder under DATA_DIR. */
export function openStorage(env: Pick<Env, 's3' | 'dataDir' | 'isSecure' | 'audioDelivery'>): AudioStorage {
  const dir = join(env.dataDir, 'audio')
  // Created here once, since creating it for a small range costs as much as finding its bytes (measured).
  const headers = securityHeaders(env)
  return env.s3
    ? s3Storage(env.s3, dir, headers, env.audioDelivery)
    : folderStorage(dir, headers, env.audioDelivery)
}

/** Audio in a folder of this machine; temporary files lie in it too, so that storing one is a rename. */
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
 * Audio in an S3-compatible store. It is served through us, from a copy on this machine, unless the operator has
 * browsers redirected: a presigned address outlives the permission to hear, and browsers have to reach the store.
 * What has no copy yet is heard while it is copied. `dir` holds these copies and the files being received.
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
      if ((await find(file))?.sizeBytes !== staged.sizeBytes) {
        await bucket.write(keyOf(file), staged.path, audioTypes[extension])
      }
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

/** A store answers "no such key" as an error; with any other it is away, or wrongly set up. */
function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'NoSuchKey') return null
  throw new AppError('unavailable', 'The audio cannot be reached for a moment. Please try again.', {
    cause: error,
    retryAfterSeconds: 5,
  })
}
