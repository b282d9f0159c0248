import { createNextUp } from '#islands/player/next-up'
import { addLast, addNext, beginTrack, type Queue, stepBack } from '#islands/player/queue'
import { changeQueue } from '#islands/player/queue-store'
import type { createSeeking } from '#islands/player/seeking'
import { dispatchPlayer, playerQueue, playerState } from '#islands/player/state'
import { storeTrack } from '#islands/player/stored-track'
import { contentOf } from '#islands/player/track-content'
import { showNoAudio } from '#islands/player/track-failure'
import type { createTrackPlayback } from '#islands/player/track-playback'
import { tracksAfter } from '#islands/player/tracks-on-page'
import { emit, type PlayRequest } from '#islands/runtime/events'
import type { Track } from '#src/story/track-rules'

/** Within this many seconds from the start, "previous" plays the previous item. */
const previousSeconds = 5

type Playback = ReturnType<typeof createTrackPlayback>

/** Decides which track plays on request, and which one follows automatically. */
export function createPlayingOrder(deps: {
  playback: Playback
  seeking: ReturnType<typeof createSeeking>
  leaveTrack: () => void
  onSpeed: (speed: number) => void
}) {
  const { playback, seeking, leaveTrack } = deps
  const nextUp = createNextUp(playFromQueue, deps.onSpeed)

  /** Plays a track. If it is loaded already, it is paused or resumed. */
  function play({ track, startSeconds, queue, place }: PlayRequest): void {
    if (place) {
      addToQueue(playback, track, place)
      return
    }
    const { currentTrack, isPlaying } = playerState()
    const isCurrent = currentTrack?.id === track.id && currentTrack.src === track.src
    if (!isCurrent) {
      const around = queue ?? tracksAfter(track)
      load(track, startSeconds ?? null, (last) => beginTrack(last, currentTrack, track, around))
    } else if (startSeconds === undefined) toggle()
    else {
      seeking.jumpTo(startSeconds)
      if (!isPlaying) resume({ isPlaceChosen: true })
    }
  }

  /** Loads and starts a track. `begin` returns the new queue. */
  function load(track: Track, startSeconds: number | null, begin: (queue: Queue) => Queue): void {
    const content = contentOf(track)
    if (content && !content.hasAudio && !content.isGenerating) {
      showNoAudio()
      return
    }
    leaveTrack()
    dispatchPlayer({ type: 'load', track, duration: content?.durationSeconds ?? 0 })
    storeTrack(track)
    changeQueue(begin)
    void playback.start(startSeconds)
    void nextUp.refresh(track)
  }

  function playFromQueue(track: Track): void {
    const { currentTrack } = playerState()
    load(track, null, (queue) => beginTrack(queue, currentTrack, track, null))
  }

  function toggle(): void {
    nextUp.cancel()
    playback.toggle()
  }

  function resume(place?: { isPlaceChosen: boolean }): void {
    nextUp.cancel()
    playback.resume(place)
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
    /** Returns to the start of the track, or from there to the previous item. */
    previous(): void {
      const { currentTrack, currentTime } = playerState()
      const before = playerQueue().played.at(-1)
      if (!currentTrack || !before || currentTime > previousSeconds) seeking.seekTo(0)
      else load(before, null, (queue) => stepBack(queue, currentTrack))
    },
    nextUp,
  }
}

/** Adds a track to the queue. If no track is loaded, it is shown in the bar instead. */
function addToQueue(playback: Playback, track: Track, place: 'next' | 'last'): void {
  const { currentTrack } = playerState()
  if (!currentTrack) {
    storeTrack(track)
    return void playback.offer(track)
  }
  if (currentTrack.id === track.id) return
  changeQueue((queue) => (place === 'next' ? addNext(queue, track) : addLast(queue, track)))
  const description = place === 'next' ? `${track.title} plays next.` : `${track.title} is in the queue.`
  emit('nocturne:toast', { kind: 'good', title: 'Up next', description })
}
