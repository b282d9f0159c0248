import type { AudioOutput } from '#islands/player/audio-element'
import type { Loaded } from '#islands/player/loaded'
import { clampPosition } from '#islands/player/machine'
import { showNote } from '#islands/player/notes'
import { choosePlace } from '#islands/player/places'
import { createSliderPreview } from '#islands/player/slider-preview'
import { dispatchPlayer, playerNote, playerState } from '#islands/player/state'
import { undoSecondsMin } from '#src/listening/rules'

/** Long enough to notice the jump, find the button and press it. */
const undoShownMs = 20_000

/** Says that playback has moved, with an Undo, if the move is long. Returns whether it is. */
export function showMove(fromSeconds: number, toSeconds: number): boolean {
  const isLong = Math.abs(toSeconds - fromSeconds) > undoSecondsMin
  if (isLong) showNote({ type: 'moved', fromSeconds, toSeconds }, undoShownMs)
  return isLong
}

/**
 * Moves within a track: by skips, by the slider, by a word of the text. Long jumps can be undone. Someone who moves
 * within a track wants to hear this one, so each move calls `cancelNext`.
 */
export function createSeeking(output: AudioOutput, loaded: Loaded, cancelNext: () => void) {
  /** The position at which a drag of the slider started. */
  let takenAtSeconds: number | null = null
  const preview = createSliderPreview((seconds) => {
    const from = takenAtSeconds ?? playerState().currentTime
    takenAtSeconds = null
    jump(from, seconds)
  })

  /** Shows a position while the slider is dragged. The seek follows at the release. */
  function previewSeek(seconds: number): void {
    cancelNext()
    takenAtSeconds ??= playerState().currentTime
    loaded.listening?.onSeeking('drag')
    dispatchPlayer({ type: 'seek', seconds })
    preview.move(playerState().currentTime)
  }

  function seekTo(seconds: number): void {
    cancelNext()
    preview.drop()
    const target = clampPosition(seconds, playerState().duration)
    dispatchPlayer({ type: 'seek', seconds: target })
    loaded.isPlaceKnown = true
    if (!output.hasSource()) return
    loaded.listening?.onSeeking('jump')
    output.seek(target)
  }

  function jump(fromSeconds: number, seconds: number): void {
    choosePlace(loaded)
    seekTo(seconds)
    const toSeconds = playerState().currentTime
    if (showMove(fromSeconds, toSeconds)) loaded.chosenSeconds = toSeconds
  }

  return {
    isPreviewing: preview.isOn,
    dropPreview(): void {
      preview.drop()
      takenAtSeconds = null
    },
    previewSeek,
    endPreview: preview.end,
    seekTo,
    jumpTo: (seconds: number) => jump(playerState().currentTime, seconds),
    skip(seconds: number): void {
      if (playerState().currentTrack) seekTo(playerState().currentTime + seconds)
    },
    /** Returns to the position before the last long jump. Returns false if there was none. */
    undo(): boolean {
      const note = playerNote()
      if (note?.type !== 'moved') return false
      showNote(null)
      loaded.chosenSeconds = null
      seekTo(note.fromSeconds)
      return true
    },
  }
}
