import type { Loaded } from '#islands/player/loaded'
import { hideNote, showNote } from '#islands/player/notes'
import { isOver, isSameLoss, planAttempt, reconnectSecondsMax } from '#islands/player/reconnect-plan'
import { dispatchPlayer, playerNote, playerState } from '#islands/player/state'
import { type ErrorContext, trackFailure } from '#islands/player/track-failure'
import { isWorthRetrying } from '#islands/runtime/retry'
import { readRetryAfter } from '#src/text/retry-after'

/** A request on a dead connection may hang for minutes. */
const askMs = 5_000

export type Reconnect = ReturnType<typeof createReconnect>

/**
 * Waits for a lost connection and then calls `retry`, for at most five minutes. Until then the state is loading with
 * the error `playback`. A pause, a close, another track and a press on Try Again end the waiting.
 */
export function createReconnect(loaded: Loaded, retry: () => void) {
  let timer: Timer | undefined

  /** Reports a loss once, and waits for the connection. */
  function lose(context: ErrorContext, message: string): void {
    const { currentTrack, currentTime } = playerState()
    dispatchPlayer({ type: 'lose' })
    loaded.listening?.onPause()
    loaded.pausedAtMs ??= Date.now()
    if (loaded.loss && isSameLoss(loaded.loss, currentTime)) {
      wait()
      return
    }
    loaded.loss = { startedAtMs: Date.now(), positionSeconds: currentTime, attempts: 0 }
    trackFailure(currentTrack, context, message)
    // After a failed check the server has just been asked.
    if (context === 'permission-check-error') wait()
    else void attempt()
  }

  function wait(retryAfterSeconds?: number): void {
    clearTimeout(timer)
    if (!loaded.loss) return
    const times = { nowMs: Date.now(), random: Math.random(), retryAfterSeconds }
    const delayMs = planAttempt(loaded.loss, times)
    if (delayMs === null) {
      giveUp()
      return
    }
    loaded.loss.attempts += 1
    // A question where to resume stays.
    if (playerNote()?.type !== 'places') showNote({ type: 'reconnecting' })
    timer = setTimeout(() => void attempt(), delayMs)
  }

  /** Asks the server now. Does nothing if no connection is waited for. */
  async function attempt(): Promise<void> {
    const { loss } = loaded
    const { currentTrack: track } = playerState()
    if (!loss || !track || !isWaiting()) return
    clearTimeout(timer)
    if (isOver(loss, Date.now())) return giveUp()
    const { turn } = loaded
    const answer = await askServer(track.src)
    if (loaded.loss !== loss || loaded.turn !== turn || !isWaiting()) return
    if (answer === 'refused') giveUp()
    else if (answer === 'reached') retry()
    else wait(answer.retryAfterSeconds)
  }

  function giveUp(): void {
    loaded.loss = null
    hideNote('reconnecting')
    dispatchPlayer({ type: 'fail', errorType: 'playback' })
  }

  return {
    lose,
    attempt,
    /** Call it when the person pauses or tries again. */
    stop(): void {
      clearTimeout(timer)
      loaded.loss = null
      hideNote('reconnecting')
    },
  }
}

/**
 * Whether a failure that is not caused by the audio's data may be waited out: something of the track was heard, and it
 * plays or is about to. A preview begins at its start again, so it waits for a press.
 */
export function mayWait({ isHeard, isPreview }: Loaded): boolean {
  const { isPlaying, isLoading } = playerState()
  return isHeard && !isPreview && (isPlaying || isLoading)
}

/** Whether a connection is waited for (`lose`). Leaving quickly hides the document and may take a moment. */
function isWaiting(): boolean {
  const { errorType, isLoading } = playerState()
  return errorType === 'playback' && isLoading && !document.documentElement.hidden
}

/**
 * Asks whether the server can be reached again. 403 counts: the start then asks for the sign-in or the PIN. An audio
 * elsewhere may not answer scripts, so it is simply tried.
 */
async function askServer(src: string): Promise<'reached' | 'refused' | { retryAfterSeconds?: number }> {
  if (new URL(src, location.href).origin !== location.origin) return 'reached'
  try {
    const signal = AbortSignal.timeout(askMs)
    const { ok, status, headers } = await fetch(src, { method: 'HEAD', credentials: 'include', signal })
    if (ok || status === 403) return 'reached'
    if (!isWorthRetrying(status)) return 'refused'
    const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), { atMost: reconnectSecondsMax + 1 })
    return { retryAfterSeconds }
  } catch {
    return {}
  }
}
