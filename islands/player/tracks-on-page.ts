import { isTrack } from '#islands/player/stored-track'
import type { Track } from '#src/story/track-rules'

/** Returns the tracks that follow a track on this page, in the page's order. */
export function tracksAfter(track: Track): Track[] {
  const shown = [...document.querySelectorAll('nocturne-island > script')].flatMap((block) => trackIn(block))
  const at = shown.findIndex(({ id }) => id === track.id)
  return at < 0 ? [] : shown.slice(at + 1)
}

function trackIn(block: Element): Track[] {
  const props: unknown = JSON.parse(block.textContent || 'null')
  const track = typeof props === 'object' && props !== null && 'track' in props ? props.track : null
  return isTrack(track) && !('hasAudio' in track.meta && track.meta.hasAudio === false) ? [track] : []
}
