import { readStored, writeStored } from '#islands/runtime/browser-storage'
import type { Track } from '#src/story/track-rules'

/** The loader looks for this name too, to bring the player back after a full load (lazy-islands.ts). */
const storageName = 'nocturne.track'

/** The track that was loaded when this tab's last page was closed; null where there was none. */
export function readStoredTrack(): Track | null {
  try {
    const stored: unknown = JSON.parse(readStored('sessionStorage', storageName) ?? 'null')
    return isTrack(stored) ? stored : null
  } catch {
    return null
  }
}

export function storeTrack(track: Track | null): void {
  writeStored('sessionStorage', storageName, track && JSON.stringify(track))
}

export function isTrack(value: unknown): value is Track {
  if (typeof value !== 'object' || value === null) return false
  const hasTexts = ['id', 'title', 'voice', 'src'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  )
  return hasTexts && 'meta' in value && typeof value.meta === 'object' && value.meta !== null
}
