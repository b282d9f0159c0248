import { keepStored, readStored } from '#islands/browser-storage'
import type { Track } from '#islands/events'

/** The loader looks for this name too, to bring the player back after a full load (lazy-islands.ts). */
const storageName = 'nocturne.track'

/** What was loaded when this tab's last page went; null where nothing was. */
export function readStoredTrack(): Track | null {
  try {
    const stored: unknown = JSON.parse(readStored('sessionStorage', storageName) ?? 'null')
    return isTrack(stored) ? stored : null
  } catch {
    return null
  }
}

export function keepStoredTrack(track: Track | null): void {
  keepStored('sessionStorage', storageName, track && JSON.stringify(track))
}

export function isTrack(value: unknown): value is Track {
  if (typeof value !== 'object' || value === null) return false
  const hasTexts = ['id', 'title', 'voice', 'src'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  )
  return hasTexts && 'meta' in value && typeof value.meta === 'object' && value.meta !== null
}
