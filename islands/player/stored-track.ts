import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { trackKey } from '#islands/runtime/track-key'
import type { Track } from '#src/story/track-rules'

const barName = 'nocturne.bar'

/** Returns the track that was loaded when this tab's last page was closed, or null. */
export function readStoredTrack(): Track | null {
  try {
    const stored: unknown = JSON.parse(readStored('sessionStorage', trackKey) ?? 'null')
    return isTrack(stored) ? stored : null
  } catch {
    return null
  }
}

export function storeTrack(track: Track | null): void {
  writeStored('sessionStorage', trackKey, track && JSON.stringify(track))
  if (!track) writeStored('sessionStorage', barName, null)
}

/** Returns the markup of the bar on this tab's last page, or null. */
export const readStoredBar = () => readStored('sessionStorage', barName)

/** Stores the bar in the state in which the next page shows it first: paused, without menus and notices. */
export function storeBar(): void {
  const bar = document.querySelector('#player-host .player')?.cloneNode(true)
  if (!(bar instanceof Element)) return
  for (const extra of bar.querySelectorAll('.player-end ~ *')) extra.remove()
  const play = bar.querySelector('.player-play')
  play?.setAttribute('aria-label', 'Play')
  play?.removeAttribute('aria-busy')
  // Only attributes are part of the markup.
  for (const slider of bar.querySelectorAll('input')) slider.defaultValue = slider.value
  play?.querySelector('.icon')?.classList.replace('i-lucide-solid-pause', 'i-lucide-solid-play')
  writeStored('sessionStorage', barName, bar.outerHTML)
}

export function isTrack(value: unknown): value is Track {
  if (typeof value !== 'object' || value === null) return false
  const hasTexts = ['id', 'title', 'voice', 'src'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  )
  return hasTexts && 'meta' in value && typeof value.meta === 'object' && value.meta !== null
}
