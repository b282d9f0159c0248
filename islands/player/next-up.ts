import { apiCall } from '#islands/api-call'
import type { Track } from '#islands/events'
import { say } from '#islands/player/notes'
import { keepAutoPlay, readAutoPlay } from '#islands/player/preferences'
import { settle } from '#islands/player/queue'
import { changeQueue } from '#islands/player/queue-store'
import { doesAutoPlay, playerNote, playerQueue, playerState, setDoesAutoPlay } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { nextSeconds } from '#src/listening/rules'
import type { NextItems } from '#src/listening/schema'
import { trackOf } from '#src/story/track'
import { urls } from '#src/urls'

/**
 * What follows the track that plays. The server has the last word: what is hidden, removed or not for this
 * listener leaves the queue, and it is asked again at the end of each track. `onSpeed` hears a member's speed.
 */
export function createNextUp(play: (track: Track) => void, onSpeed: (speed: number) => void) {
  let counting: Timer | undefined
  let isMember = false

  async function refresh(track: Track): Promise<boolean> {
    const content = contentOf(track)
    if (!content) return false
    const { entries, played } = playerQueue()
    const idsOf = (tracks: readonly Track[]) =>
      tracks.flatMap((each) => contentOf(each)?.contentId ?? []).join(',')
    const address = urls.apiNext(content.contentId, {
      chosen: idsOf(entries.filter(({ isChosen }) => isChosen).map((each) => each.track)),
      around: idsOf(entries.filter(({ isChosen }) => !isChosen).map((each) => each.track)),
      without: idsOf(played),
    })
    try {
      const { autoPlay, speed, items } = (await apiCall(address)) as NextItems
      if (speed !== null) onSpeed(speed)
      isMember = autoPlay !== null
      setDoesAutoPlay(autoPlay ?? readAutoPlay())
      if (playerState().currentTrack?.id === track.id)
        changeQueue((queue) => settle(queue, items.map(trackOf)))
      return true
    } catch (error) {
      console.warn('What comes next could not be asked for.', error)
      return false
    }
  }

  /** Stops counting: something else was chosen, or nothing is wanted. */
  function cancel(): void {
    clearInterval(counting)
    if (playerNote()?.type === 'next') say(null)
  }

  function count(track: Track, secondsLeft: number): void {
    clearInterval(counting)
    if (secondsLeft > 0) {
      say({ type: 'next', title: track.title, secondsLeft })
      counting = setInterval(() => count(track, secondsLeft - 1), 1_000)
    } else {
      say(null)
      play(track)
    }
  }

  return {
    refresh,
    cancel,
    /** A track has ended by itself. */
    async follow(track: Track): Promise<void> {
      const isStill = () => {
        const { currentTrack, isPlaying, isLoading } = playerState()
        return currentTrack?.id === track.id && !isPlaying && !isLoading
      }
      if (!(await refresh(track)) || !isStill() || !doesAutoPlay()) return
      const next = playerQueue().entries[0]?.track
      if (!next) return
      // Where nobody looks nobody could cancel, and a phone sends a page to sleep that is silent.
      count(next, document.visibilityState === 'hidden' ? 0 : nextSeconds)
    },
    async setAutoPlay(does: boolean): Promise<void> {
      setDoesAutoPlay(does)
      keepAutoPlay(does)
      if (!does) cancel()
      if (!isMember) return
      await apiCall(urls.apiSettings(), { method: 'PATCH', body: { autoPlayNext: does } }).catch((error) =>
        console.warn('Auto-play was not saved.', error),
      )
    },
  }
}
