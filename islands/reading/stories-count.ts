import { readStored, writeStored } from '#islands/runtime/browser-storage'

const storageName = 'readStoriesCount'

/** Counts a read story in this browser, to show the free-reading meter. The server's own count decides. */
export function countReadStory(): void {
  const count = Number(readStored('localStorage', storageName))
  writeStored('localStorage', storageName, String((Number.isSafeInteger(count) && count > 0 ? count : 0) + 1))
}
