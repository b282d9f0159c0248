/** The interval at which a position that no longer moves is noticed. Firefox moves it every 0.3 s. */
const stillMs = 1_000

/**
 * Follows an audio element that plays on after its connection was lost. Firefox 153 plays what is loaded, sets the time
 * to the duration, and fires `pause` and `ended`; Chromium has paused the element before its `error` event. `onSilent`
 * is called when the loaded part is over, but not after a pause by the person.
 */
export function createPlayOut(audio: HTMLAudioElement, onSilent: () => void) {
  let untilSeconds = Number.NEGATIVE_INFINITY
  let watch: Timer | undefined

  const isHeard = () => audio.currentTime <= untilSeconds

  /** Returns whether something was playing on, or had just ended unnoticed. */
  function stop(): boolean {
    const wasWatching = watch !== undefined
    clearInterval(watch)
    watch = undefined
    untilSeconds = Number.NEGATIVE_INFINITY
    return wasWatching
  }

  return {
    /** Whether the position is within the part that plays on. */
    isHeard,
    stop,
    /** Call it at a failure. Only what has arrived plays on; data that cannot be decoded is not worth waiting for. */
    start(): void {
      if (audio.paused || audio.error?.code !== MediaError.MEDIA_ERR_NETWORK) {
        onSilent()
        return
      }
      untilSeconds = loadedEnd(audio)
      let lastSeconds = audio.currentTime
      watch = setInterval(() => {
        if (audio.paused && isHeard()) return void stop()
        if (audio.currentTime !== lastSeconds && isHeard()) {
          lastSeconds = audio.currentTime
          return
        }
        stop()
        onSilent()
      }, stillMs)
    },
  }
}

/** Returns the end of the loaded part at the position, in seconds. */
function loadedEnd({ buffered, currentTime }: HTMLAudioElement): number {
  for (let at = 0; at < buffered.length; at += 1)
    if (buffered.start(at) <= currentTime && currentTime <= buffered.end(at)) return buffered.end(at)
  return currentTime
}
