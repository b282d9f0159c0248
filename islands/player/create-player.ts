import {
  type AudioFailure,
  type AudioListener,
  type AudioOutput,
  createAudioOutput,
} from '#islands/player/audio-element'
import { type Loaded, nothingKnown, nothingLoaded } from '#islands/player/loaded'
import { showMedia, showMediaPosition } from '#islands/player/media-session'
import { hideNote, showNote } from '#islands/player/notes'
import { listenToOtherTabs, postPosition } from '#islands/player/other-tabs'
import { choosePlace, createPlaces } from '#islands/player/places'
import { createPlayingOrder } from '#islands/player/playing-order'
import { emptyQueue, moveEntry, removeEntry } from '#islands/player/queue'
import { changeQueue, restoreQueue } from '#islands/player/queue-store'
import { isSameLoss } from '#islands/player/reconnect-plan'
import { createSeeking } from '#islands/player/seeking'
import { createSleep } from '#islands/player/sleep'
import { dispatchPlayer, playerNote, playerQueue, playerSpeed, playerState } from '#islands/player/state'
import { storeTrack } from '#islands/player/stored-track'
import { createTrackPlayback } from '#islands/player/track-playback'
import { createVolumeAndSpeed } from '#islands/player/volume-and-speed'
import { postToTabs } from '#islands/runtime/tab-messages'
import type { Track } from '#src/story/track-rules'

export type Player = ReturnType<typeof createPlayer>

/**
 * Creates the player. Commands come from the bar, cards, keys and the lock screen; the sound from one audio element.
 */
export function createPlayer() {
  const loaded = { ...nothingLoaded }
  const cancelNext = () => order.nextUp.cancel()
  const output: AudioOutput = createAudioOutput(
    soundEvents(loaded, {
      showPosition: () => showPosition(),
      seek: (seconds) => output.seek(seconds),
      isPreviewing: () => seeking.isPreviewing(),
      cancelNext,
      fail: (failure) => playback.fail(failure),
      onPreviewEnded: () => playback.endPreview(),
      onEnded(track) {
        if (!sleep.itemEnds()) void order.nextUp.follow(track)
      },
    }),
  )
  const volumeAndSpeed = createVolumeAndSpeed(output)
  const seeking = createSeeking(output, loaded, cancelNext)
  const places = createPlaces(output, loaded)
  const playback = createTrackPlayback(output, loaded, { places, close })
  const pause = () => pauseAll(order, playback)
  const sleep = createSleep({ fadeTo: volumeAndSpeed.fadeTo, pause })
  const order = createPlayingOrder({
    playback,
    seeking,
    leaveTrack,
    onSpeed(speed) {
      volumeAndSpeed.adoptSpeed(speed)
      showPosition()
    },
  })

  /** Stops playback, and clears the track and its state. */
  function close(): void {
    leaveTrack()
    sleep.cancel()
    dispatchPlayer({ type: 'close' })
    storeTrack(null)
    changeQueue(() => emptyQueue)
    showMedia(null)
  }

  function leaveTrack(): void {
    loaded.turn += 1
    order.nextUp.cancel()
    showNote(null)
    seeking.dropPreview()
    forget(loaded)
    output.release()
  }

  const showPosition = () => showMediaPosition(playerState(), playerSpeed())

  return {
    play: order.play,
    toggle: order.toggle,
    resume: () => order.resume(),
    pause,
    retry: playback.retry,
    /** Call it when a lost connection may be back. */
    reconnect: playback.reconnect,
    previewSeek: seeking.previewSeek,
    endPreview: seeking.endPreview,
    /** Moves to a position that the person has chosen. */
    jumpTo: seeking.jumpTo,
    goOnFrom(seconds: number): void {
      showNote(null)
      choosePlace(loaded)
      seeking.seekTo(seconds)
      const { isPlaying, isLoading } = playerState()
      if (!isPlaying && !isLoading) order.resume({ isPlaceChosen: true })
    },
    /** Answers the question where to resume: at the current position. */
    goOnAsItIs: () => choosePlace(loaded),
    playOn: () => playOn(order),
    skip: seeking.skip,
    undo: seeking.undo,
    setVolume: volumeAndSpeed.setVolume,
    setSpeed(speed: number): void {
      volumeAndSpeed.setSpeed(speed)
      showPosition()
    },
    sleep,
    queue: queueCommands(order),
    close,
    /** Shows the track that was loaded on the last page of this tab in the bar again, paused. */
    restore(track: Track): void {
      restoreQueue()
      sleep.restore()
      void playback.offer(track)
      void order.nextUp.refresh(track)
    },
    prefetch: places.prefetch,
    recheck: places.recheck,
    /** Call it when the page is hidden, perhaps for good. */
    hide: () => hide(loaded),
    listenToOtherTabs: () => listenToOtherTabs(output, loaded, pause),
  }
}

