import type { Track } from '#islands/events'
import { createAudioOutput } from '#islands/player/audio-element'
import { nothingLoaded } from '#islands/player/loaded'
import { showMedia, showMediaPosition } from '#islands/player/media-session'
import { say } from '#islands/player/notes'
import { createPlayingOrder } from '#islands/player/playing-order'
import { emptyQueue, moveEntry, removeEntry } from '#islands/player/queue'
import { changeQueue, restoreQueue } from '#islands/player/queue-store'
import { createSeeking } from '#islands/player/seeking'
import { createSleep } from '#islands/player/sleep'
import { playerNote, playerSpeed, playerState, tellPlayer } from '#islands/player/state'
import { keepStoredTrack } from '#islands/player/stored-track'
import { createTone } from '#islands/player/tone'
import { createTrackPlayback } from '#islands/player/track-playback'

export type Player = ReturnType<typeof createPlayer>

/** The player: commands from bar, cards, keys and lock screen on one side, the audio element on the other. */
export function createPlayer() {
  const loaded = { ...nothingLoaded }
  const output = createAudioOutput({
    onDuration: (seconds) => tellPlayer({ type: 'duration', seconds }),
    onPlaying() {
      order.nextUp.cancel()
      if (playerNote()?.type === 'slept') say(null)
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
      if (currentTrack && !sleep.itemEnds()) void order.nextUp.follow(currentTrack)
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
  const order = createPlayingOrder({
    playback,
    seeking,
    leaveTrack,
    onSpeed(speed) {
      tone.adoptSpeed(speed)
      showPosition()
    },
  })

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
    order.nextUp.cancel()
    say(null)
    seeking.dropPreview()
    loaded.listening?.leaves()
    Object.assign(loaded, { listening: null, isPlaceKnown: false, pausedAtMs: null })
    output.release()
  }

  const showPosition = () => showMediaPosition(playerState(), playerSpeed())

  return {
    play: order.play,
    toggle: order.toggle,
    resume: order.resume,
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
      if (!isPlaying && !isLoading) order.resume()
    },
    /** The evening was over, and is not. */
    playOn(): void {
      say(null)
      order.resume()
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
      play: order.playFromQueue,
      move: (trackId: string, by: -1 | 1) => changeQueue((queue) => moveEntry(queue, trackId, by)),
      remove: (trackId: string) => changeQueue((queue) => removeEntry(queue, trackId)),
      clear: () => changeQueue((queue) => ({ ...queue, entries: [] })),
      next: order.next,
      previous: order.previous,
      cancelNext: order.nextUp.cancel,
      setAutoPlay: order.nextUp.setAutoPlay,
    },
    close,
    /** The last page of this tab had something loaded: it stands in the bar again, silent. */
    restore(track: Track): void {
      restoreQueue()
      sleep.restore()
      void playback.offer(track)
      void order.nextUp.refresh(track)
    },
    /** The page is hidden, perhaps for good. */
    hide: () => loaded.listening?.hides(),
  }
}
