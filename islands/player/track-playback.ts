import type { AudioFailure, AudioOutput } from '#islands/player/audio-element'
import { createAudioStart } from '#islands/player/audio-start'
import type { Loaded } from '#islands/player/loaded'
import { hideNote } from '#islands/player/notes'
import { askTabs } from '#islands/player/other-tabs'
import type { Places } from '#islands/player/places'
import { createReconnect, mayWait, type Reconnect } from '#islands/player/reconnect'
import { rewound } from '#islands/player/rewound'
import { dispatchPlayer, playerState } from '#islands/player/state'
import { askForAccount, explainFailure, offerTrack, startTrack } from '#islands/player/track-start'
import type { Track } from '#src/story/track-rules'

/** Starts a track: checks the permission, reads the saved position, opens the audio, and handles failures. */
export function createTrackPlayback(
  output: AudioOutput,
  loaded: Loaded,
  { places, close }: { places: Places; close: () => void },
) {
  const audioStart = createAudioStart(output, loaded)
  // Nobody has pressed: a question where to resume stays open, and reports stay held.
  const reconnect = createReconnect(loaded, () => startAgain({ isPlaceChosen: loaded.asked !== null }))
  const deps = { output, loaded, places, audioStart, close, retry, reconnect }
  const start = (startSeconds: number | null) => startTrack(deps, startSeconds)
  const pause = () => pauseTrack(output, loaded, reconnect)

  function toggle(): void {
    const { currentTrack, isPlaying, isLoading } = playerState()
    if (isPlaying || isLoading) pause()
    else if (currentTrack) resume()
  }

  /** Resumes after a pause. If no audio is open or the open one has failed, starts again. */
  function resume({ isPlaceChosen = false } = {}): void {
    const { errorType } = playerState()
    const isBroken = output.hasFailed() || (errorType !== null && errorType !== 'autoplay')
    reconnect.stop()
    void goOn(deps, { isPlaceChosen }, () => {
      const { currentTime } = playerState()
      const position = isPlaceChosen ? currentTime : rewound(currentTime, loaded.pausedAtMs)
      if (!output.hasSource() || isBroken) return void start(loaded.isPlaceKnown ? position : null)
      if (position < currentTime) {
        dispatchPlayer({ type: 'time', seconds: position })
        loaded.listening?.onRewind(position)
        output.seek(position)
      }
      void audioStart.play('resume-error')
    })
  }

  /** Starts the same track again, after an error or a sign-in. */
  function retry(): void {
    reconnect.stop()
    startAgain()
  }

  function startAgain({ isPlaceChosen = false } = {}): void {
    void goOn(
      deps,
      { isPlaceChosen },
      () => void start(loaded.isPlaceKnown ? playerState().currentTime : null),
    )
  }

  function fail({ message, isDecoding }: AudioFailure): void {
    if (!isDecoding && mayWait(loaded)) reconnect.lose('audio-playback', message)
    else {
      audioStart.fail('playback', 'audio-playback', message)
      void explainFailure(deps)
    }
  }

  const endPreview = () => askForAccount({ loaded, audioStart, retry })
  return {
    offer: (track: Track) => offerTrack(loaded, track),
    start,
    endPreview,
    toggle,
    pause,
    resume,
    retry,
    reconnect: reconnect.attempt,
    fail,
  }
}

/** Continues playback. If another device has moved the position, the person is asked first. */
async function goOn(
  { loaded, places }: { loaded: Loaded; places: Places },
  { isPlaceChosen }: { isPlaceChosen: boolean },
  sound: () => void,
): Promise<void> {
  dispatchPlayer({ type: 'retry' })
  askTabs()
  // If the position is unknown, the start reads it anyway.
  if (isPlaceChosen || !loaded.isPlaceKnown || (await places.mayResume())) sound()
}

/** Pauses playback, or cancels a start that has produced no sound yet, or the waiting for a lost connection. */
function pauseTrack(output: AudioOutput, loaded: Loaded, reconnect: Reconnect): void {
  const { isPlaying, isLoading } = playerState()
  output.pause()
  reconnect.stop()
  if (isPlaying || !isLoading) return
  loaded.turn += 1
  hideNote('narrating')
  dispatchPlayer({ type: 'pause' })
}
