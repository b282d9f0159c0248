import { LRUCache } from 'lru-cache'
import type { AudioExtension } from '#src/narration/rules'
import { audioHeaders, withRanges } from './audio-answer'
import type { AudioFile, StoredAudio } from './audio-file'

/** The constant parts of every response with a file. */
export type ReadyFile = {
  hash: string
  extension: AudioExtension
  sizeBytes: number
  content: Bun.BunFile
  /**
   * Headers of responses to a range by Bun, of a range cut from a block, and of all others. They are built once, since
   * building an object costs three times as much.
   */
  rangeHeaders: Headers
  pieceHeaders: Headers
  headers: Headers
}

/**
 * A player requests a file in hundreds of ranges, so its existence and its headers are cached for five seconds. A file
 * never changes. One that another process removes may be served for that long; a removal by this process clears the
 * entry.
 */
const limits = { max: 2_000, ttl: 5_000 }

/** Cache of files by hash. `look` finds a file on the disk, or returns null. `headersOfAll` are in every response. */
export function recentFiles<File extends AudioFile>(
  pathOf: (file: AudioFile) => string,
  look: (file: File) => Promise<StoredAudio | null>,
  headersOfAll: readonly [string, string][],
) {
  const ready = new LRUCache<string, ReadyFile>(limits)
  async function find(file: File): Promise<ReadyFile | null> {
    const found = await look(file)
    ready.delete(file.hash)
    if (!found) return null
    const headers = { ...Object.fromEntries(headersOfAll), ...audioHeaders(found) }
    const made: ReadyFile = {
      hash: found.hash,
      extension: found.extension,
      sizeBytes: found.sizeBytes,
      content: Bun.file(pathOf(file)),
      rangeHeaders: new Headers(headers),
      pieceHeaders: new Headers(withRanges(headers)),
      headers: new Headers(withRanges(headers)),
    }
    ready.set(file.hash, made)
    return made
  }
  return {
    /** Returns a cached file without a promise, since this runs for almost every range. */
    find(file: File): ReadyFile | Promise<ReadyFile | null> {
      return ready.get(file.hash) ?? find(file)
    },
    forget: (file: AudioFile) => void ready.delete(file.hash),
  }
}
