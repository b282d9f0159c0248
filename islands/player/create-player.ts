import { emit, type PlayRequest, type Track } from '#islands/events'
import { createAudioOutput } from '#islands/player/audio-element'
import { nothingLoaded } from '#islands/player/loaded'
import { showMedia, showMediaPosition } from '#islands/player/media-session'
import { createNextUp } from '#islands/player/next-up'
import { say } from '#islands/player/notes'
import {
  addLast,
  addNext,
  beginTrack,
  emptyQueue,
  moveEntry,
  type Queue,
  removeEntry,
  stepBack,
} from '#islands/player/queue'
import { changeQueue, restoreQueue } from '#islands/player/queue-store'
import { createSeeking } from '#islands/player/seeking'
import { createSleep } from '#islands/player/sleep'
import { playerQueue, playerSpeed, playerState, tellPlayer } from '#islands/player/state'
import { keepStoredTrack } from '#islands/player/stored-track'
import { sayNoAudio } from '#islands/player/tell-failure'
import { createTone } from '#islands/player/tone'
import { contentOf } from '#islands/player/track-content'
import { createTrackPlayback } from '#islands/player/track-playback'
import { tracksAfter } from '#islands/player/tracks-on-page'

export type Player = ReturnType<typeof createPlayer>

/** Nearer to the beginning than this, "previous" means the item before. */
const previousSeconds = 5

/** The player: commands from bar, cards, keys and lock screen on one side, the audio element on the other. */
export function createPlayer() {
  const loaded = { ...nothingLoaded }
  const output = createAudioOutput({
    onDuration: (seconds) => tellPlayer({ type: 'duration', seconds }),
    onPlaying() {
      nextUp.cancel()
      tellPlayer({ type: 'play' })
      loaded.pausedAtMs = null
      loaded.listening?.sounds()
      showPosition()
    },
    onWaiting: () => tellPlayer({ type: 'wait' }),
    onPaused() {
      tellPlayer({ type: 'pause' })
      loaded.pausedAtMs ??= Date.now()
      loaded.listening?.pauses()
      showPosition()
    },
    onTime(seconds) {
      if (seeking.isPreviewing()) return
      tellPlayer({ type: 'time', seconds })
      loaded.listening?.moves()
    },
    onSought() {
      if (seeking.isPreviewing()) return
      loaded.listening?.sought()
      showPosition()
    },
    onEnded() {
      loaded.listening?.ends()
      tellPlayer({ type: 'end' })
      output.seek(0)
      showPosition()
      const { currentTrack } = playerState()
      if (currentTrack && !sleep.itemEnds()) void nextUp.follow(currentTrack)
    },
    onError(message) {
      playback.fail('playback', 'audio-playback', message)
      showPosition()
    },
  })
  const tone = createTone(output)
  const seeking = createSeeking(output, loaded)
  const playback = createTrackPlayback(output, loaded, close)
  const sleep = createSleep({ fadeTo: tone.fadeTo, pause: output.pause })
  const nextUp = createNextUp(loadFromQueue)

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

  function loadFromQueue(track: Track): void {
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

  function next(): void {
    const [entry] = playerQueue().entries
    if (entry) loadFromQueue(entry.track)
  }

  /** The beginning, and from there the item before. */
  function previous(): void {
    const { currentTrack, currentTime } = playerState()
    const before = playerQueue().played.at(-1)
    if (!currentTrack || !before || currentTime > previousSeconds) seeking.seekTo(0)
    else load(before, null, (queue) => stepBack(queue, currentTrack))
  }

  /** Stops and clears all (visitor.md §4). */
  function close(): void {
    leaveTrack()
    sleep.cancel()
    tellPlayer({ type: 'close' })
    keepStoredTrack(null)
    changeQueue(() => emptyQueue)
    showMedia(null)
  }

  function leaveTrack(): void {
    loaded.turn += 1
    nextUp.cancel()
    say(null)
    seeking.dropPreview()
    loaded.listening?.leaves()
    Object.assign(loaded, { listening: null, isPlaceKnown: false, pausedAtMs: null })
    output.release()
  }

  const showPosition = () => showMediaPosition(playerState(), playerSpeed())

  return {
    play,
    toggle,
    resume,
    pause: output.pause,
    retry: playback.retry,
    previewSeek: seeking.previewSeek,
    endPreview: seeking.endPreview,
    /** A place that was chosen: it plays from there. */
    jumpTo: seeking.jumpTo,
    goOnFrom(seconds: number): void {
      say(null)
      seeking.seekTo(seconds)
      const { isPlaying, isLoading } = playerState()
      if (!isPlaying && !isLoading) resume()
    },
    /** The evening was over, and is not. */
    playOn(): void {
      say(null)
      resume()
    },
    skip: seeking.skip,
    undo: seeking.undo,
    setVolume: tone.setVolume,
    setSpeed(speed: number): void {
      tone.setSpeed(speed)
      showPosition()
    },
    sleep,
    queue: {
      play: loadFromQueue,
      move: (trackId: string, by: -1 | 1) => changeQueue((queue) => moveEntry(queue, trackId, by)),
      remove: (trackId: string) => changeQueue((queue) => removeEntry(queue, trackId)),
      clear: () => changeQueue((queue) => ({ ...queue, entries: [] })),
      next,
      previous,
      cancelNext: nextUp.cancel,
      setAutoPlay: nextUp.setAutoPlay,
    },
    close,
    /** The last page of this tab had something loaded: it stands in the bar again, silent. */
    restore(track: Track): void {
      restoreQueue()
      sleep.restore()
      void playback.offer(track)
      void nextUp.refresh(track)
    },
    /** The page is hidden, perhaps for good. */
    hide: () => loaded.listening?.hides(),
  }
}
