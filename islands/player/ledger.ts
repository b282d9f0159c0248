import { type ProgressReason, reportSecondsMin } from '#src/listening/rules'

/** The reports of one playback, which decide whether and with which reason it may report again. */
export type Ledger = {
  /** The position of the last report; before the first, where the playback began. */
  reportedSeconds: number
  /** When playback started or was last reported, in milliseconds; null while it is paused. */
  listeningSinceMs: number | null
  /** How the position is moved: by a drag, which may end elsewhere, or to a chosen one, whose sound has to come. */
  seeking: 'drag' | 'jump' | null
  /** The saved position could not be read: reports must not count as a deliberate start. */
  isStartKnown: boolean
  isCompleted: boolean
}

/** Positions closer than this are the same: the clocks of media elements jitter. */
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
 * Whether a position is to be reported. Not during a seek, unless the listener leaves at the chosen position, and not
 * at an unchanged position: a paused tab that is closed days later must not overwrite what was heard elsewhere since.
 */
export function shouldReport(
  { seeking, reportedSeconds }: Ledger,
  positionSec: number,
  reason: ProgressReason | null,
): boolean {
  const isSettled = seeking === null || (seeking === 'jump' && reason === 'seek')
  return isSettled && Math.abs(positionSec - reportedSeconds) >= movedSecondsMin
}

/** The reason of a last report: a position that was chosen counts, also where its sound has not come. */
export function reasonToLeave({ seeking }: Ledger): ProgressReason {
  return seeking === 'jump' ? 'seek' : 'close'
}

/**
 * The reason to send, null for plain playback. Where the saved position is unknown, everything but a seek or an end
 * is sent as `play`, which never moves a position back.
 */
export function reasonToSend(ledger: Ledger, reason: ProgressReason | null): ProgressReason | null {
  return ledger.isStartKnown || reason === 'seek' || reason === 'end' ? reason : 'play'
}

export function afterReport(ledger: Ledger, positionSec: number, nowMs: number): Ledger {
  const listeningSinceMs = ledger.listeningSinceMs === null ? null : nowMs
  return { ...ledger, reportedSeconds: positionSec, listeningSinceMs }
}
