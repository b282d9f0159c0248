import { stat, utimes } from 'node:fs/promises'
import { evictLeastRecent } from '#src/disk/evict'
import { audioBytesMax } from '#src/narration/rules'
import type { AudioFile, StoredAudio } from './audio-file'
import { listFolder, moveIntoFolder, placeIn, removeFromFolder, statIn } from './audio-folder'
import { discardStaged, stage } from './staging'

/** About 300 hours of speech: the most recently played. */
const cacheBytesMax = 8 * 1024 * 1024 * 1024

/**
 * Copies of stored audio on this machine. `read` fetches each once and whole, and it is verified against its hash.
 * Copies are served as files are, with lengths and ranges; a remote stream would not be (Bun sends streams in
 * chunks, without Content-Length). Files that are not `isNamedByContent` were made from others. The least recently
 * used copies are removed when there are too many.
 */
export function audioCache<File extends AudioFile>(
  folders: { cache: string; staging: string },
  read: (file: File) => Promise<AsyncIterable<Uint8Array>>,
  { bytesMax = cacheBytesMax, isNamedByContent = true } = {},
) {
  const fetching = new Map<string, Promise<void>>()

  async function fetchOnce(file: File): Promise<void> {
    const running = fetching.get(file.hash)
    if (running) return running
    const started = fetchWhole(file).finally(() => fetching.delete(file.hash))
    fetching.set(file.hash, started)
    return started
  }

  async function fetchWhole(file: File): Promise<void> {
    const { hash, extension } = file
    const staged = await stage(folders.staging, await read(file), audioBytesMax)
    if (isNamedByContent && staged.hash !== hash) {
      await discardStaged(staged)
      throw new Error(`The store's ${hash}.${extension} holds something else (${staged.hash}).`)
    }
    await moveIntoFolder(folders.cache, { ...staged, hash }, extension)
    await evict(folders.cache, bytesMax)
  }

  return {
    pathOf: (file: AudioFile) => placeIn(folders.cache, file),
    /** The copy of a file, fetched where there is none yet. */
    async find(file: File): Promise<StoredAudio | null> {
      const found = await statIn(folders.cache, file)
      if (!found) await fetchOnce(file)
      else await utimes(placeIn(folders.cache, file), new Date(), found.modifiedAt)
      return found ?? statIn(folders.cache, file)
    },
    remove: (file: AudioFile) => removeFromFolder(folders.cache, file),
  }
}

async function evict(dir: string, bytesMax: number): Promise<void> {
  const files: (StoredAudio & { usedAtMs: number })[] = []
  for await (const file of listFolder(dir)) {
    files.push({ ...file, usedAtMs: (await stat(placeIn(dir, file))).atimeMs })
  }
  await evictLeastRecent(files, bytesMax, (file) => removeFromFolder(dir, file))
}
