import { stat, utimes } from 'node:fs/promises'
import { keepInFolder, listFolder, placeIn, removeFromFolder, statIn } from './audio-folder'
import { audioBytesMax } from './rules'
import { discardStaged, stage } from './staging'
import type { AudioFile, StoredAudio } from './storage'

/** About 300 hours of speech: what is heard these days. */
const cacheBytesMax = 8 * 1024 * 1024 * 1024

/**
 * Copies of stored audio on this machine, fetched once and whole by `read`, checked against their hash: they
 * are answered as files are, with lengths and ranges, which a stream from elsewhere is not (Bun sends streams
 * in chunks, without Content-Length). Those not heard for longest go when there are too many.
 */
export function audioCache(
  folders: { cache: string; staging: string },
  read: (file: AudioFile) => ReadableStream<Uint8Array>,
  bytesMax = cacheBytesMax,
) {
  const fetching = new Map<string, Promise<void>>()

  async function fetchOnce(file: AudioFile): Promise<void> {
    const running = fetching.get(file.hash)
    if (running) return running
    const started = fetchWhole(file).finally(() => fetching.delete(file.hash))
    fetching.set(file.hash, started)
    return started
  }

  async function fetchWhole({ hash, extension }: AudioFile): Promise<void> {
    const staged = await stage(folders.staging, read({ hash, extension }), audioBytesMax)
    if (staged.hash !== hash) {
      await discardStaged(staged)
      throw new Error(`The store's ${hash}.${extension} holds something else (${staged.hash}).`)
    }
    await keepInFolder(folders.cache, staged, extension)
    await evict(folders.cache, bytesMax)
  }

  return {
    pathOf: (file: AudioFile) => placeIn(folders.cache, file),
    /** The copy of a file, fetched where there is none yet. */
    async find(file: AudioFile): Promise<StoredAudio | null> {
      const found = await statIn(folders.cache, file)
      if (!found) await fetchOnce(file)
      else await utimes(placeIn(folders.cache, file), new Date(), found.modifiedAt)
      return found ?? statIn(folders.cache, file)
    },
    remove: (file: AudioFile) => removeFromFolder(folders.cache, file),
  }
}

/** Removes what was not asked for for longest, until a tenth of the room is free again. */
async function evict(dir: string, bytesMax: number): Promise<void> {
  const files: (StoredAudio & { usedAtMs: number })[] = []
  for await (const file of listFolder(dir)) {
    files.push({ ...file, usedAtMs: (await stat(placeIn(dir, file))).atimeMs })
  }
  let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= bytesMax) return
  for (const file of files.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (bytes <= bytesMax * 0.9) return
    await removeFromFolder(dir, file)
    bytes -= file.sizeBytes
  }
}
