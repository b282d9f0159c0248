import type { AudioOutput } from '#islands/player/audio-element'
import type { Loaded } from '#islands/player/loaded'
import type { PlayerError } from '#islands/player/machine'
import { showNote } from '#islands/player/notes'
import { dispatchPlayer, playerState } from '#islands/player/state'
import { type ErrorContext, trackFailure } from '#islands/player/track-failure'

/** Starts the open audio, or shows why it does not start. */
export function createAudioStart(output: AudioOutput, loaded: Loaded) {
  async function play(context: 'play-error' | 'resume-error'): Promise<void> {
    try {
      await output.play()
    } catch (error) {
      // A pause or another track came first, or the element's error event has reported the failure already.
      if (nameOf(error) === 'AbortError' || output.hasFailed()) return
      if (nameOf(error) === 'NotAllowedError') fail('autoplay', 'autoplay-blocked', String(error))
      else fail('playback', context, String(error))
    }
  }

  function fail(errorType: PlayerError, context: ErrorContext, message: string): void {
    showNote(null)
    dispatchPlayer({ type: 'fail', errorType })
    loaded.listening?.onPause()
    trackFailure(playerState().currentTrack, context, message)
  }

  return { play, fail }
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : ''
}
