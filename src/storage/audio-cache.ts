import { utimes } from 'node:fs/promises'
import type { AudioFile, StoredAudio } from './audio-file'
import { absent, placeIn, removeFromFolder, statIn } from './audio-folder'
import { copiesIn } from './copies'
import { type AudioSource, type Fetching, fetchCopy } from './fetch-copy'

/** Maximum size of all copies: about 300 hours of speech. */
const cacheBytesMax = 8 * 1024 * 1024 * 1024

/**
 * Copies of stored audio on this machine. A missing copy is fetched from `source` once, as a whole, and verified
 * against its hash. Copies are served like local files, with lengths and ranges. With `isNamedByContent` false, files
 * are derived from others and not verified. The least recently used copies are evicted beyond `bytesMax`.
 */
export function audioCache<File extends AudioFile>(
  folders: { cache: string; staging: string },
  source: AudioSource<File>,
  { bytesMax = cacheBytesMax, isNamedByContent = true } = {},
) {
  const places = { ...folders, source, isNamedByContent }
  const fetching = new Map<string, Promise<Fetching>>()
  const copies = copiesIn(folders.cache, bytesMax)

  /** Concurrent requests for a file share one fetch. */
  function fetchOnce(file: File): Promise<Fetching> {
    const running = fetching.get(file.hash)
    if (running) return running
    const started = fetchAndAdd(file)
    fetching.set(file.hash, started)
    const forget = () => void fetching.delete(file.hash)
    started.then(({ whole }) => whole).then(forget, forget)
    return started
  }

  async function fetchAndAdd(file: File): Promise<Fetching> {
    const begun = await fetchCopy(places, file)
    return { ...begun, whole: begun.whole.then(() => copies.add(begun.stored)) }
  }

  async function findCopy(file: AudioFile): Promise<StoredAudio | null> {
    const found = await statIn(folders.cache, file)
    if (!found) return null
    copies.use(found)
    // An eviction, or another process of this machine, may have removed the copy meanwhile.
    const used = await utimes(placeIn(folders.cache, file), new Date(), found.modifiedAt).then(
      () => found,
      absent,
    )
    if (!used) copies.forget(file)
    return used
  }

  return {
    pathOf: (file: AudioFile) => placeIn(folders.cache, file),
    /** The copy of a file; null if there is none. */
    findCopy,
    /** Starts to fetch a file that has no copy yet, or joins the fetch in progress. */
    fetch: fetchOnce,
    /** The copy of a file, fetched first if there is none. */
    async find(file: File): Promise<StoredAudio | null> {
      const found = await findCopy(file)
      if (found) return found
      await (await fetchOnce(file)).whole
      return statIn(folders.cache, file)
    },
    async remove(file: AudioFile): Promise<void> {
      copies.forget(file)
      await removeFromFolder(folders.cache, file)
    },
  }
}
