import type { AudioOutput } from '#islands/player/audio-element'
import { readSpeed, readVolume, storeSpeed, storeVolume } from '#islands/player/preferences'
import { readUnsaved, saveChoice } from '#islands/player/save-choice'
import { dispatchPlayer, playerState, setPlayerSpeed } from '#islands/player/state'

/**
 * Volume and speed. Both are stored in this browser, and a member's speed on the server too. A fade is applied on top
 * of the volume and is not stored.
 */
export function createVolumeAndSpeed(output: Pick<AudioOutput, 'setVolume' | 'setSpeed'>) {
  let share = 1
  let isSpeedChosen = false
  const sound = () => output.setVolume(playerState().volume * share)
  const playAt = (speed: number) => {
    setPlayerSpeed(speed)
    output.setSpeed(speed)
    storeSpeed(speed)
  }

  dispatchPlayer({ type: 'volume', volume: readVolume() })
  sound()
  setPlayerSpeed(readSpeed())
  output.setSpeed(readSpeed())

  return {
    setVolume(volume: number): void {
      dispatchPlayer({ type: 'volume', volume })
      storeVolume(playerState().volume)
      sound()
    },
    setSpeed(speed: number): void {
      isSpeedChosen = true
      playAt(speed)
      void saveChoice({ playbackSpeed: speed })
    },
    /** Applies the speed that the member chose on another device, unless one has been chosen here. */
    adoptSpeed(speed: number): void {
      const { playbackSpeed: unsaved } = readUnsaved()
      if (unsaved !== undefined) void saveChoice({ playbackSpeed: unsaved })
      if (!isSpeedChosen) playAt(unsaved ?? speed)
    },
    /** Scales the volume by a factor, 0 to 1. */
    fadeTo(next: number): void {
      if (next === share) return
      share = next
      sound()
    },
  }
}
