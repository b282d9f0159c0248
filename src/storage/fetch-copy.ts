import { audioBytesMax } from '#src/narration/rules'
import type { AudioFile, StoredAudio } from './audio-file'
import { moveIntoFolder, placeIn } from './audio-folder'
import type { ByteRange } from './byte-range'
import { type GrowingFile, growingFile } from './growing-file'
import { discardStaged, stage, stagingPath } from './staging'

/** Reads a stored file, or a range of it, to make a copy. */
export type AudioSource<File extends AudioFile> = (
  file: File,
  range?: ByteRange,
) => Promise<{ sizeBytes: number; modifiedAt: Date; chunks: AsyncIterable<Uint8Array<ArrayBuffer>> }>

/** A copy that is being fetched. */
export type Fetching = {
  stored: StoredAudio
  /** The part that has arrived, which can be read at once. */
  copy: GrowingFile
  /** Resolves when the copy is complete. Rejects if it cannot be fetched, or its content does not match its hash. */
  whole: Promise<void>
  /** Reads a range from the source itself. */
  readRange(range: ByteRange): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>>
}

/** The folders of finished copies and of files being received, and the source of the copies. */
export type CopyPlaces<File extends AudioFile> = {
  cache: string
  staging: string
  source: AudioSource<File>
  /** Whether a file is named by the hash of its content. */
  isNamedByContent: boolean
}

/** Starts to copy a stored file. Throws what the source throws for a missing one. */
export async function fetchCopy<File extends AudioFile>(
  places: CopyPlaces<File>,
  file: File,
): Promise<Fetching> {
  const { hash, extension } = file
  const { sizeBytes, modifiedAt, chunks } = await places.source(file)
  const path = stagingPath(places.staging)
  const copy = growingFile([path, placeIn(places.cache, file)], sizeBytes)
  const whole = storeCopy(places, file, { path, chunks: counted(chunks, copy) }).then(
    copy.complete,
    (error) => {
      copy.fail(error)
      throw error
    },
  )
  // Readers of the growing file receive the error, and perhaps nobody awaits `whole`.
  whole.catch(() => {})
  return {
    stored: { hash, extension, sizeBytes, modifiedAt },
    copy,
    whole,
    readRange: async (range) => (await places.source(file, range)).chunks,
  }
}

/** Counts each chunk as readable once it has been written, which is when the next one is pulled. */
async function* counted<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  copy: GrowingFile,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    yield chunk
    copy.grow(chunk.byteLength)
  }
}

async function storeCopy<File extends AudioFile>(
  { cache, staging, isNamedByContent }: CopyPlaces<File>,
  { hash, extension }: File,
  { path, chunks }: { path: string; chunks: AsyncIterable<Uint8Array> },
): Promise<void> {
  const staged = await stage(staging, chunks, audioBytesMax, path)
  if (isNamedByContent && staged.hash !== hash) {
    await discardStaged(staged)
    throw new Error(`The store's ${hash}.${extension} holds something else (${staged.hash}).`)
  }
  await moveIntoFolder(cache, { ...staged, hash }, extension)
}
