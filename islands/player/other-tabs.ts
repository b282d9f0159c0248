import type { AudioOutput } from '#islands/player/audio-element'
import type { Loaded } from '#islands/player/loaded'
import { dispatchPlayer, playerState } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { listenToTabs, postToTabs } from '#islands/runtime/tab-messages'

/**
 * Pauses this player when another tab starts to play. Moves a paused player to the position up to which another tab has
 * played its item. Returns a function that stops this.
 */
export function listenToOtherTabs(output: AudioOutput, loaded: Loaded, pause: () => void): () => void {
  return listenToTabs((message) => {
    const { isPlaying } = playerState()
    if (message.type === 'plays') pause()
    else if (message.type !== 'favorite' && message.contentId === loadedId()) {
      if (message.type === 'heard' && !isPlaying) moveTo(output, loaded, message.seconds)
      else if (message.type === 'asks' && isPlaying) postPosition(loaded)
    }
  })
}

/** Sends the position of the loaded item to the other tabs, if it was played here. */
export function postPosition({ listening }: Loaded): void {
  const contentId = listening && loadedId()
  if (contentId) postToTabs({ type: 'heard', contentId, seconds: playerState().currentTime })
}

/**
 * Asks the other tabs for the position of the loaded item, which is about to be played. A tab that is playing it
 * answers.
 */
export function askTabs(): void {
  const contentId = loadedId()
  if (contentId) postToTabs({ type: 'asks', contentId })
}

function loadedId(): string | null {
  const { currentTrack } = playerState()
  return (currentTrack && contentOf(currentTrack)?.contentId) ?? null
}

function moveTo(output: AudioOutput, loaded: Loaded, seconds: number): void {
  if (loaded.asked) return
  loaded.tabSeconds = seconds
  // A player that is still starting reads `tabSeconds` itself.
  if (!loaded.isPlaceKnown) return
  dispatchPlayer({ type: 'time', seconds })
  loaded.listening?.onRewind(seconds)
  loaded.pausedAtMs = Date.now()
  if (output.hasSource()) output.seek(seconds)
}
