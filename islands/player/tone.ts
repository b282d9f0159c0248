import type { AudioOutput } from '#islands/player/audio-element'
import { keepSpeed, keepVolume, readSpeed, readVolume } from '#islands/player/preferences'
import { playerState, setPlayerSpeed, tellPlayer } from '#islands/player/state'

/** How loud and how fast: both kept by this browser. A fade lies over the volume and is kept by nobody. */
export function createTone(output: Pick<AudioOutput, 'setVolume' | 'setSpeed'>) {
  let share = 1
  const sound = () => output.setVolume(playerState().volume * share)

  tellPlayer({ type: 'volume', volume: readVolume() })
  sound()
  setPlayerSpeed(readSpeed())
  output.setSpeed(readSpeed())

  return {
    setVolume(volume: number): void {
      tellPlayer({ type: 'volume', volume })
      keepVolume(playerState().volume)
      sound()
    },
    setSpeed(speed: number): void {
      setPlayerSpeed(speed)
      output.setSpeed(speed)
      keepSpeed(speed)
    },
    /** 0 to 1 of the volume. */
    fadeTo(next: number): void {
      if (next === share) return
      share = next
      sound()
    },
  }
}
