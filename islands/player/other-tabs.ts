import type { AudioOutput } from '#islands/player/audio-element'
import type { Loaded } from '#islands/player/loaded'
import { dispatchPlayer, playerState } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { listenToTabs, postToTabs } from '#islands/runtime/tab-news'

/**
 * One voice for one person: where another tab plays, this one pauses, and a paused player stands where another tab has
 * heard its item. Returns a function that stops it.
 */
export function listenToOtherTabs(output: AudioOutput, loaded: Loaded): () => void {
  return listenToTabs((news) => {
    const { isPlaying } = playerState()
    if (news.type === 'plays') {
      if (isPlaying) output.pause()
    } else if (news.type !== 'favorite' && news.contentId === loadedId()) {
      if (news.type === 'heard' && !isPlaying) standAt(output, loaded, news.seconds)
      else if (news.type === 'asks' && isPlaying) postPosition(loaded)
    }
  })
}

/** The others are told how far the loaded item was heard here, if it was. */
export function postPosition({ listening }: Loaded): void {
  const contentId = listening && loadedId()
  if (contentId) postToTabs({ type: 'heard', contentId, seconds: playerState().currentTime })
}

/** An item is about to be played: a tab that plays it answers how far. */
export function askTabs(): void {
  const contentId = loadedId()
  if (contentId) postToTabs({ type: 'asks', contentId })
}

function loadedId(): string | null {
  const { currentTrack } = playerState()
  return (currentTrack && contentOf(currentTrack)?.contentId) ?? null
}

function standAt(output: AudioOutput, loaded: Loaded, seconds: number): void {
  if (loaded.asked) return
  loaded.tabSeconds = seconds
  // A player that is still being started reads it then.
  if (!loaded.isPlaceKnown) return
  dispatchPlayer({ type: 'time', seconds })
  loaded.listening?.rewinds(seconds)
  loaded.pausedAtMs = Date.now()
  if (output.hasSource()) output.seek(seconds)
}
