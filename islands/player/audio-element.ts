import { createPlayOut } from '#islands/player/play-out'

/** Events of the one audio element. Times in seconds. */
export type AudioListener = {
  onDuration: (seconds: number) => void
  onPlaying: () => void
  onWaiting: () => void
  onPaused: () => void
  onTime: (seconds: number) => void
  onSought: () => void
  onEnded: () => void
  /** Playback has failed and is silent. `isDecoding`: the data cannot be played; otherwise they did not arrive. */
  onError: (failure: AudioFailure) => void
}

export type AudioFailure = { message: string; isDecoding: boolean }

export type AudioOutput = ReturnType<typeof createAudioOutput>

/**
 * Takes the one audio element. It lives outside of React and beside the page, so that navigation does not stop it.
 * `listener` receives its events while an address is open.
 */
export function createAudioOutput(listener: AudioListener) {
  // It is in the document from the start. A page of an earlier version has none.
  const audio =
    document.querySelector<HTMLAudioElement>('#player-host audio') ?? document.createElement('audio')
  audio.preload = 'auto'
  // "Leave quickly" silences every media element of the document.
  if (!audio.isConnected) document.getElementById('player-host')?.append(audio)
  // As in lazy-islands.ts, for a press of a key.
  audio.load()

  const hasSource = () => audio.hasAttribute('src')
  const hasFailed = () => audio.error !== null
  const playOut = createPlayOut(audio, () => {
    audio.pause()
    listener.onError(failureOf(audio))
  })
  /** Events after a failure are ignored, except those of what plays on. Opening an address clears the failure. */
  const listen = (name: keyof HTMLMediaElementEventMap, handle: () => void) =>
    audio.addEventListener(name, () => hasSource() && (!hasFailed() || playOut.isHeard()) && handle())

  /** The position that was last asked for. */
  let soughtSeconds = 0
  function seek(seconds: number): void {
    soughtSeconds = seconds
    audio.currentTime = seconds
  }

  // Some browsers lose a position that is set before the metadata is loaded, so it is set again.
  listen('loadedmetadata', () => {
    if (Math.abs(audio.currentTime - soughtSeconds) > 1) seek(soughtSeconds)
  })
  listen('durationchange', () => listener.onDuration(audio.duration))
  listen('playing', listener.onPlaying)
  listen('waiting', listener.onWaiting)
  // At the end of a track the element fires `pause` before `ended`. That is no pause.
  listen('pause', () => audio.ended || listener.onPaused())
  listen('timeupdate', () => audio.seeking || listener.onTime(audio.currentTime))
  listen('seeked', listener.onSought)
  listen('ended', listener.onEnded)
  audio.addEventListener('error', () => hasSource() && playOut.start())

  return {
    hasSource,
    hasFailed,
    position: () => audio.currentTime,
    duration: () => audio.duration,
    /** Opens an address at a position, paused. */
    open(src: string, startSeconds: number): void {
      playOut.stop()
      audio.src = src
      seek(startSeconds)
    },
    play: () => audio.play(),
    pause(): void {
      // The loaded part may have ended a moment ago: then the element is paused, and no event will tell.
      if (audio.paused && playOut.stop()) listener.onPaused()
      else audio.pause()
    },
    seek,
    setVolume(volume: number): void {
      audio.volume = volume
    },
    setSpeed(speed: number): void {
      // Opening an address resets the rate to the default one.
      audio.defaultPlaybackRate = speed
      audio.playbackRate = speed
    },
    /** Closes the address. None of its events arrives after this. */
    release(): void {
      if (!hasSource()) return
      playOut.stop()
      audio.removeAttribute('src')
      audio.load()
    },
  }
}

function failureOf({ error }: HTMLAudioElement): AudioFailure {
  return {
    message: error?.message || `Media error ${error?.code ?? 'unknown'}`,
    isDecoding: error?.code === MediaError.MEDIA_ERR_DECODE,
  }
}
