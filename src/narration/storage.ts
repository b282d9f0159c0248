import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '#src/env'
import { securityHeaders } from '#src/http/headers'
import { Refusal } from '#src/refusal'
import { listBucket } from './audio-bucket'
import { audioCache } from './audio-cache'
import { keepInFolder, listFolder, placeIn, removeFromFolder, statIn } from './audio-folder'
import { fileResponder, refuseMissing } from './respond-file'
import { type AudioExtension, audioBytesMax, audioTypes } from './rules'
import { discardStaged, type StagedFile, stage, sweepStaged } from './staging'

/** A stored file is named by the SHA-256 of what it holds, so the same audio is stored once. */
export type AudioFile = { hash: string; extension: AudioExtension }
export type StoredAudio = AudioFile & { sizeBytes: number; modifiedAt: Date }

/** Where narrations lie: a folder, or an S3-compatible store. Both are used in the same way. */
export type AudioStorage = {
  /**
   * Takes a stream or the file at a path whole, under a temporary name on this machine. Throws `too_large`
   * past `bytesMax` (a gibibyte); what fails half-way leaves nothing behind.
   */
  receive(source: AsyncIterable<Uint8Array> | string, bytesMax?: number): Promise<StagedFile>
  /** Moves a staged file to its place for good. Harmless where the same audio is there already. */
  keep(staged: StagedFile, extension: AudioExtension): Promise<AudioFile>
  /** Forgets a staged file; harmless once it is kept. */
  discard(staged: Pick<StagedFile, 'path'>): Promise<void>
  /**
   * The answer to a GET or HEAD: whole, a range (206, 416) or "not modified" (304). Throws `not_found`
   * where the file is missing. Who may hear it is the caller's question.
   */
  respond(file: AudioFile, request: Request): Response | Promise<Response>
  /** Its bytes, for a backup or an export. Throws `not_found`. */
  read(file: AudioFile): Promise<ReadableStream<Uint8Array>>
  /** Size and time; null where it is missing. */
  find(file: AudioFile): Promise<StoredAudio | null>
  remove(file: AudioFile): Promise<void>
  /** Everything that is stored, in no order. */
  list(): AsyncIterable<StoredAudio>
  /** Removes temporary files that a killed program left; answers how many. */
  sweepStaged(): Promise<number>
}

/** The storage that the environment asks for: an S3-compatible store, or a folder under DATA_DIR. */
export function openStorage(env: Pick<Env, 's3' | 'dataDir' | 'isSecure'>): AudioStorage {
  const dir = join(env.dataDir, 'audio')
  // Put in here once, since each costs a small range as much as finding its bytes (measured).
  const headers = securityHeaders(env)
  return env.s3 ? s3Storage(env.s3, dir, headers) : folderStorage(dir, headers)
}

/** Audio in a folder of this machine; temporary files lie in it too, so that keeping one is a rename. */
export function folderStorage(dir: string, headers?: [string, string][]): AudioStorage {
  const staging = join(dir, 'incoming')
  const responder = fileResponder(
    (file) => placeIn(dir, file),
    (file) => statIn(dir, file),
    headers,
  )
  return {
    receive: (source, bytesMax = audioBytesMax) => stage(staging, streamOf(source), bytesMax),
    keep: (staged, extension) => keepInFolder(dir, staged, extension),
    discard: discardStaged,
    respond: responder.respond,
    async read(file) {
      if (!(await statIn(dir, file))) refuseMissing(file)
      return Bun.file(placeIn(dir, file)).stream()
    },
    find: (file) => statIn(dir, file),
    async remove(file) {
      responder.forget(file)
      await removeFromFolder(dir, file)
    },
    list: () => listFolder(dir),
    sweepStaged: () => sweepStaged(staging),
  }
}

/**
 * Audio in an S3-compatible store. It is heard through us, from a copy on this machine: a presigned address
 * would outlive the permission to hear, and the store may stand where browsers cannot reach it. `dir` holds
 * these copies and what is being received.
 */
export function s3Storage(
  settings: NonNullable<Env['s3']>,
  dir = join(tmpdir(), 'nocturne-audio'),
  headers?: [string, string][],
): AudioStorage {
  const client = new Bun.S3Client(settings)
  const keyOf = ({ hash, extension }: AudioFile) => `${hash.slice(0, 2)}/${hash}.${extension}`
  const staging = join(dir, 'incoming')
  const cache = audioCache({ cache: join(dir, 'cache'), staging }, (file) =>
    client.file(keyOf(file)).stream(),
  )
  const responder = fileResponder(cache.pathOf, (file) => cache.find(file).catch(absent), headers)
  async function find(file: AudioFile): Promise<StoredAudio | null> {
    const stat = await client.stat(keyOf(file)).catch(absent)
    return stat && { ...file, sizeBytes: stat.size, modifiedAt: new Date(stat.lastModified) }
  }
  return {
    receive: (source, bytesMax = audioBytesMax) => stage(staging, streamOf(source), bytesMax),
    async keep(staged, extension) {
      const file = { hash: staged.hash, extension }
      if ((await find(file))?.sizeBytes !== staged.sizeBytes) {
        await client.write(keyOf(file), Bun.file(staged.path), { type: audioTypes[extension] })
      }
      await discardStaged(staged)
      return file
    },
    discard: discardStaged,
    respond: responder.respond,
    async read(file) {
      if (!(await find(file))) refuseMissing(file)
      return client.file(keyOf(file)).stream()
    },
    find,
    async remove(file) {
      responder.forget(file)
      await cache.remove(file)
      await client.delete(keyOf(file)).catch(absent)
    },
    list: () => listBucket(client),
    sweepStaged: () => sweepStaged(staging),
  }
}

function streamOf(source: AsyncIterable<Uint8Array> | string): AsyncIterable<Uint8Array> {
  return typeof source === 'string' ? Bun.file(source).stream() : source
}

/** A store answers "no such key" as an error; with any other it is away, or wrongly set up. */
function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'NoSuchKey') return null
  throw new Refusal('unavailable', 'The audio cannot be reached for a moment. Please try again.', {
    cause: error,
    retryAfterSeconds: 5,
  })
}
