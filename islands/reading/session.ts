import { listNewMilestones, type Milestone } from '#islands/listening/milestones'
import {
  type ProgressReason,
  readCloseReportSeconds,
  readCompletePercent,
  readReportPoints,
  readReportSeconds,
} from '#src/listening/rules'

/** One reading of one text, from opening to closing. Fractions are of the text, 0 to 1. */
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

/** Smaller moves are involuntary. */
const movedFractionMin = 0.002

/** A reading that begins at `fraction`: the text before it was read in an earlier one. */
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

/** The session after the reader has come to `fraction` of the text, with milestones and completion. */
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

/** Every five seconds, or sooner where more than ten percentage points were read, if anything moved at all. */
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
 * The reason to send. A glance at the start of a text that was read further counts as a bare start (`play`), which
 * moves no saved position back; a reader who stays there has begun again.
 */
export function reasonOf(
  session: ReadingSession,
  reason: ProgressReason | null,
  nowMs: number,
): ProgressReason | null {
  const isGlance = session.fraction < session.savedFraction && !isLong(session, nowMs)
  return isGlance && reason !== 'end' ? 'play' : reason
}

/** Closing reports a long reading that did not reach the end. */
export function isUnfinishedReading(session: ReadingSession, nowMs: number): boolean {
  return !session.isCompleted && isLong(session, nowMs)
}

function isLong({ openedAtMs }: ReadingSession, nowMs: number): boolean {
  return nowMs - openedAtMs > readCloseReportSeconds * 1000
}

/** Where a reading is taken up again: not for its first lines, and not once it is read. */
export function resumeFraction(lastPositionSec: number, totalSec: number): number | null {
  const fraction = totalSec > 0 ? lastPositionSec / totalSec : 0
  return fraction >= 0.03 && fraction * 100 < readCompletePercent ? fraction : null
}
