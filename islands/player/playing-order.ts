import { emit, type PlayRequest, type Track } from '#islands/events'
import { showMedia } from '#islands/player/media-session'
import { createNextUp } from '#islands/player/next-up'
import { addLast, addNext, beginTrack, type Queue, stepBack } from '#islands/player/queue'
import { changeQueue } from '#islands/player/queue-store'
import type { createSeeking } from '#islands/player/seeking'
import { playerQueue, playerState, tellPlayer } from '#islands/player/state'
import { keepStoredTrack } from '#islands/player/stored-track'
import { sayNoAudio } from '#islands/player/tell-failure'
import { contentOf } from '#islands/player/track-content'
import type { createTrackPlayback } from '#islands/player/track-playback'
import { tracksAfter } from '#islands/player/tracks-on-page'

/** Nearer to the beginning than this, "previous" means the item before. */
const previousSeconds = 5

/** Which track plays, and which after it: what a hand asks for, and what follows by itself. */
export function createPlayingOrder(parts: {
  playback: ReturnType<typeof createTrackPlayback>
  seeking: ReturnType<typeof createSeeking>
  leaveTrack: () => void
  onSpeed: (speed: number) => void
}) {
  const { playback, seeking, leaveTrack } = parts
  const nextUp = createNextUp(playFromQueue, parts.onSpeed)

  /** Plays what is asked for. What is loaded already is paused or goes on (visitor.md §4). */
  function play({ track, startSeconds, queue, place }: PlayRequest): void {
    if (place) {
      addToQueue(track, place)
      return
    }
    const { currentTrack, isPlaying } = playerState()
    const isCurrent = currentTrack?.id === track.id && currentTrack.src === track.src
    if (!isCurrent) {
      const around = queue ?? tracksAfter(track)
      load(track, startSeconds ?? null, (kept) => beginTrack(kept, currentTrack, track, around))
    } else if (startSeconds === undefined) toggle()
    else {
      seeking.jumpTo(startSeconds)
      if (!isPlaying) resume()
    }
  }

  /** `begin` says what becomes of the queue. */
  function load(track: Track, startSec: number | null, begin: (queue: Queue) => Queue): void {
    const content = contentOf(track)
    if (content && !content.hasAudio) {
      sayNoAudio()
      return
    }
    leaveTrack()
    tellPlayer({ type: 'load', track, duration: content?.durationSeconds ?? 0 })
    keepStoredTrack(track)
    changeQueue(begin)
    showMedia(playerState())
    void playback.start(startSec)
    void nextUp.refresh(track)
  }

  function playFromQueue(track: Track): void {
    const { currentTrack } = playerState()
    load(track, null, (queue) => beginTrack(queue, currentTrack, track, null))
  }

  function addToQueue(track: Track, place: 'next' | 'last'): void {
    const { currentTrack } = playerState()
    if (!currentTrack) {
      keepStoredTrack(track)
      return void playback.offer(track)
    }
    if (currentTrack.id === track.id) return
    changeQueue((queue) => (place === 'next' ? addNext(queue, track) : addLast(queue, track)))
    const description = place === 'next' ? `${track.title} plays next.` : `${track.title} is in the queue.`
    emit('nocturne:toast', { kind: 'good', title: 'Up next', description })
  }

  function toggle(): void {
    nextUp.cancel()
    playback.toggle()
  }

  function resume(): void {
    nextUp.cancel()
    playback.resume()
  }

  return {
    play,
    playFromQueue,
    toggle,
    resume,
    next(): void {
      const [entry] = playerQueue().entries
      if (entry) playFromQueue(entry.track)
    },
    /** The beginning, and from there the item before. */
    previous(): void {
      const { currentTrack, currentTime } = playerState()
      const before = playerQueue().played.at(-1)
      if (!currentTrack || !before || currentTime > previousSeconds) seeking.seekTo(0)
      else load(before, null, (queue) => stepBack(queue, currentTrack))
    },
    nextUp,
  }
}
