import { readStored, writeStored } from '#islands/runtime/browser-storage'

const storageName = 'readStoriesCount'

/** Mirrors the free-reading meter for the visitor; the server's own count decides. */
export function countReadStory(): void {
  const count = Number(readStored('localStorage', storageName))
  writeStored('localStorage', storageName, String((Number.isSafeInteger(count) && count > 0 ? count : 0) + 1))
}
