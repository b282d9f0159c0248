import { audioBytesMax } from '#src/narration/rules'
import type { AudioFile, StoredAudio } from './audio-file'
import { moveIntoFolder, placeIn } from './audio-folder'
import type { ByteRange } from './byte-range'
import { type GrowingFile, growingFile } from './growing-file'
import { discardStaged, stage, stagingPath } from './staging'

/** Where copies are made of: a stored file, or a range of it. */
export type AudioSource<File extends AudioFile> = (
  file: File,
  range?: ByteRange,
) => Promise<{ sizeBytes: number; modifiedAt: Date; chunks: AsyncIterable<Uint8Array<ArrayBuffer>> }>

/** A copy on its way. */
export type Fetching = {
  stored: StoredAudio
  /** What has arrived, readable at once. */
  copy: GrowingFile
  /** Rejects where it cannot be fetched, or is not what its name says. */
  whole: Promise<void>
  /** A range, read from the source itself. */
  readRange(range: ByteRange): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>>
}

/** The folders of copies and of what is being received, and where copies are made of. */
export type CopyPlaces<File extends AudioFile> = {
  cache: string
  staging: string
  source: AudioSource<File>
  /** False where the name of a file is not the hash of its content. */
  isNamedByContent: boolean
}

/** Begins to copy a stored file. Throws what the source throws where there is none. */
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
  // Listeners who read the copy get the error, and perhaps nobody waits for all of it.
  whole.catch(() => {})
  return {
    stored: { hash, extension, sizeBytes, modifiedAt },
    copy,
    whole,
    readRange: async (range) => (await places.source(file, range)).chunks,
  }
}

/** A chunk is asked for once the one before has been written. */
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
