import { LRUCache } from 'lru-cache'
import type { AudioExtension } from '#src/narration/rules'
import { audioHeaders, withRanges } from './audio-answer'
import type { AudioFile, StoredAudio } from './audio-file'

/** The constant parts of every answer with a file. */
export type ReadyFile = {
  hash: string
  extension: AudioExtension
  sizeBytes: number
  content: Bun.BunFile
  /**
   * Headers of an answer to a range by Bun, of a range that we cut, and of every other one. Built once: building an
   * object costs three times as much.
   */
  rangeHeaders: Headers
  pieceHeaders: Headers
  headers: Headers
}

/**
 * A player requests a file in hundreds of ranges: its existence and the headers of its answers are cached for five
 * seconds. A file does not change, and one that another process removes may be served so long; a removal here clears
 * its entry.
 */
const limits = { max: 2_000, ttl: 5_000 }

/**
 * Caches files by their hash. `look` finds one on the disk, null where there is none. Every response has
 * `headersOfAll`.
 */
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
    /** A cached file is returned without a promise: this is the path of almost every range. */
    find(file: File): ReadyFile | Promise<ReadyFile | null> {
      return ready.get(file.hash) ?? find(file)
    },
    forget: (file: AudioFile) => void ready.delete(file.hash),
  }
}
