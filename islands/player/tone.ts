import { apiCall } from '#islands/api-call'
import { pageOwner } from '#islands/kept-reports'
import type { AudioOutput } from '#islands/player/audio-element'
import {
  keepSpeed,
  keepSpeedUnsaved,
  keepVolume,
  readSpeed,
  readSpeedUnsaved,
  readVolume,
} from '#islands/player/preferences'
import { playerState, setPlayerSpeed, tellPlayer } from '#islands/player/state'
import { urls } from '#src/urls'

/**
 * How loud and how fast: both kept by this browser, the speed of a member by the server too. A fade lies over the
 * volume and is kept by nobody.
 */
export function createTone(output: Pick<AudioOutput, 'setVolume' | 'setSpeed'>) {
  let share = 1
  let isSpeedChosen = false
  const sound = () => output.setVolume(playerState().volume * share)
  const playAt = (speed: number) => {
    setPlayerSpeed(speed)
    output.setSpeed(speed)
    keepSpeed(speed)
  }

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
      isSpeedChosen = true
      playAt(speed)
      if (pageOwner()) void saveSpeed(speed)
    },
    /** What the member chose on whichever device: it counts until something is chosen here, also unheard. */
    adoptSpeed(speed: number): void {
      if (readSpeedUnsaved() === pageOwner()) void saveSpeed(readSpeed())
      else if (!isSpeedChosen) playAt(speed)
    },
    /** 0 to 1 of the volume. */
    fadeTo(next: number): void {
      if (next === share) return
      share = next
      sound()
    },
  }
}

async function saveSpeed(playbackSpeed: number): Promise<void> {
  keepSpeedUnsaved(pageOwner())
  try {
    await apiCall(urls.apiSettings(), { method: 'PATCH', body: { playbackSpeed } })
    if (readSpeed() === playbackSpeed) keepSpeedUnsaved(null)
  } catch (error) {
    console.warn('The speed was not saved; the next page tries again.', error)
  }
}
