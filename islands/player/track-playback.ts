import type { Track } from '#islands/events'
import type { AudioOutput } from '#islands/player/audio-element'
import { findKeptProgress } from '#islands/player/kept-progress'
import { startListening } from '#islands/player/listening'
import type { Loaded } from '#islands/player/loaded'
import type { PlayerError } from '#islands/player/machine'
import { say } from '#islands/player/notes'
import { checkPermission } from '#islands/player/permission'
import { askForPlace, comparePlaces } from '#islands/player/places'
import { rewound } from '#islands/player/rewound'
import { startOf } from '#islands/player/start-position'
import { playerState, tellPlayer } from '#islands/player/state'
import { type ErrorContext, sayNoAudio, tellFailure } from '#islands/player/tell-failure'
import { contentOf } from '#islands/player/track-content'
import { askToSignIn } from '#islands/sign-in-wish'

/** After so long in silence another device may have been used meanwhile. */
const elsewhereMs = 60_000

/** Getting a track to sound: may it be heard, where was it left, open it, and what to do when that fails. */
export function createTrackPlayback(output: AudioOutput, loaded: Loaded, close: () => void) {
  /** Puts a track into the bar without playing it: the one of the last page. */
  async function offer(track: Track): Promise<void> {
    const content = contentOf(track)
    tellPlayer({ type: 'offer', track, duration: content?.durationSeconds ?? 0 })
    const mine = loaded.turn
    const kept = content && (await findKeptProgress(content))
    if (mine !== loaded.turn || kept === undefined) return
    tellPlayer({ type: 'time', seconds: startOf(kept, playerState().duration) })
    loaded.isPlaceKnown = true
    loaded.pausedAtMs = kept && Date.parse(kept.lastUpdatedAt)
    askForPlace(kept, playerState().duration)
  }

  /** Asks whether the track may be heard and where it was left, then plays it. Null: from where it was left. */
  async function start(startSec: number | null): Promise<void> {
    const { currentTrack: track, duration } = playerState()
    if (!track) return
    loaded.turn += 1
    const mine = loaded.turn
    const content = contentOf(track)
    const [permission, kept] = await Promise.all([
      checkPermission(track.src),
      startSec === null && content ? findKeptProgress(content) : null,
    ])
    if (mine !== loaded.turn) return
    if (permission === 'missing') {
      close()
      return sayNoAudio()
    }
    if (permission === 'signInNeeded') {
      fail('authRequired', 'auth-required', 'Premium audio needs an account.')
      return askToSignIn(() => mine === loaded.turn && retry())
    }
    if (permission === 'failed') return fail('playback', 'permission-check-error', 'The check failed.')
    const position = startSec ?? rewound(startOf(kept ?? null, duration), keptAt(kept))
    if (content) {
      const isStartKnown = kept !== undefined
      loaded.listening ??= startListening(content, track, position, isStartKnown, where)
    }
    loaded.isPlaceKnown = true
    output.open(track.src, position)
    tellPlayer({ type: 'time', seconds: position })
    askForPlace(kept ?? null, duration)
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
    const { errorType, currentTrack } = playerState()
    const isBroken = errorType === 'playback' || errorType === 'authRequired'
    const { pausedAtMs } = loaded
    const position = rewound(playerState().currentTime, pausedAtMs)
    tellPlayer({ type: 'retry' })
    if (!output.hasSource() || isBroken) return void start(loaded.isPlaceKnown ? position : null)
    if (position < playerState().currentTime) {
      tellPlayer({ type: 'time', seconds: position })
      loaded.listening?.rewinds(position)
      output.seek(position)
    }
    void sound('resume-error')
    if (pausedAtMs !== null && Date.now() - pausedAtMs > elsewhereMs)
      void comparePlaces(currentTrack, playerState().duration)
  }

  /** The same track again, after an error or a sign-in. */
  function retry(): void {
    const { currentTime } = playerState()
    tellPlayer({ type: 'retry' })
    void start(loaded.isPlaceKnown ? currentTime : null)
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
    loaded.turn += 1
    output.pause()
    tellPlayer({ type: 'pause' })
  }

  function fail(errorType: PlayerError, context: ErrorContext, message: string): void {
    say(null)
    tellPlayer({ type: 'fail', errorType })
    loaded.listening?.pauses()
    tellFailure(playerState().currentTrack, context, message)
  }

  const where = () => ({ positionSec: playerState().currentTime, totalSec: playerState().duration })

  return { offer, start, toggle, resume, retry, fail }
}

function keptAt(kept: { lastUpdatedAt: string } | null | undefined): number | null {
  return kept ? Date.parse(kept.lastUpdatedAt) : null
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : ''
}
