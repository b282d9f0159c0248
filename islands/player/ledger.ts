import { type ProgressReason, reportSecondsMin } from '#src/listening/rules'

/** The reports of one playback so far. They decide whether it may report again, and with which reason. */
export type Ledger = {
  /** The position of the last report, or where playback started if there was none. */
  reportedSeconds: number
  /** When playback started or was last reported, in milliseconds; null while it is paused. */
  listeningSinceMs: number | null
  /**
   * The seek in progress: a drag, which may end elsewhere, or a jump to a chosen position, whose sound is still
   * loading.
   */
  seeking: 'drag' | 'jump' | null
  /** Whether the saved position could be read. If not, reports must not count as a deliberate start. */
  isStartKnown: boolean
  isCompleted: boolean
}

/** Positions closer than this, in seconds, count as the same, because the clocks of media elements jitter. */
const movedSecondsMin = 0.5

export function openLedger(startSeconds: number, { isStartKnown }: Pick<Ledger, 'isStartKnown'>): Ledger {
  return {
    reportedSeconds: startSeconds,
    listeningSinceMs: null,
    seeking: null,
    isStartKnown,
    isCompleted: false,
  }
}

/** Whether ten seconds of playback have passed since the last report. */
export function isDue(ledger: Ledger, nowMs: number): boolean {
  return ledger.listeningSinceMs !== null && nowMs - ledger.listeningSinceMs >= reportSecondsMin * 1000
}

/**
 * Whether a position is to be reported. It is not during a seek, unless the listener leaves at the chosen position. An
 * unchanged position is not reported either: a paused tab that is closed days later must not overwrite what was heard
 * on another device since.
 */
export function shouldReport(
  { seeking, reportedSeconds }: Ledger,
  positionSec: number,
  reason: ProgressReason | null,
): boolean {
  const isSettled = seeking === null || (seeking === 'jump' && reason === 'seek')
  return isSettled && Math.abs(positionSec - reportedSeconds) >= movedSecondsMin
}

/** Returns the reason of the last report. A chosen position counts as a seek, even if its sound has not loaded. */
export function reasonToLeave({ seeking }: Ledger): ProgressReason {
  return seeking === 'jump' ? 'seek' : 'close'
}

/**
 * Returns the reason to send, null for plain playback. If the saved position is unknown, every reason but a seek or an
 * end is sent as `play`, which never moves a position back.
 */
export function reasonToSend(ledger: Ledger, reason: ProgressReason | null): ProgressReason | null {
  return ledger.isStartKnown || reason === 'seek' || reason === 'end' ? reason : 'play'
}

export function afterReport(ledger: Ledger, positionSec: number, nowMs: number): Ledger {
  const listeningSinceMs = ledger.listeningSinceMs === null ? null : nowMs
  return { ...ledger, reportedSeconds: positionSec, listeningSinceMs }
}
