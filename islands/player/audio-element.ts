/** Events of the one audio element. Times in seconds. */
export type AudioListener = {
  onDuration: (seconds: number) => void
  onPlaying: () => void
  onWaiting: () => void
  onPaused: () => void
  onTime: (seconds: number) => void
  onSought: () => void
  onEnded: () => void
  onError: (message: string) => void
}

export type AudioOutput = ReturnType<typeof createAudioOutput>

/**
 * The one audio element, outside of React and beside the page, so that no change of page stops it. `listener`
 * receives its events for the open address.
 */
export function createAudioOutput(listener: AudioListener) {
  const audio = document.createElement('audio')
  audio.preload = 'auto'
  // In the document, where "leave quickly" silences everything that can sound.
  document.getElementById('player-host')?.append(audio)

  const hasSource = () => audio.hasAttribute('src')
  const listen = (name: keyof HTMLMediaElementEventMap, handle: () => void) =>
    audio.addEventListener(name, () => hasSource() && handle())

  listen('durationchange', () => listener.onDuration(audio.duration))
  listen('playing', listener.onPlaying)
  listen('waiting', listener.onWaiting)
  // At its end an element fires `pause` first: that is the end, not a pause.
  listen('pause', () => audio.ended || listener.onPaused())
  listen('timeupdate', () => audio.seeking || listener.onTime(audio.currentTime))
  listen('seeked', listener.onSought)
  listen('ended', listener.onEnded)
  listen('error', () =>
    listener.onError(audio.error?.message || `Media error ${audio.error?.code ?? 'unknown'}`),
  )

  return {
    hasSource,
    hasFailed: () => audio.error !== null,
    position: () => audio.currentTime,
    duration: () => audio.duration,
    /** Opens an address at a position, paused. */
    open(src: string, startSeconds: number): void {
      audio.src = src
      audio.currentTime = startSeconds
      // Browsers that lose a position set before the metadata is loaded get it again.
      const again = () => {
        if (Math.abs(audio.currentTime - startSeconds) > 1) audio.currentTime = startSeconds
      }
      if (startSeconds > 0) audio.addEventListener('loadedmetadata', again, { once: true })
    },
    play: () => audio.play(),
    pause: () => audio.pause(),
    seek(seconds: number): void {
      audio.currentTime = seconds
    },
    setVolume(volume: number): void {
      audio.volume = volume
    },
    setSpeed(speed: number): void {
      // Opening an address sets the rate back to the default one.
      audio.defaultPlaybackRate = speed
      audio.playbackRate = speed
    },
    /** Closes the address; no event of it arrives after this. */
    release(): void {
      if (!hasSource()) return
      audio.removeAttribute('src')
      audio.load()
    },
  }
}