/** Stops playback, a start under way, and the countdown to the next track. */
function pauseAll(
  { nextUp }: ReturnType<typeof createPlayingOrder>,
  playback: ReturnType<typeof createTrackPlayback>,
): void {
  nextUp.cancel()
  playback.pause()
}

/**
 * Plays on after the sleep timer has stopped playback. If it stopped at the end of an item, the next item of the queue
 * plays.
 */
function playOn(order: ReturnType<typeof createPlayingOrder>): void {
  const note = playerNote()
  showNote(null)
  if (note?.type === 'slept' && note.isAtItemEnd && playerQueue().entries.length > 0) order.next()
  else order.resume()
}

function forget(loaded: Loaded): void {
  postPosition(loaded)
  loaded.listening?.onClose()
  Object.assign(loaded, nothingKnown)
}

function hide(loaded: Loaded): void {
  postPosition(loaded)
  loaded.listening?.onHide()
}

function queueCommands({ playFromQueue, next, previous, nextUp }: ReturnType<typeof createPlayingOrder>) {
  return {
    play: playFromQueue,
    move: (trackId: string, by: -1 | 1) => changeQueue((queue) => moveEntry(queue, trackId, by)),
    remove: (trackId: string) => changeQueue((queue) => removeEntry(queue, trackId)),
    clear: () => changeQueue((queue) => ({ ...queue, entries: [] })),
    next,
    previous,
    cancelNext: nextUp.cancel,
    setAutoPlay: nextUp.setAutoPlay,
  }
}

/** The player's handlers for events of the audio element. */
function soundEvents(
  loaded: Loaded,
  player: {
    showPosition: () => void
    seek: (seconds: number) => void
    isPreviewing: () => boolean
    cancelNext: () => void
    fail: (failure: AudioFailure) => void
    onPreviewEnded: () => void
    onEnded: (track: Track) => void
  },
): AudioListener {
  const { showPosition } = player
  return {
    onDuration: (seconds) => dispatchPlayer({ type: 'duration', seconds }),
    onPlaying() {
      player.cancelNext()
      hideNote('slept')
      hideNote('reconnecting')
      loaded.isHeard = true
      // Only if nothing was playing: sound that returns after buffering must not stop what another tab is about to
      // play.
      if (!playerState().isPlaying) postToTabs({ type: 'plays' })
      dispatchPlayer({ type: 'play' })
      loaded.pausedAtMs = null
      loaded.listening?.onPlaying()
      showPosition()
    },
    onWaiting: () => dispatchPlayer({ type: 'wait' }),
    onPaused() {
      dispatchPlayer({ type: 'pause' })
      loaded.pausedAtMs ??= Date.now()
      loaded.listening?.onPause()
      postPosition(loaded)
      showPosition()
    },
    onTime(seconds) {
      if (player.isPreviewing()) return
      dispatchPlayer({ type: 'time', seconds })
      loaded.listening?.onTimeUpdate()
      if (loaded.loss && !isSameLoss(loaded.loss, seconds)) loaded.loss = null
    },
    onSought() {
      if (player.isPreviewing()) return
      loaded.listening?.onSeeked()
      if (playerState().isPlaying) postPosition(loaded)
      showPosition()
    },
    onEnded() {
      if (loaded.isPreview) return player.onPreviewEnded()
      loaded.listening?.onEnded()
      dispatchPlayer({ type: 'end' })
      postPosition(loaded)
      player.seek(0)
      showPosition()
      const { currentTrack } = playerState()
      if (currentTrack) player.onEnded(currentTrack)
    },
    onError(failure) {
      player.fail(failure)
      showPosition()
    },
  }
}
