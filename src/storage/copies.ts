import { stat } from 'node:fs/promises'
import { evictLeastRecent } from '#src/disk/evict'
import type { AudioFile, StoredAudio } from './audio-file'
import { listFolder, placeIn, removeFromFolder } from './audio-folder'

type Copy = AudioFile & { sizeBytes: number; usedAtMs: number }

/**
 * Tracks the copies in a folder and when each was last used, so that evicting needs no listing of the folder. The
 * folder is listed in the background when the first copy is added, and again after each tenth of `bytesMax`, since
 * other processes of this machine add copies too.
 */
export function copiesIn(dir: string, bytesMax: number) {
  const copies = new Map<string, Copy>()
  let bytes = 0
  let unlistedBytes = bytesMax / listedShare
  let isListing = false

  function put(copy: Copy): void {
    forget(copy)
    copies.set(copy.hash, copy)
    bytes += copy.sizeBytes
  }

  function forget({ hash }: Pick<AudioFile, 'hash'>): void {
    bytes -= copies.get(hash)?.sizeBytes ?? 0
    copies.delete(hash)
  }

  async function evict(): Promise<void> {
    if (bytes <= bytesMax) return
    await evictLeastRecent([...copies.values()], bytesMax, async (copy) => {
      forget(copy)
      await removeFromFolder(dir, copy)
    })
  }

  async function list(): Promise<void> {
    const gone = new Set(copies.keys())
    for await (const { hash, extension, sizeBytes } of listFolder(dir)) {
      if (gone.delete(hash) || copies.has(hash)) continue
      const found = await stat(placeIn(dir, { hash, extension })).catch(() => null)
      if (found) put({ hash, extension, sizeBytes, usedAtMs: found.atimeMs })
    }
    for (const hash of gone) forget({ hash })
    await evict()
  }

  async function listInBackground(): Promise<void> {
    if (isListing) return
    isListing = true
    unlistedBytes = 0
    // A failed listing is repeated after the next tenth.
    await list().catch(() => {})
    isListing = false
  }

  return {
    /** Records that a copy has been used just now. */
    use: ({ hash, extension, sizeBytes }: StoredAudio) =>
      put({ hash, extension, sizeBytes, usedAtMs: Date.now() }),
    /** Records a new copy, and evicts others if they are too many. */
    async add({ hash, extension, sizeBytes }: StoredAudio): Promise<void> {
      put({ hash, extension, sizeBytes, usedAtMs: Date.now() })
      unlistedBytes += sizeBytes
      if (unlistedBytes >= bytesMax / listedShare) void listInBackground()
      await evict()
    },
    forget,
  }
}

const listedShare = 10
