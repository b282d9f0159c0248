import { createAutoPlay } from '#islands/player/auto-play'
import { hideNote, showNote } from '#islands/player/notes'
import { applyServerList, listAsked } from '#islands/player/queue'
import { changeQueue } from '#islands/player/queue-store'
import { doesAutoPlay, playerQueue, playerState } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { api } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { nextSeconds } from '#src/listening/rules'
import type { Track } from '#src/story/track-rules'
import { trackOf } from '#src/story/track-rules'

/**
 * The tracks after the current one. The server decides which may follow: hidden and removed items, and items that this
 * listener may not hear, are removed from the queue. It is asked at the start and at the end of each track; if it does
 * not answer, its last list stays in use. `onSpeed` receives a member's speed.
 */
export function createNextUp(play: (track: Track) => void, onSpeed: (speed: number) => void) {
  let counting: Timer | undefined
  /**
   * Incremented by every end of a track and every cancellation. Work that finds it changed after an await is cancelled.
   */
  let turn = 0
  const choice = createAutoPlay()

  /**
   * Asks the server what may follow. Returns whether the queue may continue: not if the server answers with an error.
   */
  async function refresh(track: Track): Promise<boolean> {
    const content = contentOf(track)
    if (!content) return false
    const queue = playerQueue()
    const [chosen, around] = [listAsked(queue, 'chosen'), listAsked(queue, 'around')]
    const asked = new Set([...chosen, ...around].map(({ id }) => id))
    const idsOf = (tracks: readonly Track[]) =>
      tracks.flatMap((each) => contentOf(each)?.contentId ?? []).join(',')
    const query = {
      chosen: idsOf(chosen),
      around: idsOf(around),
      without: idsOf(queue.played),
    }
    const adoptAutoPlay = choice.ask()
    try {
      const path = { id: content.contentId }
      const { autoPlay, speed, items } = await api('GET /api/content/:id/next', { path, query })
      if (speed !== null) onSpeed(speed)
      adoptAutoPlay(autoPlay)
      if (playerState().currentTrack?.id === track.id)
        changeQueue((last) => applyServerList(last, asked, items.map(trackOf)))
      return true
    } catch (error) {
      console.warn('The next items could not be loaded.', error)
      return !(error instanceof ApiError)
    }
  }

  /** Stops the countdown, because another track was chosen, or none is wanted. */
  function cancel(): void {
    turn += 1
    clearInterval(counting)
    hideNote('next')
  }

  function count(track: Track, secondsLeft: number): void {
    clearInterval(counting)
    if (secondsLeft > 0) {
      showNote({ type: 'next', title: track.title, secondsLeft })
      counting = setInterval(() => count(track, secondsLeft - 1), 1_000)
    } else {
      showNote(null)
      play(track)
    }
  }

  return {
    refresh,
    cancel,
    /** Call it when a track has played to its end. */
    async follow(track: Track): Promise<void> {
      turn += 1
      const mine = turn
      if (!(await refresh(track)) || mine !== turn || !doesAutoPlay()) return
      const next = playerQueue().entries[0]?.track
      if (!next) return
      // A hidden page cannot show a countdown, and a phone suspends a page without playback: the next track starts at
      // once.
      count(next, document.visibilityState === 'hidden' ? 0 : nextSeconds)
    },
    async setAutoPlay(does: boolean): Promise<void> {
      if (!does) cancel()
      await choice.choose(does)
    },
  }
}
