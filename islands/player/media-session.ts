import type { PlayerState } from '#islands/player/machine'
import { mediaWordsOf } from '#islands/player/media-words'
import { skipSeconds } from '#src/listening/rules'

export type MediaCommands = {
  resume: () => void
  pause: () => void
  seekTo: (seconds: number) => void
  skip: (seconds: number) => void
  next: () => void
  previous: () => void
  close: () => void
}

/** Connects media keys, headphones and the lock screen to the player. Returns a function that disconnects them. */
export function startMediaSession(commands: MediaCommands): () => void {
  if (!('mediaSession' in navigator)) return () => {}
  const { resume, pause, seekTo, skip, next, previous, close } = commands
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', resume],
    ['pause', pause],
    ['stop', close],
    ['nexttrack', next],
    ['previoustrack', previous],
    ['seekbackward', ({ seekOffset }) => skip(-(seekOffset ?? skipSeconds))],
    ['seekforward', ({ seekOffset }) => skip(seekOffset ?? skipSeconds)],
    ['seekto', ({ seekTime }) => seekTime !== undefined && seekTo(seekTime)],
  ]
  for (const [action, handler] of handlers) setHandler(action, handler)
  return () => {
    for (const [action] of handlers) setHandler(action, null)
    showMedia(null)
  }
}

/** Shows the loaded track in the system's media controls; null clears it. */
export function showMedia(state: PlayerState | null): void {
  if (!('mediaSession' in navigator)) return
  const { mediaSession } = navigator
  if (!state?.currentTrack) {
    mediaSession.metadata = null
    mediaSession.playbackState = 'none'
    return
  }
  const { title, artist, cover } = mediaWordsOf(
    state.currentTrack,
    'discreet' in document.body.dataset ? 'discreet' : 'plain',
  )
  mediaSession.metadata = new MediaMetadata({
    title,
    artist,
    artwork: cover
      ? [{ src: new URL(cover, location.href).href, sizes: '480x480', type: 'image/svg+xml' }]
      : [],
  })
}

/** Shows the position in the system's media controls. The system extrapolates from it. */
export function showMediaPosition(state: PlayerState, speed: number): void {
  // The pause event at the end of playback arrives after the track was cleared.
  if (!('mediaSession' in navigator) || !state.currentTrack) return
  const { isPlaying, currentTime, duration } = state
  navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused'
  if (duration <= 0) return
  navigator.mediaSession.setPositionState({
    duration,
    position: Math.min(currentTime, duration),
    playbackRate: speed,
  })
}

/** Sets a handler. Browsers throw for actions that they do not know. */
function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler)
  } catch {
    // The system then has no button for it.
  }
}
