import type { AudioOutput } from '#islands/player/audio-element'
import { createAudioStart } from '#islands/player/audio-start'
import type { Loaded } from '#islands/player/loaded'
import { hideNote } from '#islands/player/notes'
import { askTabs } from '#islands/player/other-tabs'
import type { Places } from '#islands/player/places'
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
  const deps = { output, loaded, places, audioStart, close, retry }
  const start = (startSeconds: number | null) => startTrack(deps, startSeconds)

  const pause = () => pauseTrack(output, loaded)

  function toggle(): void {
    const { currentTrack, isPlaying, isLoading } = playerState()
    if (isPlaying || isLoading) pause()
    else if (currentTrack) resume()
  }

  /** Resumes after a pause. If no audio is open or the open one has failed, starts again. */
  function resume({ isPlaceChosen = false } = {}): void {
    const { errorType } = playerState()
    const isBroken = errorType !== null && errorType !== 'autoplay'
    void goOn({ isPlaceChosen }, () => {
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
    void goOn(
      { isPlaceChosen: false },
      () => void start(loaded.isPlaceKnown ? playerState().currentTime : null),
    )
  }

  /** Continues playback. If another device has moved the position, the person is asked first. */
  async function goOn({ isPlaceChosen }: { isPlaceChosen: boolean }, sound: () => void): Promise<void> {
    dispatchPlayer({ type: 'retry' })
    askTabs()
    // If the position is unknown, the start reads it anyway.
    if (isPlaceChosen || !loaded.isPlaceKnown || (await places.mayResume())) sound()
  }

  function fail(message: string): void {
    audioStart.fail('playback', 'audio-playback', message)
    void explainFailure(deps)
  }

  const endPreview = () => askForAccount({ loaded, audioStart, retry })
  const offer = (track: Track) => offerTrack(loaded, track)
  return { offer, start, endPreview, toggle, pause, resume, retry, fail }
}

/** Pauses playback, or cancels a start that has produced no sound yet. */
function pauseTrack(output: AudioOutput, loaded: Loaded): void {
  const { isPlaying, isLoading } = playerState()
  output.pause()
  if (isPlaying || !isLoading) return
  loaded.turn += 1
  hideNote('narrating')
  dispatchPlayer({ type: 'pause' })
}
