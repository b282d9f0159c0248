import { audioHeaders, withRanges } from './audio-answer'
import type { AudioFile, StoredAudio } from './storage'

/** What is the same in every answer with a file. */
export type ReadyFile = {
  hash: string
  sizeBytes: number
  content: Bun.BunFile
  /** Of an answer to a range, and of every other one. Made once: reading an object costs three times as much. */
  rangeHeaders: Headers
  headers: Headers
  until: number
}

/**
 * A player asks for a file in hundreds of ranges: that it is there, and how its answers begin, is
 * remembered for this long. A file does not change, and one that another process removes may be missed so
 * long.
 */
const keptMs = 5_000
const keptMax = 2_000

/** Remembers files by their hash; `look` finds one on the disk, or answers null. Every answer has `headersOfAll`. */
export function recentFiles(
  pathOf: (file: AudioFile) => string,
  look: (file: AudioFile) => Promise<StoredAudio | null>,
  headersOfAll: readonly [string, string][],
) {
  const ready = new Map<string, ReadyFile>()
  async function find(file: AudioFile): Promise<ReadyFile | null> {
    const found = await look(file)
    ready.delete(file.hash)
    if (!found) return null
    const headers = { ...Object.fromEntries(headersOfAll), ...audioHeaders(found) }
    const made: ReadyFile = {
      hash: found.hash,
      sizeBytes: found.sizeBytes,
      content: Bun.file(pathOf(file)),
      rangeHeaders: new Headers(headers),
      headers: new Headers(withRanges(headers)),
      until: performance.now() + keptMs,
    }
    ready.set(file.hash, made)
    if (ready.size > keptMax) ready.delete(ready.keys().next().value ?? '')
    return made
  }
  return {
    /** At once where it is remembered: the path of almost every range. */
    find(file: AudioFile): ReadyFile | Promise<ReadyFile | null> {
      const kept = ready.get(file.hash)
      return kept && kept.until > performance.now() ? kept : find(file)
    },
    forget: (file: AudioFile) => void ready.delete(file.hash),
  }
}
