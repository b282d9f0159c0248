import type { PlayRequest, Track } from '#islands/events'
import { createAudioOutput } from '#islands/player/audio-element'
import { findKeptProgress } from '#islands/player/kept-progress'
import { type Listening, startListening } from '#islands/player/listening'
import { clampPosition, type PlayerError } from '#islands/player/machine'
import { showMedia, showMediaPosition } from '#islands/player/media-session'
import { checkPermission } from '#islands/player/permission'
import { keepSpeed, keepVolume, readSpeed, readVolume } from '#islands/player/preferences'
import { createSliderPreview } from '#islands/player/slider-preview'
import { startOf } from '#islands/player/start-position'
import { playerSpeed, playerState, setPlayerSpeed, tellPlayer } from '#islands/player/state'
import { keepStoredTrack } from '#islands/player/stored-track'
import { type ErrorContext, sayNoAudio, tellFailure } from '#islands/player/tell-failure'
import { contentOf } from '#islands/player/track-content'
import { askToSignIn } from '#islands/sign-in-wish'

export type Player = ReturnType<typeof createPlayer>

/** The player: commands from bar, cards, keys and lock screen on one side, the audio element on the other. */
export function createPlayer() {
  /** Rises with every start; one that waited for an answer and finds it changed was overtaken. */
  let turn = 0
  let listening: Listening | null = null
  /** The state's position is where to go on, not merely a zero. */
  let isPlaceKnown = false
  const preview = createSliderPreview(seekTo)

  const output = createAudioOutput({
    onDuration: (seconds) => tellPlayer({ type: 'duration', seconds }),
    onPlaying() {
      tellPlayer({ type: 'play' })
      listening?.sounds()
      showPosition()
    },
    onWaiting: () => tellPlayer({ type: 'wait' }),
    onPaused() {
      tellPlayer({ type: 'pause' })
      listening?.pauses()
      showPosition()
    },
    onTime(seconds) {
      if (preview.isOn()) return
      tellPlayer({ type: 'time', seconds })
      listening?.moves()
    },
    onSought() {
      if (preview.isOn()) return
      listening?.sought()
      showPosition()
    },
    onEnded() {
      listening?.ends()
      tellPlayer({ type: 'end' })
      output.seek(0)
      showPosition()
    },
    onError: (message) => fail('playback', 'audio-playback', message),
  })
  output.setVolume(readVolume())
  output.setSpeed(readSpeed())
  tellPlayer({ type: 'volume', volume: readVolume() })
  setPlayerSpeed(readSpeed())

  /** Plays what is asked for. What is loaded already is paused or goes on (visitor.md §4). */
  function play({ track, startSeconds }: PlayRequest): void {
    const { currentTrack, isPlaying } = playerState()
    const isCurrent = currentTrack?.id === track.id && currentTrack.src === track.src
    if (!isCurrent) load(track, startSeconds ?? null)
    else if (startSeconds === undefined) toggle()
    else {
      seekTo(startSeconds)
      if (!isPlaying) resume()
    }
  }

  function load(track: Track, startSec: number | null): void {
    const content = contentOf(track)
    if (content && !content.hasAudio) {
      sayNoAudio()
      return
    }
    leaveTrack()
    tellPlayer({ type: 'load', track, duration: content?.durationSeconds ?? 0 })
    keepStoredTrack(track)
    showMedia(playerState())
    void start(startSec)
  }

  /** Puts a track into the bar without playing it: the one of the last page. */
  async function offer(track: Track): Promise<void> {
    const content = contentOf(track)
    tellPlayer({ type: 'offer', track, duration: content?.durationSeconds ?? 0 })
    const mine = turn
    const kept = content && (await findKeptProgress(content))
    if (mine !== turn || kept === undefined) return
    tellPlayer({ type: 'time', seconds: startOf(kept, playerState().duration) })
    isPlaceKnown = true
  }

  /** Asks whether the track may be heard and where it was left, then plays it. Null: from where it was left. */
  async function start(startSec: number | null): Promise<void> {
    const { currentTrack: track, duration } = playerState()
    if (!track) return
    turn += 1
    const mine = turn
    const content = contentOf(track)
    const [permission, kept] = await Promise.all([
      checkPermission(track.src),
      startSec === null && content ? findKeptProgress(content) : null,
    ])
    if (mine !== turn) return
    if (permission === 'missing') {
      close()
      return sayNoAudio()
    }
    if (permission === 'signInNeeded') {
      fail('authRequired', 'auth-required', 'Premium audio needs an account.')
      return askToSignIn(() => mine === turn && retry())
    }
    if (permission === 'failed') return fail('playback', 'permission-check-error', 'The check failed.')
    const position = startSec ?? startOf(kept ?? null, duration)
    if (content) listening ??= startListening(content, track, position, kept !== undefined, where)
    isPlaceKnown = true
    output.open(track.src, position)
    tellPlayer({ type: 'time', seconds: position })
    await sound('play-error')
  }

  function toggle(): void {
    const { currentTrack, isPlaying, isLoading } = playerState()
    if (!currentTrack) return
    if (isPlaying) output.pause()
    else if (isLoading) cancelStart()
    else resume()
  }

  /** Goes on after a pause; begins anew where nothing is open or what was open failed. */
  function resume(): void {
    const { errorType, currentTime } = playerState()
    const isBroken = errorType === 'playback' || errorType === 'authRequired'
    tellPlayer({ type: 'retry' })
    if (output.hasSource() && !isBroken) void sound('resume-error')
    else void start(isPlaceKnown ? currentTime : null)
  }

  /** The same track again, after an error or a sign-in. */
  function retry(): void {
    const { currentTime } = playerState()
    tellPlayer({ type: 'retry' })
    void start(isPlaceKnown ? currentTime : null)
  }

  async function sound(context: 'play-error' | 'resume-error'): Promise<void> {
    try {
      await output.play()
    } catch (error) {
      // A pause or another track came first, or the element has told of its failure itself.
      if (nameOf(error) === 'AbortError' || output.hasFailed()) return
      if (nameOf(error) === 'NotAllowedError') fail('autoplay', 'autoplay-blocked', String(error))
      else fail('playback', context, String(error))
    }
  }

  function cancelStart(): void {
    turn += 1
    output.pause()
    tellPlayer({ type: 'pause' })
  }

  function fail(errorType: PlayerError, context: ErrorContext, message: string): void {
    tellPlayer({ type: 'fail', errorType })
    listening?.pauses()
    showPosition()
    tellFailure(playerState().currentTrack, context, message)
  }

  /** The slider is being moved: shown, and heard once it is let go. */
  function previewSeek(seconds: number): void {
    listening?.seeks()
    tellPlayer({ type: 'seek', seconds })
    preview.move(playerState().currentTime)
  }

  function seekTo(seconds: number): void {
    preview.drop()
    const target = clampPosition(seconds, playerState().duration)
    tellPlayer({ type: 'seek', seconds: target })
    isPlaceKnown = true
    if (!output.hasSource()) return
    listening?.seeks()
    output.seek(target)
  }

  function skip(seconds: number): void {
    if (playerState().currentTrack) seekTo(playerState().currentTime + seconds)
  }

  function setVolume(volume: number): void {
    tellPlayer({ type: 'volume', volume })
    output.setVolume(playerState().volume)
    keepVolume(playerState().volume)
  }

  function setSpeed(speed: number): void {
    setPlayerSpeed(speed)
    output.setSpeed(speed)
    keepSpeed(speed)
    showPosition()
  }

  /** Stops and clears all (visitor.md §4). */
  function close(): void {
    leaveTrack()
    tellPlayer({ type: 'close' })
    keepStoredTrack(null)
    showMedia(null)
  }

  function leaveTrack(): void {
    turn += 1
    preview.drop()
    listening?.leaves()
    listening = null
    isPlaceKnown = false
    output.release()
  }

  const where = () => ({ positionSec: playerState().currentTime, totalSec: playerState().duration })
  const showPosition = () => showMediaPosition(playerState(), playerSpeed())

  return {
    play,
    offer,
    toggle,
    resume,
    pause: () => output.pause(),
    retry,
    previewSeek,
    endPreview: preview.end,
    seekTo,
    skip,
    setVolume,
    setSpeed,
    close,
    /** The page is hidden, perhaps for good. */
    hide: () => listening?.hides(),
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : ''
}
