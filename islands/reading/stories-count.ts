import { keepStored, readStored } from '#islands/browser-storage'

const storageName = 'readStoriesCount'

/** Mirrors the free-reading meter for the visitor (visitor.md §3); the server's own count is what holds. */
export function countReadStory(): void {
  const count = Number(readStored('localStorage', storageName))
  keepStored('localStorage', storageName, String((Number.isSafeInteger(count) && count > 0 ? count : 0) + 1))
}
