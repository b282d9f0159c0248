import { type ProgressReason, reportSecondsMin } from '#src/listening/rules'

/** What was reported of one playback, and whether more may be (visitor.md §4, product.md §3). */
export type Ledger = {
  /** The position of the last report; before the first, where the playback began. */
  reportedSec: number
  /** When listening went on or was last reported, in milliseconds; null while it is silent. */
  listeningSinceMs: number | null
  /** A seek is under way: the element's times mean nothing. */
  isSeeking: boolean
  /** The kept position could not be read: what is reported must not count as a deliberate start. */
  isStartKnown: boolean
  isCompleted: boolean
}

/** Positions closer than this are the same: clocks of media elements tremble. */
const movedSecondsMin = 0.5

export function openLedger(startSec: number, isStartKnown: boolean): Ledger {
  return { reportedSec: startSec, listeningSinceMs: null, isSeeking: false, isStartKnown, isCompleted: false }
}

/** Whether ten seconds of playback have passed since the last word. */
export function isDue(ledger: Ledger, nowMs: number): boolean {
  return ledger.listeningSinceMs !== null && nowMs - ledger.listeningSinceMs >= reportSecondsMin * 1000
}

/**
 * Whether a position is to be reported. Not during a seek, and not where nothing moved: a paused tab that is
 * closed days later must not write over what was heard elsewhere since.
 */
export function shouldReport(ledger: Ledger, positionSec: number): boolean {
  return !ledger.isSeeking && Math.abs(positionSec - ledger.reportedSec) >= movedSecondsMin
}

/**
 * The reason to send, null for listening that simply goes on. Where the kept position is unknown everything
 * but a seek or an end says `play`, which never moves a position back.
 */
export function reasonToSend(ledger: Ledger, reason: ProgressReason | null): ProgressReason | null {
  return ledger.isStartKnown || reason === 'seek' || reason === 'end' ? reason : 'play'
}

export function afterReport(ledger: Ledger, positionSec: number, nowMs: number): Ledger {
  const listeningSinceMs = ledger.listeningSinceMs === null ? null : nowMs
  return { ...ledger, reportedSec: positionSec, listeningSinceMs }
}
