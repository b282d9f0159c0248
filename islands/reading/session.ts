import { listNewMilestones, type Milestone } from '#islands/listening/milestones'
import {
  type ProgressReason,
  readCloseReportSeconds,
  readCompletePercent,
  readReportPoints,
  readReportSeconds,
} from '#src/listening/rules'

/** One reading of a text, from opening to closing. Fractions are of the text, 0 to 1. */
export type ReadingSession = {
  openedAtMs: number
  /** Where an earlier reading stopped. */
  savedFraction: number
  fraction: number
  sentFraction: number
  sentAtMs: number
  reached: readonly Milestone[]
  isCompleted: boolean
}

export type ReadingNews = { milestones: Milestone[]; isCompletedNow: boolean; isReportDue: boolean }

/** Moves smaller than this fraction are accidental. */
const movedFractionMin = 0.002

/** Returns a reading that starts at `fraction`: the text before it was read in an earlier one. */
export function openSession(nowMs: number, fraction: number, savedFraction: number): ReadingSession {
  return {
    openedAtMs: nowMs,
    savedFraction,
    fraction,
    sentFraction: fraction,
    sentAtMs: nowMs,
    reached: listNewMilestones(fraction, []),
    isCompleted: false,
  }
}

/** Returns the session after the reader has reached `fraction`, with new milestones and completion. */
export function moveTo(
  session: ReadingSession,
  fraction: number,
  nowMs: number,
): { session: ReadingSession; news: ReadingNews } {
  const milestones = listNewMilestones(fraction, session.reached)
  const isCompletedNow = !session.isCompleted && fraction * 100 >= readCompletePercent
  const moved: ReadingSession = {
    ...session,
    fraction,
    reached: [...session.reached, ...milestones],
    isCompleted: session.isCompleted || isCompletedNow,
  }
  return {
    session: moved,
    news: { milestones, isCompletedNow, isReportDue: isCompletedNow || isDue(moved, nowMs) },
  }
}

/**
 * Whether a report is due: after five seconds, or sooner if more than ten percentage points were read, but only if the
 * position has changed.
 */
function isDue(session: ReadingSession, nowMs: number): boolean {
  const hasWaited = nowMs - session.sentAtMs >= readReportSeconds * 1000
  const grownPoints = (session.fraction - session.sentFraction) * 100
  return hasMoved(session) && (hasWaited || grownPoints > readReportPoints)
}

export function hasMoved({ fraction, sentFraction }: ReadingSession): boolean {
  return Math.abs(fraction - sentFraction) >= movedFractionMin
}

export function markSent(session: ReadingSession, nowMs: number): ReadingSession {
  return { ...session, sentFraction: session.fraction, sentAtMs: nowMs }
}

/**
 * Returns the reason to send. A glance at the start of a text that was read further before counts as a bare start
 * (`play`), which does not move the saved position back. A reader who stays there has started again.
 */
export function reasonOf(
  session: ReadingSession,
  reason: ProgressReason | null,
  nowMs: number,
): ProgressReason | null {
  const isGlance = session.fraction < session.savedFraction && !isLong(session, nowMs)
  return isGlance && reason !== 'end' ? 'play' : reason
}

/** Whether a long reading that did not reach the end is to be reported when it is closed. */
export function isUnfinishedReading(session: ReadingSession, nowMs: number): boolean {
  return !session.isCompleted && isLong(session, nowMs)
}

function isLong({ openedAtMs }: ReadingSession, nowMs: number): boolean {
  return nowMs - openedAtMs > readCloseReportSeconds * 1000
}

/** Returns the fraction to resume at; null within the first lines, or if the text was read to its end. */
export function resumeFraction(lastPositionSec: number, totalSec: number): number | null {
  const fraction = totalSec > 0 ? lastPositionSec / totalSec : 0
  return fraction >= 0.03 && fraction * 100 < readCompletePercent ? fraction : null
}
